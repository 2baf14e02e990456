import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import type { Claims } from './jws.ts';

export interface AudienceOptions {
  /** One of these must be in `aud`, or an identifier of what is called; empty: `aud` is not compared. */
  readonly audience: readonly string[];
  /** Whether `aud` was asked for by `resource` (RFC 8707): then it is compared, even where `audience` is empty. */
  readonly isAskedFor?: (claims: Claims) => boolean;
}

/**
 * A token for somebody else is refused (RFC 9068 §4). `identifiers` are those of the resource (RFC 8707 §2) and of what it is
 * part of.
 */
export function checkAudience(
  claims: Claims,
  { audience, isAskedFor }: AudienceOptions,
  identifiers: readonly string[],
): void {
  const accepted = [...audience, ...identifiers];
  if (accepted.some(value => [claims.aud].flat().includes(value))) return;
  if (audience.length === 0 && isAskedFor?.(claims) !== true) return;
  throw invalidToken(`aud is ${describe(claims.aud)}; expected ${accepted.map(describe).join(' or ')}`);
}
