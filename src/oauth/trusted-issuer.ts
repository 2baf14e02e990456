import type { Jwk } from './clients/client.ts';

/** Somebody else whose signed JWTs this server believes (RFC 7523 §3). */
export interface TrustedIssuer {
  /** The `iss` of its JWTs, character by character. */
  readonly issuer: string;
  /** Its public keys: here, or where they are fetched. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  readonly jwks_uri?: string;
  /** Values of `aud` that are accepted in addition to the issuer identifier and the token endpoint of this server. */
  readonly audience: readonly string[];
  /** Empty means every asymmetric one. */
  readonly algorithms: readonly string[];
  /** The claim that says who it is about. */
  readonly subjectClaim: string;
  /** Their subject to the `sub` of a user here; a subject that is not in here means the user of that `sub`. */
  readonly users: Readonly<Record<string, string>>;
  /** True if an unknown subject becomes a new user. */
  readonly createUsers: boolean;
}
