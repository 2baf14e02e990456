import { errors } from 'jose';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { type Claims, type DecodedJwt, decodeJwt, type JwsHeader } from './jws.ts';
import { asymmetricAlgorithms, createSignatureCheck } from './signature.ts';

/** Finds the issuer's public key by `kid`; `undefined` if there is none. jose's `createRemoteJWKSet(url)` is one, too. */
export type KeyResolver = (header: { kid?: string; alg?: string }) => Promise<CryptoKey | undefined>;

export interface AccessTokenOptions {
  readonly issuer: string;
  readonly keys: KeyResolver;
  /** Unix seconds. */
  readonly clock: () => number;
  /** Seconds a token may be expired or not yet valid; 0 if absent. */
  readonly clockSkew?: number;
  /** Allow-list for `alg`; all asymmetric ones if absent. `none` and HMAC are refused even if listed. */
  readonly algorithms?: readonly string[];
  /**
   * Asks the issuer about a token (RFC 7662): its claims, or undefined for one that is not good or no access token. With it
   * revoked tokens are refused, and opaque ones work.
   */
  readonly introspect?: (token: string) => Promise<Claims | undefined>;
}

/** Validates an access token, as RFC 9068 §4 says if it is a JWT, and returns its claims; a refusal is a 401 `invalid_token` problem. */
export type AccessTokenCheck = (token: string) => Promise<Claims>;

/** An `AccessTokenCheck` of one issuer. Header, then signature, then claims: what is said about claims is about true ones. */
export function createAccessTokenCheck(options: AccessTokenOptions): AccessTokenCheck {
  const allowed = asymmetricAlgorithms.filter(alg => options.algorithms?.includes(alg) ?? true);
  const checkSignature = createSignatureCheck();
  const { introspect } = options;

  async function verifyJwt(token: string): Promise<Claims> {
    const jwt = decodeJwt(token);
    checkAlgorithm(jwt.header, allowed);
    checkType(jwt);
    checkSignature(jwt, await findKey(options.keys, jwt.header));
    checkClaims(jwt.claims, options);
    return jwt.claims;
  }

  if (introspect === undefined) return verifyJwt;
  return async token => {
    // what is wrong with a JWT can be told better than that it is not active
    if (token.includes('.')) await verifyJwt(token);
    const claims = await introspect(token);
    if (claims === undefined) throw invalidToken('the token is not active: it was revoked, has expired, or never was');
    checkClaims(claims, options);
    return claims;
  };
}

function checkAlgorithm({ alg }: JwsHeader, allowed: readonly string[]): void {
  if (allowed.includes(alg)) return;
  throw invalidToken(`alg in the header of the token is ${describe(alg)}; expected one of ${allowed.join(', ')}`);
}

/** RFC 9068 §2.1: `at+jwt`, with or without `application/`, in any case. */
function checkType({ header: { typ }, claims }: DecodedJwt): void {
  const type = typ?.toLowerCase();
  if (type === 'at+jwt' || type === 'application/at+jwt') return;
  if (looksLikeIdToken(type, claims)) throw invalidToken('this is an ID Token; send the access token');
  throw invalidToken(`typ in the header of the token is ${describe(typ)}; expected at+jwt`);
}

/** A guess for the wording only: plain JWT, made for a client (`aud`), without what access tokens carry. */
function looksLikeIdToken(type: string | undefined, { aud, client_id, scope, scp }: Claims): boolean {
  if (type !== undefined && type !== 'jwt') return false;
  return aud !== undefined && client_id === undefined && scope === undefined && scp === undefined;
}

async function findKey(keys: KeyResolver, { kid, alg }: JwsHeader): Promise<CryptoKey> {
  const key = await keys(kid === undefined ? { alg } : { kid, alg }).catch(noKeyInJwks);
  if (key !== undefined) return key;
  throw invalidToken(
    kid === undefined
      ? 'the header of the token has no kid; expected the kid of a key of the issuer'
      : `the issuer has no key with kid ${describe(kid)} for ${alg}; was the token signed before a restart or by another server?`,
  );
}

/** jose's key sets throw where there is no such key. */
function noKeyInJwks(error: unknown): undefined {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return undefined;
  throw error;
}

function checkClaims(claims: Claims, options: AccessTokenOptions): void {
  const { iss } = claims;
  if (iss !== options.issuer) throw invalidToken(`iss is ${describe(iss)}; expected ${describe(options.issuer)}`);
  checkTimes(claims, options);
  checkRequiredClaims(claims);
}

/** RFC 7519 §4.1.4: refused on `exp` and after it; §4.1.5: refused before `nbf`. */
function checkTimes({ exp, nbf }: Claims, { clock, clockSkew = 0 }: AccessTokenOptions): void {
  const now = clock();
  const skew = `clock skew allowed: ${clockSkew} s`;
  if (!isNumericDate(exp)) throw invalidToken(`exp is ${describe(exp)}; expected a number of seconds`);
  if (now >= exp + clockSkew) {
    throw invalidToken(`the token has expired: exp is ${exp}, ${now - exp} s ago (now ${now}, ${skew})`);
  }
  if (nbf === undefined) return;
  if (!isNumericDate(nbf)) throw invalidToken(`nbf is ${describe(nbf)}; expected a number of seconds`);
  if (now < nbf - clockSkew) {
    throw invalidToken(`the token is not valid yet: nbf is ${nbf}, in ${nbf - now} s (now ${now}, ${skew})`);
  }
}

function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** The rest of what RFC 9068 §2.2 requires. */
function checkRequiredClaims({ aud, sub, client_id, iat, jti }: Claims): void {
  checkString('sub', sub);
  checkString('client_id', client_id);
  checkString('jti', jti);
  if (!isNumericDate(iat)) throw invalidToken(`iat is ${describe(iat)}; expected a number of seconds`);
  const isAudience = typeof aud === 'string' || (Array.isArray(aud) && aud.every(value => typeof value === 'string'));
  if (!isAudience) throw invalidToken(`aud is ${describe(aud)}; expected a string or a list of strings`);
}

function checkString(name: string, value: unknown): void {
  if (typeof value !== 'string') throw invalidToken(`${name} is ${describe(value)}; expected a string`);
}
