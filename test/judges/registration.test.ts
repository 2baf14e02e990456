import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { runningChild } from '../support/child.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';
import { openSite } from '../support/site.ts';

const callback = 'http://localhost:3000/callback';
const execute = [client.allowInsecureRequests];
const insecure = { [oauth.allowInsecureRequests]: true };

let sandbox: Sandbox;
let key: ClientKey;

beforeAll(async () => {
  sandbox = await createSandbox();
  key = await makeClientKey('ES256', { kid: 'one', alg: 'ES256', use: 'sig' });
});
afterAll(() => sandbox.stop());

/** A login by alice through the real page, which says what is asked for. */
async function logIn(config: client.Configuration, scope = 'openid email') {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const agent = createAgent(new URL(sandbox.url).origin);
  const { url: back } = await agent.submit(await agent.open(url), 'login-user-alice');
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier });
}

describe('a client that registers itself with openid-client', () => {
  it.each([
    ['client_secret_basic', (secret: string) => client.ClientSecretBasic(secret)],
    ['client_secret_post', (secret: string) => client.ClientSecretPost(secret)],
    ['client_secret_jwt', (secret: string) => client.ClientSecretJwt(secret)],
    ['private_key_jwt', () => client.PrivateKeyJwt({ key: key.privateKey, kid: 'one' })],
    ['none', () => client.None()],
  ])('logs users in, authenticated by %s', async (method, authentication) => {
    const metadata = {
      redirect_uris: [callback],
      token_endpoint_auth_method: method,
      grant_types: ['authorization_code', 'refresh_token'],
      ...(method === 'private_key_jwt' ? { jwks: { keys: [{ ...key.publicJwk }] } } : {}),
    };
    const registered = await client.dynamicClientRegistration(new URL(sandbox.issuer), metadata, undefined, {
      execute,
    });
    const { client_id, client_secret = '' } = registered.clientMetadata();
    expect(registered.serverMetadata().token_endpoint_auth_methods_supported).toContain(method);
    const config = new client.Configuration(
      registered.serverMetadata(),
      client_id,
      registered.clientMetadata(),
      authentication(String(client_secret)),
    );
    client.allowInsecureRequests(config);
    const tokens = await logIn(config);
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: client_id });
    const { email } = await client.fetchUserInfo(config, tokens.access_token, 'alice');
    expect(email).toBe('alice@example.com');
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()?.aud).toBe(client_id);
  });

  it('logs users in with what the registration answered, without naming a method', async () => {
    const config = await client.dynamicClientRegistration(
      new URL(sandbox.issuer),
      { redirect_uris: [callback] },
      undefined,
      { execute },
    );
    expect(config.clientMetadata().token_endpoint_auth_method).toBe('client_secret_basic');
    expect((await logIn(config)).claims()).toMatchObject({ sub: 'alice' });
  });

  it('has a subject of its own for each sector, the same at UserInfo', async () => {
    const register = (redirect_uris: string[]) =>
      client.dynamicClientRegistration(
        new URL(sandbox.issuer),
        { redirect_uris, subject_type: 'pairwise', token_endpoint_auth_method: 'none' },
        client.None(),
        { execute },
      );
    const config = await register([callback]);
    const tokens = await logIn(config);
    const sub = tokens.claims()?.sub ?? '';
    expect(sub).not.toBe('alice');
    await client.fetchUserInfo(config, tokens.access_token, sub);
    expect((await logIn(await register([callback]))).claims()?.sub).toBe(sub);
  });

  it('is in the sector its document makes, if the document knows all its redirect URIs', async () => {
    const redirect_uris = [callback, 'https://app.example/callback'];
    let listed = redirect_uris;
    const site = await openSite(() => ({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(listed),
    }));
    const sector_identifier_uri = `${site.elsewhere}/sector.json`;
    const register = () =>
      client.dynamicClientRegistration(
        new URL(sandbox.issuer),
        { redirect_uris, sector_identifier_uri, subject_type: 'pairwise' },
        undefined,
        { execute },
      );
    expect((await register()).clientMetadata()).toMatchObject({ sector_identifier_uri, subject_type: 'pairwise' });
    listed = [callback];
    await expect(register()).rejects.toMatchObject({ error: 'invalid_client_metadata', status: 400 });
    await site.close();
  });

  it('needs the initial access token where that is asked for', async () => {
    observes('setting registrationToken');
    await using child = await runningChild({ env: { REGISTRATION: 'token', REGISTRATION_TOKEN: 'let-me-in' } });
    const register = (initialAccessToken: string) =>
      client.dynamicClientRegistration(new URL(child.ready.issuer ?? ''), { redirect_uris: [callback] }, undefined, {
        execute,
        initialAccessToken,
      });
    expect((await register('let-me-in')).clientMetadata()).toMatchObject({ redirect_uris: [callback] });
    await expect(register('wrong')).rejects.toMatchObject({ status: 401 });
  });
});

describe('oauth4webapi', () => {
  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(sandbox.issuer);
    return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  }

  it('registers, and believes the answer', async () => {
    const as = await discover();
    const response = await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [callback] }, insecure);
    const registered = await oauth.processDynamicClientRegistrationResponse(response);
    expect(registered).toMatchObject({
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
      redirect_uris: [callback],
    });
  });

  it('is told what was wrong with a registration', async () => {
    const as = await discover();
    const metadata = { redirect_uris: ['https://app.example/callback#fragment'] };
    const response = await oauth.dynamicClientRegistrationRequest(as, metadata, insecure);
    await expect(oauth.processDynamicClientRegistrationResponse(response)).rejects.toMatchObject({
      error: 'invalid_redirect_uri',
    });
  });

  it.each(['', '/api', '/api/products', '/api/bikes', '/userinfo'])(
    'believes the metadata of the resource at %j',
    async path => {
      const resource = new URL(sandbox.issuer + path);
      const response = await oauth.resourceDiscoveryRequest(resource, insecure);
      const metadata = await oauth.processResourceDiscoveryResponse(resource, response);
      expect(metadata.authorization_servers).toEqual([sandbox.issuer]);
      const scopes = path === '/userinfo' ? 'openid' : expect.stringMatching(/:(read|write)$/);
      expect(metadata.scopes_supported).toEqual(expect.arrayContaining([scopes]));
      expect((await discover()).protected_resources).toContain(metadata.resource);
    },
  );

  it('finds the metadata of a resource in its challenge, 401 and 403 alike', async () => {
    const { access_token } = await (
      await fetch(`${sandbox.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('sensor:sensor-secret')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
    ).json();
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer nonsense' }, 401],
      [{ authorization: `Bearer ${access_token}` }, 403],
    ] as const) {
      const response = await fetch(`${sandbox.url}/api/bikes`, { headers });
      await response.arrayBuffer();
      expect(response.status).toBe(status);
      const challenge = response.headers.get('www-authenticate') ?? '';
      expect(challenge).toContain('scope="bikes:read"');
      const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      expect(await (await fetch(address)).json()).toMatchObject({ resource: `${sandbox.issuer}/api/bikes` });
    }
  });
});

describe('tokens for a resource', () => {
  async function call(resource: string | undefined, path = '/api/products', on = sandbox): Promise<number> {
    const registration = await fetch(`${on.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_types: ['client_credentials'], scope: 'products:read bikes:read' }),
    });
    const { client_id, client_secret } = await registration.json();
    const form = { grant_type: 'client_credentials', scope: 'products:read bikes:read' };
    const authorization = `Basic ${btoa(`${client_id}:${client_secret}`)}`;
    const answer = await fetch(`${on.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ ...form, ...(resource === undefined ? {} : { resource }) }),
    });
    const { access_token } = await answer.json();
    const response = await fetch(`${on.url}${path}`, { headers: { authorization: `Bearer ${access_token}` } });
    await response.arrayBuffer();
    return response.status;
  }

  it('are taken by that resource and by what is in it, and by no other', async () => {
    const { issuer } = sandbox;
    expect(await call(undefined)).toBe(200);
    expect(await call(issuer)).toBe(200);
    expect(await call(`${issuer}/api`)).toBe(200);
    expect(await call(`${issuer}/api/products`)).toBe(200);
    expect(await call(`${issuer}/api/bikes`)).toBe(401);
    expect(await call(`${issuer}/api/bikes`, '/api/bikes')).toBe(200);
    expect(await call('https://api.example')).toBe(401);
    expect(await call('http://localhost:1/mcp')).toBe(401);
  });

  it('are taken besides those for the configured audience', async () => {
    await using strict = await createSandbox({ apiAudience: 'https://api.example' });
    expect(await call('https://api.example', '/api/products', strict)).toBe(200);
    expect(await call(`${strict.issuer}/api/products`, '/api/products', strict)).toBe(200);
    expect(await call(undefined, '/api/products', strict)).toBe(401);
    expect(await call('https://other.example', '/api/products', strict)).toBe(401);
  });
});
