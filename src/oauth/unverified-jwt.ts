import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { isDeeperThan } from './json-parameter.ts';

/** What a JWT says, before anybody knows whether it is true. */
export interface UnverifiedJwt {
  /** Empty where there is none. */
  readonly alg: string;
  readonly kid: string | undefined;
  readonly typ: string | undefined;
  readonly claims: JWTPayload;
}

/** Levels: whoever writes JSON again, or walks through it, must come to an end. */
const deepest = 30;

/**
 * Reads a JWT without its signature; jose believes the types of what it reads (RFC 7515 §4.1, RFC 7519 §4.1).
 * @throws JOSEError or TypeError where it is none, where a member that must be text is not, and where it is too deep
 */
export function readUnverified(jwt: string): UnverifiedJwt {
  const { alg = '', kid, typ }: { alg?: unknown; kid?: unknown; typ?: unknown } = decodeProtectedHeader(jwt);
  const claims = decodeJwt(jwt);
  if (!isText(kid) || !isText(typ) || !isText(claims.iss)) throw new TypeError('kid, typ and iss must be text');
  if (isDeeperThan(claims, deepest)) throw new TypeError(`the claims are nested deeper than ${deepest} levels`);
  return { alg: typeof alg === 'string' ? alg : '', kid, typ, claims };
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
