import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { ClientCertificate } from '../confirmation.ts';
import type { Refuse } from '../errors.ts';
import { shorten } from '../parameters.ts';
import type { Jwk, RegisteredClient, TokenEndpointAuthMethod } from './client.ts';
import { ClientKeysError, clientKeysWhere } from './client-keys.ts';
import { sameName, toRfc4514 } from './distinguished-name.ts';
import { type AlternativeNameKind, alternativeNames, sameAlternativeName } from './subject-alternative-names.ts';

/** A client that authenticates with a certificate instead of a secret. */
interface TlsAuthentication {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly certificate: ClientCertificate | undefined;
  /** Makes a refusal with the error code of the endpoint. */
  readonly refuse: Refuse;
  readonly emit?: Emit | undefined;
}

/** The methods of RFC 8705 §2 that use a certificate. */
type TlsMethod = Extract<TokenEndpointAuthMethod, 'tls_client_auth' | 'self_signed_tls_client_auth'>;

/**
 * Authenticates a client by the certificate of its connection (RFC 8705 §2) with the method it is registered for.
 * @throws invalid_client
 */
export async function authenticateByCertificate(request: TlsAuthentication): Promise<TlsMethod> {
  const { client, certificate, refuse } = request;
  if (certificate === undefined) {
    const description = 'this client authenticates with a certificate, but the connection has no client certificate';
    throw refuse('certificate_missing', description, {
      sent: 'no client certificate',
      expected: 'mutual TLS with the certificate of the client',
    });
  }
  const methods = client.token_endpoint_auth_methods;
  const isSelfSigned = methods.includes('self_signed_tls_client_auth');
  if (isSelfSigned && (await isRegistered(request, certificate))) return 'self_signed_tls_client_auth';
  if (!methods.includes('tls_client_auth')) {
    throw refuse('certificate_not_registered', 'the certificate is not in the jwks of this client', {
      sent: `a certificate of ${nameOf(certificate)}`,
      expected: 'a certificate in x5c, or the public key, of a key in the jwks',
    });
  }
  checkIssued(certificate, request);
  checkSubject(certificate, request);
  return 'tls_client_auth';
}

/** RFC 8705 §2.2: no CA vouches for the certificate, so it must be a registered one. Its dates are ignored. */
async function isRegistered({ server, client, refuse, emit }: TlsAuthentication, { der }: ClientCertificate) {
  const { publicKey } = new X509Certificate(Buffer.from(der, 'base64'));
  try {
    const keys = await clientKeysWhere(server, client, key => isKeyOf(key, der, publicKey), emit);
    return keys.length > 0;
  } catch (error) {
    if (!(error instanceof ClientKeysError)) throw error;
    throw refuse('client_keys_unavailable', error.description, { met: error.met, cause: error });
  }
}

/** If the key was registered with a certificate, only that certificate is accepted (RFC 7517 §4.7). */
function isKeyOf({ x5c, ...jwk }: Jwk, der: string, publicKey: KeyObject): boolean {
  if (Array.isArray(x5c)) return typeof x5c[0] === 'string' && x5c[0].replace(/\s+/g, '') === der;
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' }).equals(publicKey);
  } catch {
    return false; // Node does not know this kind of key, or it is not a key
  }
}

/** RFC 8705 §2.1: during the handshake OpenSSL checked the chain, the dates and the purpose. */
function checkIssued(certificate: ClientCertificate, { refuse }: TlsAuthentication): void {
  if (certificate.isTrusted) return;
  throw refuse('certificate_untrusted', 'the certificate is not from a trusted CA or is no longer valid', {
    sent: `a certificate of ${nameOf(certificate)}`,
    expected: 'a certificate of a CA in TLS_CLIENT_CA, or of the CA of this sandbox',
  });
}

const alternativeKinds: readonly AlternativeNameKind[] = ['dns', 'uri', 'ip', 'email'];

/** RFC 8705 §2.1.2: exactly one of the five is registered. */
function checkSubject({ der }: ClientCertificate, { client, refuse }: TlsAuthentication): void {
  const { subject, subjectAltName } = new X509Certificate(Buffer.from(der, 'base64'));
  const mismatch = (what: string, sent: string, expected: string) =>
    refuse('certificate_subject_mismatch', `the ${what} of the certificate is not the registered one`, {
      sent: shorten(sent === '' ? 'none' : sent, 200),
      expected,
    });
  const dn = client.tls_client_auth_subject_dn;
  if (dn !== undefined) {
    const actual = toRfc4514(subject ?? '');
    if (sameName(dn, actual) !== true) throw mismatch('subject', actual, dn);
  }
  const names = alternativeNames(subjectAltName);
  for (const kind of alternativeKinds) {
    const registered = client[`tls_client_auth_san_${kind}`];
    if (registered === undefined) continue;
    const presented = names.filter(([each]) => each === kind).map(([, name]) => name);
    if (presented.some(name => sameAlternativeName(kind, registered, name))) continue;
    throw mismatch(`subject alternative name (${kind})`, presented.join(', '), registered);
  }
}

function nameOf({ der }: ClientCertificate): string {
  return shorten(toRfc4514(new X509Certificate(Buffer.from(der, 'base64')).subject ?? ''), 100) || 'nobody';
}
