import { filePath, oneOf } from '../formats.ts';
import { setting } from '../setting.ts';

/** HTTPS, and the certificates of clients. */
export const tlsSettings = {
  /**
   * `self-signed` serves HTTPS with a certificate created at the start. Its CA can be downloaded at `/tls/ca.pem`.
   * Default `off`.
   */
  tls: setting(
    oneOf(['off', 'self-signed']),
    'off',
    '`self-signed` serves HTTPS with a certificate and a CA that are created at the start',
    { isWhole: true },
  ),
  /** PEM file with your HTTPS certificate, followed by the certificates up to its CA. */
  tlsCert: setting(
    filePath,
    undefined,
    'PEM file with the HTTPS certificate, followed by the certificates up to its CA',
    { defaultText: 'none', isWhole: true },
  ),
  /** PEM file with the private key of `tlsCert`. */
  tlsKey: setting(filePath, undefined, 'PEM file with the private key of the HTTPS certificate', {
    defaultText: 'none',
    isWhole: true,
  }),
  /** PEM file with the CAs whose client certificates `tls_client_auth` accepts. Default: a CA created at the start. */
  tlsClientCa: setting(
    filePath,
    undefined,
    'PEM file with the CAs whose client certificates are trusted (tls_client_auth)',
    { defaultText: 'a CA created at the start', isWhole: true },
  ),
};
