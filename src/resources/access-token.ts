import { errors } from 'jose';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { checkClaims, type Issued } from './claims.ts';
import { anyOf, asSent } from './compared.ts';
import { type Claims, type DecodedJwt, decodeJwt, type JwsHeader } from './jws.ts';
import { type Problem, withExtras } from './problem.ts';
import { asymmetricAlgorithms, createSignatureCheck } from './signature.ts';

/** Finds the issuer's public key by `kid`; `undefined` if there is none. jose's `createRemoteJWKSet(url)` is one, too. */
export type KeyResolver = (header: { kid?: string; alg?: string }) => Promise<CryptoKey | undefined>;

export interface AccessTokenOptions extends Issued {
  readonly keys: KeyResolver;
  /** The `kid` of each key of the issuer, for the log to name beside one that is unknown. */
  readonly kids?: () => Promise<readonly string[]>;
  /** Allow-list for `alg`; all asymmetric ones if absent. `none` and HMAC are refused even if listed. */
  readonly algorithms?: readonly string[];
  /**
   * Asks the issuer about a token (RFC 7662): its claims, or undefined for one that is not good or no access token. With it
   * revoked tokens are refused, and opaque ones work.
   */
  readonly introspect?: (token: string) => Promise<Claims | undefined>;
  /** Why a token is not active, for the log: asked only about one that was refused, and never told to its sender. */
  readonly whyInactive?: (token: string) => Promise<Inactive | undefined>;
}

export interface Inactive {
  /** `revoked`, `expired`; `ended` is `token_ended`. */
  readonly state: string;
  readonly claims?: Claims;
}

/** Validates an access token, as RFC 9068 §4 says if it is a JWT, and returns its claims; a refusal is a 401 `invalid_token` problem. */
export type AccessTokenCheck = (token: string) => Promise<Claims>;

/** An `AccessTokenCheck` of one issuer. Header, then signature, then claims: what is said about claims is about true ones. */
export function createAccessTokenCheck(options: AccessTokenOptions): AccessTokenCheck {
  const allowed = asymmetricAlgorithms.filter(alg => options.algorithms?.includes(alg) ?? true);
  const checkSignature = createSignatureCheck();
  const { introspect, whyInactive } = options;

  async function verifyJwt(token: string): Promise<Claims> {
    const jwt = decodeJwt(token);
    try {
      checkAlgorithm(jwt.header, allowed);
      checkType(jwt);
      checkSignature(jwt, await findKey(options, jwt.header));
      checkClaims(jwt.claims, options);
    } catch (error) {
      throw (await isSigned(jwt)) ? withExtras(error, { claims: jwt.claims }) : error;
    }
    return jwt.claims;
  }

  /** Of a token that is refused: a log that names its client should be right about it. */
  async function isSigned(jwt: DecodedJwt): Promise<boolean> {
    try {
      checkSignature(jwt, await findKey(options, jwt.header));
      return true;
    } catch {
      return false;
    }
  }

  if (introspect === undefined) return verifyJwt;
  return async token => {
    // what is wrong with a JWT can be told better than that it is not active
    if (token.includes('.')) await verifyJwt(token);
    const claims = await introspect(token);
    if (claims === undefined) throw inactive(await whyInactive?.(token));
    checkClaims(claims, options);
    return claims;
  };
}

function inactive({ state, claims }: Inactive = { state: 'unknown' }): Problem {
  const description = 'the token is not active: it was revoked, has expired, or never was';
  const compared = { sent: `a token that is ${state}`, expected: 'a token that is active' };
  const problem = invalidToken(state === 'ended' ? 'token_ended' : 'token_inactive', description, compared);
  return claims === undefined ? problem : withExtras(problem, { claims });
}

function checkAlgorithm({ alg }: JwsHeader, allowed: readonly string[]): void {
  if (allowed.includes(alg)) return;
  throw invalidToken(
    'alg_refused',
    `alg in the header of the token is ${describe(alg)}; expected one of ${allowed.join(', ')}`,
    { sent: asSent('alg', alg), expected: anyOf(allowed) },
  );
}

/** RFC 9068 §2.1: `at+jwt`, with or without `application/`, in any case. */
function checkType({ header: { typ }, claims }: DecodedJwt): void {
  const type = typ?.toLowerCase();
  if (type === 'at+jwt' || type === 'application/at+jwt') return;
  const sent = asSent('typ', typ);
  if (looksLikeIdToken(type, claims)) {
    const compared = { sent: `an ID Token, typ ${typ ?? 'none'}`, expected: 'the access token, typ at+jwt' };
    throw invalidToken('id_token_sent', 'this is an ID Token; send the access token', compared);
  }
  const description = `typ in the header of the token is ${describe(typ)}; expected at+jwt`;
  throw invalidToken('typ_mismatch', description, { sent, expected: 'at+jwt' });
}

/** A guess for the wording only: plain JWT, made for a client (`aud`), without what access tokens carry. */
function looksLikeIdToken(type: string | undefined, { aud, client_id, scope, scp }: Claims): boolean {
  if (type !== undefined && type !== 'jwt') return false;
  return aud !== undefined && client_id === undefined && scope === undefined && scp === undefined;
}

async function findKey({ keys, kids }: AccessTokenOptions, { kid, alg }: JwsHeader): Promise<CryptoKey> {
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

/** jose's key sets throw where there is no such key. */
function noKeyInJwks(error: unknown): undefined {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return undefined;
  throw error;
}
