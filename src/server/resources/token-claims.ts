/** The claims of a JWT whose signature was checked, or of an opaque token, by name (RFC 7519 §4). */
export type Claims = Readonly<Record<string, unknown>>;

/** The form of the access tokens of an issuer. */
export interface TokenForm {
  /** The header `typ`. */
  readonly typ: string;
  /** The claims of an access token by their names in RFC 9068; undefined for a different JWT of the issuer. */
  readonly claimsOf: (token: string) => Promise<Claims | undefined>;
}
