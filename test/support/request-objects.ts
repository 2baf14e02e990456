import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import { makeClientKey } from './keys-server.ts';
import { challenge, issuer, now, web } from './server.ts';

/** The keys of `signer`, and one of somebody else. */
export const signing = await makeClientKey('ES256', { kid: 'sig', use: 'sig' });
export const rsa = await makeClientKey('RS256', { kid: 'rsa', use: 'sig' });
export const pss = await makeClientKey('PS256', { kid: 'pss', use: 'sig' });
export const foreign = await makeClientKey('ES256', { kid: 'sig', use: 'sig' });

/** A confidential client with keys. */
export const signer: RegisteredClient = {
  ...web,
  client_id: 'signer',
  client_name: 'Signing shop',
  client_secret: 'signer-secret',
  token_endpoint_auth_methods: ['client_secret_post', 'private_key_jwt'],
  jwks: { keys: [signing, rsa, pss].map(({ publicJwk }) => ({ ...publicJwk })) },
};

/** A complete request of `signer`, plain or as claims. */
export const signerRequest = {
  client_id: 'signer',
  response_type: 'code',
  redirect_uri: 'https://shop.example/callback',
  scope: 'openid',
  state: 'the state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

/** Claims, or `undefined` for those that are left out. */
export type Changes = { readonly [Name in keyof JWTPayload]: JWTPayload[Name] | undefined };

/** The claims of a good request object of `signer`. */
export function objectClaims(changes: Changes = {}): JWTPayload {
  const claims = { ...signerRequest, iss: 'signer', aud: issuer, exp: now + 60, nbf: now, ...changes };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

/** A request object; a claim of `undefined` is left out. */
export function requestObject(
  changes: Changes = {},
  header: Partial<JWTHeaderParameters> = {},
  key: CryptoKey | Uint8Array = signing.privateKey,
): Promise<string> {
  return new SignJWT(objectClaims(changes))
    .setProtectedHeader({ alg: 'ES256', kid: 'sig', typ: 'oauth-authz-req+jwt', ...header })
    .sign(key);
}

/** One that nobody has signed. */
export function unsignedObject(changes: Changes = {}): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(objectClaims(changes))}.`;
}
