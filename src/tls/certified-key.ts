/** A certificate with its private key, both PEM: what TLS servers and clients are given. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
}
