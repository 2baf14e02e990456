import { generateKeyPairSync } from 'node:crypto';
import { JWT, OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

// The unmodified google-auth-library, with the sandbox in place of the hosts of Google.

const redirectUri = 'http://localhost:3000/callback';
const account = 'robot@shop.iam.gserviceaccount.com';
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = pair.publicKey.export({ format: 'jwk' });
const privateKey = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    preset: { name: 'google', issuer: 'google' },
    autoLogin: 'alice',
    users: [{ sub: 'alice', claims: { email: 'alice@example.com', email_verified: true, name: 'Alice Archer' } }],
    clients: [
      { client_id: 'shop', client_secret: 'shop-secret', redirect_uris: [redirectUri] },
      {
        client_id: account,
        token_endpoint_auth_method: 'private_key_jwt',
        grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
        jwks: { keys: [{ ...publicKey, kid: 'robot', alg: 'RS256' }] },
        scope: 'https://www.googleapis.com/auth/cloud-platform',
      },
    ],
    scopes: { 'https://www.googleapis.com/auth/cloud-platform': 'see your data' },
  });
});
afterAll(() => sandbox.stop());

function newClient(): OAuth2Client {
  const { url } = sandbox;
  return new OAuth2Client({
    clientId: 'shop',
    clientSecret: 'shop-secret',
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${url}/token`,
      tokenInfoUrl: `${url}/tokeninfo`,
      oauth2RevokeUrl: `${url}/revoke`,
      oauth2FederatedSignonPemCertsUrl: `${url}/oauth2/v1/certs`,
      oauth2FederatedSignonJwkCertsUrl: `${url}/oauth2/v3/certs`,
    },
  });
}

async function signedIn(): Promise<OAuth2Client> {
  await sandbox.reset(); // only the first consent brings a refresh token
  const client = newClient();
  const address = client.generateAuthUrl({ access_type: 'offline', scope: ['openid', 'email'] });
  const { url } = await createAgent(sandbox.url).open(address);
  const { tokens } = await client.getToken(url.searchParams.get('code') ?? '');
  client.setCredentials(tokens);
  return client;
}

it('verifies an ID token by the certificates, and refuses one for others', async () => {
  const client = await signedIn();
  const idToken = client.credentials.id_token ?? '';
  const ticket = await newClient().verifyIdToken({ idToken, audience: 'shop' });
  expect(ticket.getPayload()).toMatchObject({ sub: 'alice', email: 'alice@example.com', azp: 'shop' });
  await expect(newClient().verifyIdToken({ idToken, audience: 'other' })).rejects.toThrow(/Wrong recipient/);
  const forged = `${idToken.slice(0, -8)}AAAAAAAA`;
  await expect(newClient().verifyIdToken({ idToken: forged, audience: 'shop' })).rejects.toThrow(/signature/);
});

it('reads what a token is, renews it and revokes it', async () => {
  const client = await signedIn();
  const info = await client.getTokenInfo(client.credentials.access_token ?? '');
  expect(info).toMatchObject({
    ...{ aud: 'shop', sub: 'alice', email: 'alice@example.com', email_verified: 'true' },
    scopes: expect.arrayContaining(['openid', 'https://www.googleapis.com/auth/userinfo.email']),
  });
  const { credentials } = await client.refreshAccessToken();
  expect(credentials.access_token).toMatch(/^ya29\./);
  expect((await client.revokeToken(credentials.access_token ?? '')).status).toBe(200);
  await expect(client.getTokenInfo(credentials.access_token ?? '')).rejects.toThrow('invalid_token');
  client.setCredentials({ refresh_token: credentials.refresh_token ?? null });
  await expect(client.refreshAccessToken()).rejects.toThrow('invalid_grant');
});

it('gets a token for a service account', async () => {
  const { url } = sandbox;
  const scopes = ['https://www.googleapis.com/auth/cloud-platform'];
  const robot = new JWT({ email: account, key: privateKey, keyId: 'robot', scopes });
  // the library sends an assertion to its own address of the token endpoint
  robot.transporter.interceptors.request.add({
    resolved: async options => {
      if (String(options.url).startsWith('https://oauth2.googleapis.com/token')) options.url = new URL(`${url}/token`);
      return options;
    },
  });
  const { access_token } = await robot.authorize();
  expect(access_token).toMatch(/^ya29\./);
  expect(await newClient().getTokenInfo(access_token ?? '')).toMatchObject({ aud: account, scopes });
});
