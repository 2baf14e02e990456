import { compactVerify, decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from 'jose';
import { isDeeperThan } from './json-parameter.ts';

/** Contents of a JWT whose signature nobody has checked yet. */
export interface UnverifiedJwt {
  /** Empty if the header has no `alg`. */
  readonly alg: string;
  readonly kid: string | undefined;
  readonly typ: string | undefined;
  readonly claims: JWTPayload;
}

/** Levels of nesting. A limit is needed because readers recurse through the JSON. */
const deepest = 30;

/** An unsigned JWT ends with a dot. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Checks that a JWT is three parts of base64url and nothing else (RFC 7515 §2, §7.1). jose also accepts padding or
 * trailing white space, which would give one token many spellings.
 * @throws JWTInvalid
 */
export function checkCompact(jwt: string): void {
  if (compactForm.test(jwt)) return;
  throw new errors.JWTInvalid('expected three parts of base64url, separated by dots, without padding or white space');
}

/**
 * Reads a JWT without checking its signature; jose does not check the types of the members (RFC 7515 §4.1, RFC 7519
 * §4.1). Refuses `crit`, because no extension is supported here, and `b64`, which jose supports but JWTs must not use
 * (RFC 7515 §4.1.11, RFC 7797 §7).
 * @throws JOSEError or TypeError if it is not a JWT, if a member has the wrong type, or if it is nested too deep
 */
export function readUnverified(jwt: string): UnverifiedJwt {
  checkCompact(jwt);
  const { alg = '', kid, typ, crit }: Record<string, unknown> = decodeProtectedHeader(jwt);
  if (crit !== undefined) throw new errors.JWTInvalid('its header has crit, but no extension is supported');
  const claims = decodeJwt(jwt);
  if (!isText(kid) || !isText(typ) || !isText(claims.iss)) throw new errors.JWTInvalid('kid, typ and iss must be text');
  if (isDeeperThan(claims, deepest)) throw new errors.JWTInvalid(`its claims are nested deeper than ${deepest} levels`);
  return { alg: typeof alg === 'string' ? alg : '', kid, typ, claims };
}

/** Why a text is not a JWT, to be appended to a sentence that says so; empty if nothing more is known. */
export function formProblem(error: unknown): string {
  return error instanceof errors.JWTInvalid ? `: ${error.message}` : '';
}

/** True if the key signed the JWT. False too if the key cannot be used, because it may come from a stranger. */
export async function isSignedBy(jwt: string, key: Parameters<typeof compactVerify>[1], alg: string): Promise<boolean> {
  try {
    await compactVerify(jwt, key, { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
