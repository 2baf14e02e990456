import type { RegisteredClient } from './client.ts';
import type { ClientCertificate, Confirmation } from './confirmation.ts';
import { invalidRequest } from './errors.ts';

/** What a request shows besides credentials. */
export interface Sender {
  /** Of the TLS connection. */
  readonly certificate?: ClientCertificate;
}

/**
 * What the tokens of this request are bound to; undefined for bearer tokens.
 * @throws invalid_request where the client is registered for bound tokens and shows nothing (RFC 8705 §3.4)
 */
export async function senderConfirmation(
  client: RegisteredClient,
  { certificate }: Sender,
): Promise<Confirmation | undefined> {
  if (!client.tls_client_certificate_bound_access_tokens) return undefined;
  if (certificate !== undefined) return { 'x5t#S256': certificate.thumbprint };
  const description = 'this client gets tokens bound to its certificate only, and the connection shows none';
  throw invalidRequest('certificate_missing', description, {
    sent: 'no client certificate',
    expected: 'mutual TLS with the certificate of the client',
  });
}
