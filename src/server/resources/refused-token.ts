import { errors } from 'jose';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { checkClaims, type Issued } from './claims.ts';
import { anyOf, asSent } from './compared.ts';
import { type DecodedJwt, decodeJwt, type JwsHeader } from './jws.ts';
import { withExtras } from './problem.ts';
import { checkSignature, type KeyResolver } from './signature.ts';
import type { Claims, TokenForm } from './token-claims.ts';

/** Requirements for a token. */
interface Expected extends Issued {
  readonly keys: KeyResolver;
  readonly form?: TokenForm;
  readonly kids?: () => Promise<readonly string[]>;
  readonly algorithms: readonly string[];
}

/**
 * Throws a 401 problem that says why jose refused a token. Reports the header first, then the signature, then the claims,
 * so that claims are reported only once they are known to be genuine. A `cause` that is not a refusal, such as a failure
 * to load the key set, is thrown as it is.
 */
export async function refuseToken(token: string, cause: unknown, expected: Expected): Promise<never> {
  const { header, claims: sent } = decodeJwt(token);
  const known = await expected.form?.claimsOf(token);
  const claims = known ?? sent;
  const verify = async () => checkSignature(token, header, await findKey(expected, header));
  try {
    checkAlgorithm(header, expected.algorithms);
    if (known === undefined) checkType({ header, claims }, expected.form?.typ);
    await verify();
    checkClaims(claims, expected);
  } catch (error) {
    // the log names the client of a refused token, so the claims must be genuine
    const isSigned = await verify().then(
      () => true,
      () => false,
    );
    throw isSigned ? withExtras(error, { claims }) : error;
  }
  if (!(cause instanceof errors.JOSEError)) throw cause;
  const compared = { sent: cause.message, expected: 'an access token as in RFC 9068' };
  throw invalidToken('token_malformed', `the token is not valid: ${cause.message}`, compared);
}

/** `alg` must be one of these (RFC 8725 §3.1). */
export function checkAlgorithm({ alg }: JwsHeader, allowed: readonly string[]): void {
  if (allowed.includes(alg)) return;
  throw invalidToken(
    'alg_refused',
    `alg in the header of the token is ${describe(alg)}; expected one of ${allowed.join(', ')}`,
    { sent: asSent('alg', alg), expected: anyOf(allowed) },
  );
}

/** RFC 9068 §2.1: `at+jwt`, with or without `application/`, in any case. `form` is the `typ` of an issuer with another one. */
export function checkType({ header: { typ }, claims }: DecodedJwt, form?: string): void {
  const type = typ?.toLowerCase();
  if (form === undefined && (type === 'at+jwt' || type === 'application/at+jwt')) return;
  const sent = asSent('typ', typ);
  if (form !== undefined || looksLikeIdToken(type, claims)) {
    const compared = {
      sent: `an ID token, typ ${typ ?? 'none'}`,
      expected: `the access token, typ ${(form ?? 'at+jwt') || 'none'}`,
    };
    throw invalidToken('id_token_sent', 'this is an ID token; send the access token', compared);
  }
  const description = `typ in the header of the token is ${describe(typ)}; expected at+jwt`;
  throw invalidToken('typ_mismatch', description, { sent, expected: 'at+jwt' });
}

/** A guess for the wording only: plain JWT, made for a client (`aud`), without what access tokens carry. */
function looksLikeIdToken(type: string | undefined, { aud, client_id, scope, scp }: Claims): boolean {
  if (type !== undefined && type !== 'jwt') return false;
  return aud !== undefined && client_id === undefined && scope === undefined && scp === undefined;
}

/** The key with the `kid` of the header; a refusal is a 401 problem. */
export async function findKey(
  { keys, kids }: Pick<Expected, 'keys' | 'kids'>,
  { kid, alg }: JwsHeader,
): Promise<CryptoKey> {
  const key = await keys(kid === undefined ? { alg } : { kid, alg }).catch(noKeyInJwks);
  if (key !== undefined) return key;
  const known = (await kids?.()) ?? [];
  const description =
    kid === undefined
      ? 'the header of the token has no kid; expected the kid of a key of the issuer'
      : `the issuer has no key with kid ${describe(kid)} for ${alg}; was the token signed before a restart or by another server?`;
  throw invalidToken('key_unknown', description, {
    sent: asSent('kid', kid),
    expected: known.length === 0 ? 'the kid of a key of the issuer' : anyOf(known),
  });
}

/** Turns the error of jose's key sets for a missing key into undefined. */
function noKeyInJwks(error: unknown): undefined {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return undefined;
  throw error;
}
