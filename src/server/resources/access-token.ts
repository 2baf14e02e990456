import { errors, type JWSHeaderParameters, type JWTVerifyOptions, jwtVerify } from 'jose';
import { invalidToken } from './bearer-token.ts';
import { checkClaims, checkRequiredClaims, type Issued, requiredClaims } from './claims.ts';
import { canonicalJws } from './jws.ts';
import { type Problem, withExtras } from './problem.ts';
import { refuseToken } from './refused-token.ts';
import { asymmetricAlgorithms, type KeyResolver } from './signature.ts';
import type { Claims, TokenForm } from './token-claims.ts';

export interface AccessTokenOptions extends Issued {
  readonly keys: KeyResolver;
  /** The `kid` of each key of the issuer. The log lists them when a token names an unknown key. */
  readonly kids?: () => Promise<readonly string[]>;
  /** Form of the access tokens of an issuer that does not follow RFC 9068; absent: it does. */
  readonly form?: TokenForm;
  /** Allow-list for `alg`; all asymmetric ones if absent. `none` and HMAC are refused even if listed. */
  readonly algorithms?: readonly string[];
  /**
   * Asks the issuer about a token (RFC 7662). Returns its claims, or undefined if it is not active or not an access
   * token. Present: revoked tokens are refused, and opaque tokens work.
   */
  readonly introspect?: (token: string) => Promise<Claims | undefined>;
  /** Finds out why a refused token is not active. For the log only; its sender is never told. */
  readonly whyInactive?: (token: string) => Promise<Inactive | undefined>;
}

export interface Inactive {
  /** `revoked`, `expired`; `ended` is `token_ended`. */
  readonly state: string;
  readonly claims?: Claims;
}

/** Validates an access token, as RFC 9068 §4 says if it is a JWT, and returns its claims; a refusal is a 401 `invalid_token` problem. */
export type AccessTokenCheck = (token: string) => Promise<Claims>;

/** An `AccessTokenCheck` of one issuer. */
export function createAccessTokenCheck(options: AccessTokenOptions): AccessTokenCheck {
  const { introspect, whyInactive } = options;
  const verifyJwt = createJwtCheck(options);
  if (introspect === undefined) return verifyJwt;
  return async token => {
    // checked first, because its errors say more than that the token is not active
    if (token.includes('.')) await verifyJwt(token);
    const claims = await introspect(token);
    if (claims === undefined) throw inactive(await whyInactive?.(token));
    checkClaims(claims, options);
    return claims;
  };
}

/** Leaves the decision to jose, and finds out afterwards why it refused a token. Caches no result. */
function createJwtCheck(options: AccessTokenOptions): AccessTokenCheck {
  const { issuer, clock, clockSkew = 0, keys, form } = options;
  const algorithms = asymmetricAlgorithms.filter(alg => options.algorithms?.includes(alg) ?? true);
  const expected: JWTVerifyOptions = {
    issuer,
    algorithms,
    ...(form?.typ === '' ? {} : { typ: form?.typ ?? 'at+jwt' }),
    requiredClaims: form === undefined ? [...requiredClaims] : [],
    clockTolerance: clockSkew,
  };

  async function keyFor(header: JWSHeaderParameters): Promise<CryptoKey> {
    const key = await keys(header);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }

  return async token => {
    try {
      if (!canonicalJws.test(token)) throw new errors.JWSInvalid('it is not three parts of canonical base64url');
      const currentDate = new Date(clock() * 1000);
      const { payload, protectedHeader } = await jwtVerify(token, keyFor, { ...expected, currentDate });
      // jose supports one extension (RFC 7797), but none is accepted here; `refuseToken` writes the error
      if (protectedHeader.crit !== undefined) throw new errors.JOSENotSupported('crit is not supported');
      const claims: Claims | undefined = form === undefined ? payload : await form.claimsOf(token);
      if (claims === undefined) throw new errors.JWTInvalid('it was not issued as an access token');
      checkRequiredClaims(claims);
      return claims;
    } catch (error) {
      return refuseToken(token, error, { ...options, algorithms });
    }
  };
}

function inactive({ state, claims }: Inactive = { state: 'unknown' }): Problem {
  const description = 'the token is not active: it was revoked, has expired, or was never issued';
  const compared = { sent: `a token that is ${state}`, expected: 'a token that is active' };
  const problem = invalidToken(state === 'ended' ? 'token_ended' : 'token_inactive', description, compared);
  return claims === undefined ? problem : withExtras(problem, { claims });
}
