import { filePath, oneOf } from '../formats.ts';
import { setting } from '../setting.ts';

/** HTTPS, and the certificates of clients. */
export const tlsSettings = {
  /** `self-signed` speaks HTTPS with a certificate made on start, by a CA to download at `/tls/ca.pem`. Default off. */
  tls: setting(
    'HTTPS',
    '--tls TLS',
    oneOf(['off', 'self-signed']),
    'off',
    '`self-signed` serves HTTPS with a certificate and a CA that are created at the start',
    { isWhole: true },
  ),
  /** HTTPS with a certificate of yours: a PEM file with it, and with those up to its CA. */
  tlsCert: setting(
    'HTTPS',
    '--tls-cert TLS_CERT',
    filePath,
    undefined,
    'PEM file with the HTTPS certificate, followed by the certificates up to its CA',
    { defaultText: 'none', isWhole: true },
  ),
  /** A PEM file with the private key of that certificate. */
  tlsKey: setting(
    'HTTPS',
    '--tls-key TLS_KEY',
    filePath,
    undefined,
    'PEM file with the private key of the HTTPS certificate',
    { defaultText: 'none', isWhole: true },
  ),
  /** A PEM file with the CAs whose client certificates `tls_client_auth` takes. Default: a CA made on start. */
  tlsClientCa: setting(
    'HTTPS',
    '--tls-client-ca TLS_CLIENT_CA',
    filePath,
    undefined,
    'PEM file with the CAs whose client certificates are trusted (tls_client_auth)',
    { defaultText: 'a CA created at the start', isWhole: true },
  ),
};
