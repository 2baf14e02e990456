import { randomUUID } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { demoKey } from '../../catalogue/demo-key.ts';

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
  const { demoPrivateKey } = await import('../../catalogue/demo-private-key.ts');
  return importPKCS8(demoPrivateKey, alg);
}
