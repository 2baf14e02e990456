import type { IssuedEvent } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { isRecord } from '../../base/text/record.ts';

/** Each token is decoded once. The cache drops tokens that the log has dropped. */
const decoded = new WeakMap<IssuedEvent, Readonly<Record<string, unknown>>>();

/** The claims in a token, or the claims that an opaque token stands for (RFC 7662 §2.2); empty for codes and refresh tokens. */
export function claimsOf(event: IssuedEvent): Readonly<Record<string, unknown>> {
  const known = decoded.get(event);
  if (known !== undefined) return known;
  const standsFor = event.type === 'token.issued' ? event.claims : undefined;
  const claims = standsFor ?? decodeJwt(readableToken(event))?.claims ?? {};
  decoded.set(event, claims);
  return claims;
}

/** The values of a claim at a path: `['realm', 'roles']`; an array stands for each of its elements. */
export function claimValues(event: IssuedEvent, path: readonly string[]): unknown[] {
  return valuesAt(claimsOf(event), path);
}

function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap(element => valuesAt(element, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  // A claim may have dots in its own name, as a URL has.
  const whole = path.join('.');
  if (isRecord(value) && rest.length > 0 && Object.hasOwn(value, whole)) return valuesAt(value[whole], []);
  return isRecord(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

/** The signed JWT inside a token that is encrypted for its client; any other token unchanged. */
export function readableToken({ token, signed }: { readonly token: string; readonly signed?: string }): string {
  return signed ?? token;
}

/** The binding of a token: a key by DPoP (RFC 9449 §6) or a certificate (RFC 8705 §3); undefined for a bearer token. */
export function bindingOf({ cnf }: Readonly<Record<string, unknown>>): 'dpop' | 'certificate' | undefined {
  if (!isRecord(cnf)) return undefined;
  if (cnf.jkt !== undefined) return 'dpop';
  return cnf['x5t#S256'] === undefined ? undefined : 'certificate';
}

const roleClaims = [['roles'], ['realm_access', 'roles'], ['permissions'], ['groups'], ['cognito:groups']];

/** The roles in a token, or the groups that stand for them, under the names that providers use. */
export function rolesOf(event: IssuedEvent): string[] {
  const found = roleClaims.map(path => claimValues(event, path).filter(value => typeof value === 'string'));
  return found.find(values => values.length > 0) ?? [];
}
