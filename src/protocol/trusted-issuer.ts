import type { Jwk } from './clients/client.ts';

/** Another issuer, whose signed JWTs this server accepts (RFC 7523 §3). */
export interface TrustedIssuer {
  /** The `iss` of its JWTs, compared character by character. */
  readonly issuer: string;
  /** Its public keys, or the address they are fetched from. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  readonly jwks_uri?: string;
  /** Values of `aud` that are accepted in addition to the issuer identifier and the token endpoint of this server. */
  readonly audience: readonly string[];
  /** Empty means every asymmetric one. */
  readonly algorithms: readonly string[];
  /** The claim that names the user. */
  readonly subjectClaim: string;
  /** Maps its subjects to the `sub` of users here. A subject that is not mapped means the user with the same `sub`. */
  readonly users: Readonly<Record<string, string>>;
  /** True if an unknown subject becomes a new user. */
  readonly createUsers: boolean;
}
