import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { anyOf, asSent } from './compared.ts';
import type { Claims } from './token-claims.ts';

export interface AudienceOptions {
  /** `aud` must contain one of these, or an identifier of the called resource. Empty: `aud` is not compared. */
  readonly audience: readonly string[];
  /** True if `aud` was requested with `resource` (RFC 8707). It is then compared even if `audience` is empty. */
  readonly isAskedFor?: (claims: Claims) => boolean;
}

/** True if `aud` allows the token here. */
export function isForResource(
  claims: Claims,
  { audience, isAskedFor }: AudienceOptions,
  identifiers: readonly string[],
): boolean {
  const isIn = (value: string) => (Array.isArray(claims.aud) ? claims.aud.includes(value) : claims.aud === value);
  if (audience.some(isIn) || identifiers.some(isIn)) return true;
  return audience.length === 0 && isAskedFor?.(claims) !== true;
}

/**
 * Refuses a token that was issued for another resource (RFC 9068 §4). `identifiers` are those of the resource (RFC 8707
 * §2) and of the API it belongs to.
 */
export function checkAudience(claims: Claims, options: AudienceOptions, identifiers: readonly string[]): void {
  if (isForResource(claims, options, identifiers)) return;
  const accepted = [...new Set([...options.audience, ...identifiers])];
  const detail = `aud is ${describe(claims.aud)}; expected ${accepted.map(describe).join(' or ')}`;
  const compared = { sent: asSent('aud', claims.aud), expected: anyOf(accepted) };
  throw invalidToken('audience_mismatch', detail, compared);
}
