/** A certificate with its private key, both PEM. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
}

/** The TLS options of a server. */
export interface TlsServerOptions {
  /** The certificate, followed by its intermediate certificates, PEM. */
  readonly cert: string;
  readonly key: string;
  /**
   * Requests a certificate from each client but does not require one (RFC 8705 §2). `ca` are the authorities, PEM,
   * whose certificates Node reports as `authorized`.
   */
  readonly clientCertificates?: { readonly ca: readonly string[] };
}

/** RFC 9325 §4.2 (BCP 195), the suites FAPI 2.0 §5.2.2 allows: forward secrecy and authenticated encryption. TLS 1.3 has no others. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
].join(':');

/** Options of `https.createServer`: TLS 1.2 or newer, with the recommended suites only (RFC 9325 §3.1.1, §4.2). */
export function toNodeOptions({ cert, key, clientCertificates }: TlsServerOptions) {
  return {
    cert,
    key,
    ciphers,
    minVersion: 'TLSv1.2',
    honorCipherOrder: true,
    handshakeTimeout: 10_000,
    ...(clientCertificates === undefined
      ? {}
      : { requestCert: true, rejectUnauthorized: false, ca: [...clientCertificates.ca] }),
  } as const;
}
