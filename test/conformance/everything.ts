import type { ClientEntry, SandboxConfig } from '../../src/index.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';
import { callback } from '../support/wire.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const cibaGrant = 'urn:openid:params:grant-type:ciba';
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const basic = (id: string) => `Basic ${Buffer.from(`${id}:${id}-secret`).toString('base64')}`;
export const asBank = basic('bank');
export const asShop = basic('shop');

/** The key of the clients `signer` and of the trusted issuer. */
export const key: ClientKey = await makeClientKey('ES256', { kid: 'k', use: 'sig', alg: 'ES256' });

/** A browser application with every grant a public client can have. */
const frontend: ClientEntry = {
  client_id: 'frontend',
  client_name: 'Front end',
  redirect_uris: [callback],
  post_logout_redirect_uris: ['http://localhost:5173/'],
  grant_types: ['authorization_code', 'refresh_token', deviceGrant],
  scope: 'openid profile email offline_access products:read',
};

/** A back end with every grant that needs a secret. */
const bank: ClientEntry = {
  client_id: 'bank',
  client_name: 'Bank',
  client_secret: 'bank-secret',
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: [cibaGrant, exchangeGrant, bearerGrant, deviceGrant, 'client_credentials', 'password', 'refresh_token'],
  scope: 'openid profile email products:read',
};

/** A web application with a consent screen, and without PKCE. */
const shop: ClientEntry = {
  client_id: 'shop',
  client_name: 'Shop',
  client_secret: 'shop-secret',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token', 'implicit'],
  response_types: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
  scope: 'openid profile email products:read',
  require_consent: true,
};

/** A client with a key, which signs whatever it sends. */
const signer: ClientEntry = {
  client_id: 'signer',
  client_name: 'Signer',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'private_key_jwt',
  grant_types: ['authorization_code', 'client_credentials', cibaGrant],
  jwks: { keys: [{ ...key.publicJwk }] },
  backchannel_authentication_request_signing_alg: 'ES256',
  scope: 'openid profile products:read',
};

/** All that there is, on, with somebody for each of it. */
export const everything: SandboxConfig = {
  clients: [frontend, bank, shop, signer],
  features: { implicit: true, password: true },
  authorizationDetailsTypes: {
    payment: { description: 'make one payment', fields: { amount: 'object', to: 'string' } },
  },
  trustedIssuers: { 'https://partner.example': { jwks: { keys: [{ ...key.publicJwk }] }, createUsers: true } },
  loginRateLimit: 0,
};
