import type { GrantHandler } from '../authorization-server.ts';
import { clientCredentials } from './client-credentials.ts';
import { rareGrant } from './rare-grant.ts';

// not rare, but no start waits for them
const authorizationCode = rareGrant(
  {
    grantType: 'authorization_code',
    parameters: ['code', 'redirect_uri', 'code_verifier', 'resource', 'authorization_details'],
  },
  async () => (await import('./authorization-code.ts')).authorizationCode,
);
const refreshToken = rareGrant(
  { grantType: 'refresh_token', parameters: ['refresh_token', 'scope', 'resource', 'authorization_details'] },
  async () => (await import('./refresh-token.ts')).refreshToken,
);
const deviceCode = rareGrant(
  {
    grantType: 'urn:ietf:params:oauth:grant-type:device_code',
    feature: 'device',
    parameters: ['device_code'],
  },
  async () => (await import('./device-code.ts')).deviceCode,
);
const ciba = rareGrant(
  { grantType: 'urn:openid:params:grant-type:ciba', feature: 'ciba', parameters: ['auth_req_id'] },
  async () => (await import('./ciba.ts')).ciba,
);
const password = rareGrant(
  { grantType: 'password', feature: 'password', parameters: ['username', 'password', 'resource'] },
  async () => (await import('./password.ts')).password,
);

const tokenExchange = rareGrant(
  {
    grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
    feature: 'token-exchange',
    parameters: [
      ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type'],
      ...['requested_token_type', 'audience', 'resource'],
    ],
  },
  async () => (await import('./token-exchange.ts')).tokenExchange,
);
const jwtBearer = rareGrant(
  {
    grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    feature: 'jwt-bearer',
    parameters: ['assertion', 'resource'],
  },
  async () => (await import('./jwt-bearer.ts')).jwtBearer,
);

/** Every grant there is, by its `grant_type`. To add one: its file, a line here, its test. */
export const grants: ReadonlyMap<string, GrantHandler> = new Map(
  [authorizationCode, refreshToken, clientCredentials, deviceCode, ciba, password, tokenExchange, jwtBearer].map(
    grant => [grant.grantType, grant],
  ),
);
