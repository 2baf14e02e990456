import { compactVerify, decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from 'jose';
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

/** An unsigned one ends in a dot. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Whether a JWT is three parts of base64url and nothing else (RFC 7515 §2, §7.1): jose also takes one with padding or white
 * space behind it, so that one token would have many spellings.
 * @throws JWTInvalid
 */
export function checkCompact(jwt: string): void {
  if (compactForm.test(jwt)) return;
  throw new errors.JWTInvalid('expected three parts of base64url with dots between, without padding and white space');
}

/**
 * Reads a JWT without its signature; jose believes the types of what it reads (RFC 7515 §4.1, RFC 7519 §4.1). `crit` is refused,
 * because no extension is understood here, and `b64`, which jose understands, is not for JWTs (RFC 7515 §4.1.11, RFC 7797 §7).
 * @throws JOSEError or TypeError where it is none, where a member that must be text is not, and where it is too deep
 */
export function readUnverified(jwt: string): UnverifiedJwt {
  checkCompact(jwt);
  const { alg = '', kid, typ, crit }: Record<string, unknown> = decodeProtectedHeader(jwt);
  if (crit !== undefined) throw new errors.JWTInvalid('its header has crit, and no extension is understood here');
  const claims = decodeJwt(jwt);
  if (!isText(kid) || !isText(typ) || !isText(claims.iss)) throw new errors.JWTInvalid('kid, typ and iss must be text');
  if (isDeeperThan(claims, deepest)) throw new errors.JWTInvalid(`its claims are nested deeper than ${deepest} levels`);
  return { alg: typeof alg === 'string' ? alg : '', kid, typ, claims };
}

/** Why something could not be read as a JWT, to stand behind a sentence that says so; empty where nothing more is known. */
export function formFault(error: unknown): string {
  return error instanceof errors.JWTInvalid ? `: ${error.message}` : '';
}

/** Whether a JWT is signed by a key. False too where the key cannot be used: it may be somebody else's, and anything. */
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
