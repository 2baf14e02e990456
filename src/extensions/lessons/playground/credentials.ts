import { randomUUID } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { demoKey, demoPrivateKey } from '../../catalogue/demo-key.ts';
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
export const idField = { name: 'client_id', value: '{client_id}', why: 'Says which app asks.', rfc } as const;

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
    why: 'A JWT that the app signed for this server and this minute. No secret is sent.',
    rfc: 'RFC 7523 §3',
  },
];

/** Client authentication as registered; a public client sends only its client_id. */
export function credentials(client: RegisteredClient | undefined): readonly StepField[] {
  const methods = client?.token_endpoint_auth_methods ?? [];
  if (methods.includes('client_secret_basic')) {
    const why = 'The id and the secret of the app, joined by a colon and encoded in Base64.';
    return [{ name: 'Authorization', value: 'Basic {basic}', why, rfc, in: 'header' }];
  }
  if (client !== undefined && signs(client)) return assertionFields;
  if (!methods.includes('client_secret_post')) return [idField];
  return [idField, { name: 'client_secret', value: '{client_secret}', why: 'Proves who the app is.', rfc }];
}

/** Whether the page can sign as this client: with its secret, or with the demo key. */
export function canSign(client: RegisteredClient): boolean {
  const { token_endpoint_auth_methods: methods, client_secret } = client;
  if (methods.includes('client_secret_jwt')) return client_secret !== undefined;
  return methods.includes('private_key_jwt') && hasDemoKey(client);
}

/** Whether the demo key of the catalogue, whose private key everybody has, is a key of this client. */
export function hasDemoKey({ jwks }: RegisteredClient): boolean {
  return jwks?.keys.some(({ kid }) => kid === demoKey.kid) === true;
}

/** A client assertion (RFC 7523 §3) for the server `audience`, good for a minute; `now` in Unix seconds. */
export async function makeAssertion(client: RegisteredClient, audience: string, now: number): Promise<string> {
  const { client_id, client_secret = '' } = client;
  const isSecret = client.token_endpoint_auth_methods.includes('client_secret_jwt');
  const alg = client.token_endpoint_auth_signing_alg ?? (isSecret ? 'HS256' : 'RS256');
  return new SignJWT({ jti: randomUUID() })
    .setProtectedHeader(isSecret ? { alg } : { alg, kid: demoKey.kid })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(isSecret ? new TextEncoder().encode(client_secret) : await privateDemoKey(alg));
}

/** Read on first use, as few clients sign. */
export async function privateDemoKey(alg: string) {
  return importPKCS8(demoPrivateKey, alg);
}
