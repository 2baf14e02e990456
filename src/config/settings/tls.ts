import { filePath, oneOf } from '../formats.ts';
import { setting } from '../setting.ts';

/** HTTPS, and the certificates of clients. */
export const tlsSettings = {
  tls: setting(
    'HTTPS',
    '--tls TLS',
    oneOf(['off', 'self-signed']),
    'off',
    'HTTPS with a certificate that is made on start, by a CA that is made with it',
  ),
  tlsCert: setting<string | undefined>(
    'HTTPS',
    '--tls-cert TLS_CERT',
    filePath,
    undefined,
    'HTTPS with the certificate in this PEM file, the ones up to its CA behind it',
    'none',
  ),
  tlsKey: setting<string | undefined>(
    'HTTPS',
    '--tls-key TLS_KEY',
    filePath,
    undefined,
    'PEM file with the private key of the certificate',
    'none',
  ),
  tlsClientCa: setting<string | undefined>(
    'HTTPS',
    '--tls-client-ca TLS_CLIENT_CA',
    filePath,
    undefined,
    'PEM file with the CAs whose client certificates are trusted (tls_client_auth)',
    'a CA made on start',
  ),
};
