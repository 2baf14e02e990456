import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { canSign } from './assertion.ts';
import type { StepField } from './grant.ts';

/** Whether the client has no simpler way to say who it is. */
export function signs(client: RegisteredClient): boolean {
  const methods = client.token_endpoint_auth_methods;
  return !methods.some(method => /^(none|client_secret_(basic|post))$/.test(method)) && canSign(client);
}

/** Form-encoded first (RFC 6749 §2.3.1). */
export function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

const rfc = 'RFC 6749 §2.3.1';
export const idField = { name: 'client_id', value: '{client_id}', why: 'Says which application asks.', rfc } as const;

const assertionFields: readonly StepField[] = [
  {
    name: 'client_assertion_type',
    value: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    why: 'Says that the assertion is a JWT.',
    rfc: 'RFC 7523 §2.2',
  },
  {
    name: 'client_assertion',
    value: '{assertion}',
    why: 'A JWT that the application signed for this server and this minute: nothing secret is sent.',
    rfc: 'RFC 7523 §3',
  },
];

/** Client authentication as registered; a public client sends only its client_id. */
export function credentials(client: RegisteredClient | undefined): readonly StepField[] {
  const methods = client?.token_endpoint_auth_methods ?? [];
  if (methods.includes('client_secret_basic')) {
    const why = 'The id and the secret of the application, joined by a colon and encoded in Base64.';
    return [{ name: 'Authorization', value: 'Basic {basic}', why, rfc, in: 'header' }];
  }
  if (client !== undefined && signs(client)) return assertionFields;
  if (!methods.includes('client_secret_post')) return [idField];
  return [idField, { name: 'client_secret', value: '{client_secret}', why: 'Proves who the application is.', rfc }];
}
