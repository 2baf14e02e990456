import { compactDecrypt, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { type KeysServer, makeClientKey, startKeysServer } from '../support/keys-server.ts';

const callback = 'http://localhost:3000/callback';
const secret = 'a-secret-of-32-bytes-or-more-0123456789';
const signing = await makeClientKey('ES256', { kid: 'sig-1', use: 'sig' });
const next = await makeClientKey('ES256', { kid: 'sig-2', use: 'sig' });
const forRsa = await makeClientKey('RSA-OAEP-256', { kid: 'enc-rsa', use: 'enc' });
const forEc = await makeClientKey('ECDH-ES', { kid: 'enc-ec', use: 'enc' });
const jwks = { keys: [signing, forRsa, forEc].map(({ publicJwk }) => ({ ...publicJwk })) };

const base: Omit<ClientEntry, 'client_id'> = {
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  redirect_uris: [callback],
  scope: 'openid profile email products:read',
};
const byKey: ClientEntry = { ...base, client_id: 'by-key', token_endpoint_auth_method: 'private_key_jwt', jwks };
const bySecret: ClientEntry = {
  ...base,
  client_id: 'by-secret',
  client_secret: secret,
  token_endpoint_auth_method: 'client_secret_jwt',
};
const sealed: ClientEntry = {
  ...byKey,
  client_id: 'sealed',
  id_token_encrypted_response_alg: 'RSA-OAEP-256',
  id_token_encrypted_response_enc: 'A256GCM',
  userinfo_signed_response_alg: 'ES256',
  userinfo_encrypted_response_alg: 'ECDH-ES+A128KW',
};
const signed: ClientEntry = { ...byKey, client_id: 'signed', userinfo_signed_response_alg: 'PS256' };

let keysServer: KeysServer;
let sandbox: Sandbox;
beforeAll(async () => {
  keysServer = await startKeysServer(signing);
  const { jwks: inline, ...rest } = byKey;
  const remote: ClientEntry = { ...rest, client_id: 'remote', jwks_uri: keysServer.url };
  expect(inline).toBe(jwks);
  const clients = [byKey, bySecret, remote, sealed, signed];
  sandbox = await createSandbox({ clients });
});
afterAll(async () => {
  await sandbox.stop();
  await keysServer[Symbol.asyncDispose]();
});

const privateKeyJwt = (key = signing) => client.PrivateKeyJwt({ key: key.privateKey, kid: String(key.publicJwk.kid) });

function discover(entry: Pick<ClientEntry, 'client_id'> & Partial<ClientEntry>, authentication = privateKeyJwt()) {
  const { userinfo_signed_response_alg } = entry;
  return client.discovery(
    new URL(sandbox.issuer),
    entry.client_id,
    {
      id_token_signed_response_alg: 'RS256',
      ...(userinfo_signed_response_alg === undefined ? {} : { userinfo_signed_response_alg }),
    },
    authentication,
    { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  );
}

/** A login by alice, from the first redirect to the tokens. */
async function logIn(config: client.Configuration) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile email',
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const agent = createAgent(new URL(sandbox.url).origin);
  const { url: answer } = await agent.submit(await agent.open(url), 'login-user-alice');
  return client.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedNonce });
}

describe('openid-client', () => {
  it('logs in and refreshes with private_key_jwt', async () => {
    const config = await discover(byKey);
    const tokens = await logIn(config);
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'by-key' });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()).toMatchObject({ sub: 'alice' });
  });

  it('gets a token for itself with client_secret_jwt', async () => {
    const config = await discover(bySecret, client.ClientSecretJwt(secret));
    expect(await client.clientCredentialsGrant(config)).toHaveProperty('access_token');
  });

  it('is refused with a key that is not its own', async () => {
    const config = await discover(byKey, privateKeyJwt(next));
    await expect(client.clientCredentialsGrant(config)).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
  });

  it('believes UserInfo that is signed', async () => {
    const config = await discover(signed);
    const tokens = await logIn(config);
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({
      email: 'alice@example.com',
    });
  });

  it('reads an ID token and UserInfo that are signed and encrypted', async () => {
    const config = await discover(sealed);
    client.enableDecryptingResponses(
      config,
      ['A256GCM', 'A128CBC-HS256'],
      { key: forRsa.privateKey, alg: 'RSA-OAEP-256', kid: 'enc-rsa' },
      { key: forEc.privateKey, alg: 'ECDH-ES+A128KW', kid: 'enc-ec' },
    );
    const tokens = await logIn(config);
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'sealed' });
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({ name: 'Alice Archer' });
  });
});

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  let as: oauth.AuthorizationServer;
  beforeAll(async () => {
    const issuer = new URL(sandbox.issuer);
    as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  });

  async function grant(client_id: string, key: typeof signing) {
    const authentication = oauth.PrivateKeyJwt({ key: key.privateKey, kid: String(key.publicJwk.kid) });
    const me = { client_id };
    const response = await oauth.clientCredentialsGrantRequest(as, me, authentication, {}, insecure);
    return oauth.processClientCredentialsResponse(as, me, response);
  }

  it('gets a token with the key at its jwks_uri, and with the next one once that is published', async () => {
    expect(await grant('remote', signing)).toHaveProperty('access_token');
    await expect(grant('remote', next)).rejects.toMatchObject({ error: 'invalid_client' });
    keysServer.publish(next);
    expect(await grant('remote', next)).toHaveProperty('access_token');
    expect(keysServer.calls).toBe(3);
  });

  it('finds the algorithms of assertions in the metadata, none and HMAC with keys not among them', () => {
    const { token_endpoint_auth_methods_supported: methods, token_endpoint_auth_signing_alg_values_supported: algs } =
      as;
    expect(methods).toEqual(expect.arrayContaining(['private_key_jwt', 'client_secret_jwt']));
    expect(algs).toEqual(expect.arrayContaining(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519', 'HS256']));
    expect(algs).not.toContain('none');
  });
});

describe('jose', () => {
  it('opens the nested ID token: ours inside, for the key of the client outside', async () => {
    const config = await discover(sealed);
    const sent: string[] = [];
    config[client.customFetch] = async (url, options) => {
      const response = await fetch(url, options as RequestInit);
      const text = await response.text();
      if (url.endsWith('/token')) sent.push(JSON.parse(text).id_token);
      return new Response(text, response);
    };
    client.enableDecryptingResponses(config, ['A256GCM'], {
      key: forRsa.privateKey,
      alg: 'RSA-OAEP-256',
      kid: 'enc-rsa',
    });
    await logIn(config);
    const [idToken = ''] = sent;
    expect(decodeProtectedHeader(idToken)).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: 'enc-rsa' });
    const { plaintext } = await compactDecrypt(idToken, forRsa.privateKey);
    const keys = createRemoteJWKSet(new URL(String(config.serverMetadata().jwks_uri)));
    const { payload } = await jwtVerify(new TextDecoder().decode(plaintext), keys, {
      issuer: sandbox.issuer,
      audience: 'sealed',
    });
    expect(payload.sub).toBe('alice');
  });
});
