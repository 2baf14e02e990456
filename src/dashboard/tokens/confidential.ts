import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';

/**
 * With these the dashboard authenticates as a client (RFC 6749 §2.3.1); undefined if the client does it by a private key or a
 * certificate, which this server does not have.
 */
export function credentialsOf(client: RegisteredClient) {
  const { client_id, client_secret, token_endpoint_auth_methods: methods } = client;
  if (isPublic(client)) return { headers: {}, form: { client_id } };
  if (client_secret === undefined) return undefined;
  if (methods.includes('client_secret_basic')) {
    const pair = [client_id, client_secret].map(encode).join(':');
    return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, form: {} };
  }
  return methods.includes('client_secret_post') ? { headers: {}, form: { client_id, client_secret } } : undefined;
}

/** Whether the client is confidential and the dashboard has its credentials. */
export function isConfidential(client: RegisteredClient): boolean {
  return !isPublic(client) && credentialsOf(client) !== undefined;
}

/** RFC 6749 appendix B. */
function encode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
