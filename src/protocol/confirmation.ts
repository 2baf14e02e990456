/** The key a token is bound to (RFC 7800): a DPoP key (RFC 9449 §6.1) or a client certificate (RFC 8705 §3.1). */
export interface Confirmation {
  /** The JWK thumbprint of the DPoP key. */
  readonly jkt?: string;
  /** The SHA-256 thumbprint of the certificate. */
  readonly 'x5t#S256'?: string;
}

/** The client certificate of the request's TLS connection. */
export interface ClientCertificate {
  /** DER, base64. */
  readonly der: string;
  /** `x5t#S256` (RFC 8705 §3.1). */
  readonly thumbprint: string;
  /** True if a CA that this server trusts issued it. */
  readonly isTrusted: boolean;
}
