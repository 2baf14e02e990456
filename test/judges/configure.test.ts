import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox, SandboxConfig } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { openRelyingParty } from '../support/relying-party.ts';

// What is changed in the dashboard, seen by client libraries that know nothing of it.

const callback = 'https://app.example/callback';
const spa: ClientEntry = {
  client_id: 'spa',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile email products:read',
};

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ clients: [spa] });
});
afterEach(() => sandbox.stop());

async function restart(config: SandboxConfig): Promise<void> {
  await sandbox.stop();
  sandbox = await createSandbox(config);
}

/** As a form of the dashboard does. */
async function post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const init = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' } as const;
  return fetch(`${sandbox.url}/dashboard${path}`, init);
}

function discover(): Promise<client.Configuration> {
  const execute = [client.allowInsecureRequests];
  return client.discovery(new URL(sandbox.issuer), 'spa', undefined, client.None(), { execute });
}

async function startLogin(config: client.Configuration, redirect_uri = callback) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid profile email products:read',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const agent = createAgent(new URL(sandbox.url).origin);
  return { page: await agent.open(url), pkceCodeVerifier, agent };
}

async function logIn(config: client.Configuration, redirect_uri = callback) {
  const { page, pkceCodeVerifier, agent } = await startLogin(config, redirect_uri);
  const back = await agent.submit(page, 'login-user-alice');
  return client.authorizationCodeGrant(config, back.url, { pkceCodeVerifier });
}

describe('a redirect URI', () => {
  it('that was refused is answered as soon as it is added', async () => {
    const uri = 'https://app.example/other';
    const config = await discover();
    expect((await startLogin(config, uri)).page.status).toBe(400);
    const suggested = await (await fetch(`${sandbox.url}/dashboard/clients/spa`)).text();
    expect(suggested).toContain(`name="uri" value="${uri}"`);
    expect((await post('/clients/spa', { action: 'add-redirect', uri })).status).toBe(303);
    expect((await logIn(config, uri)).claims()?.sub).toBe('alice');
    const after = await (await fetch(`${sandbox.url}/dashboard/clients/spa`)).text();
    expect(after).not.toContain('clients-add-redirect');
  });

  it('that cannot be one is refused by the rules of the configuration', async () => {
    const answer = await post('/clients/spa', { action: 'add-redirect', uri: 'nowhere' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(/data-testid="clients-problem">&#34;nowhere&#34; was sent, expected/);
    expect((await startLogin(await discover(), 'nowhere')).page.status).toBe(400);
  });
});

describe('claims of a user', () => {
  it('that were edited are in the next token and in UserInfo', async () => {
    const config = await discover();
    const before = await logIn(config);
    const claims = JSON.stringify({ name: 'Alice B.', email: 'b@example.com', email_verified: false });
    const answer = await post('/users/alice', { username: 'alice', claims, access_token_claims: '{"level": 3}' });
    expect(answer.status).toBe(303);
    const after = await logIn(config);
    expect(decodeJwt(before.access_token)).not.toHaveProperty('level');
    expect(decodeJwt(after.access_token)).toMatchObject({ level: 3 });
    expect(await client.fetchUserInfo(config, after.access_token, 'alice')).toEqual({
      sub: 'alice',
      name: 'Alice B.',
      email: 'b@example.com',
      email_verified: false,
    });
  });

  it('that are no JSON, or belong to the protocol, are not saved, and the line is named', async () => {
    const broken = await post('/users/alice', { username: 'alice', claims: '{\n  "name": 1,\n}' });
    expect(await broken.text()).toContain('Line 3:');
    const reserved = await post('/users/alice', { username: 'alice', claims: '{\n  "name": "A",\n  "iss": "me"\n}' });
    expect(reserved.status).toBe(400);
    expect(await reserved.text()).toContain('Line 3: expected a different name: the server sets iss itself.');
  });
});

describe('a rotation of keys', () => {
  it('that unpublishes the old one breaks caches: jose reads the keys again, and believes no token from before', async () => {
    const config = await discover();
    const old = await logIn(config);
    const keys = createRemoteJWKSet(new URL(`${sandbox.url}/oauth2/jwks`), { cooldownDuration: 0 });
    const verify = (token: string) => jwtVerify(token, keys, { issuer: sandbox.issuer });
    const api = async (token: string) =>
      (await fetch(`${sandbox.url}/api/products`, { headers: { Authorization: `Bearer ${token}` } })).status;
    await verify(old.access_token);
    expect(await api(old.access_token)).toBe(200);
    const reads = () => sandbox.events.latest('request.completed', 100).filter(({ endpoint }) => endpoint === 'jwks');
    expect(reads()).toHaveLength(1);

    await post('/keys', { action: 'unpublish' });
    const fresh = await logIn(config);
    expect((await verify(fresh.access_token)).payload.sub).toBe('alice');
    expect(reads()).toHaveLength(2);
    await expect(verify(old.access_token)).rejects.toThrow('no applicable key found');
    expect(await api(old.access_token)).toBe(401);
    expect(await api(fresh.access_token)).toBe(200);
  });

  it('without that keeps tokens from before good', async () => {
    const config = await discover();
    const old = await logIn(config);
    await post('/keys', { action: 'rotate' });
    const keys = createRemoteJWKSet(new URL(`${sandbox.url}/oauth2/jwks`));
    expect((await jwtVerify(old.access_token, keys)).payload.sub).toBe('alice');
    expect((await jwtVerify((await logIn(config)).access_token, keys)).payload.sub).toBe('alice');
  });

  it('shows who has read the keys since, and nothing private', async () => {
    const read = (agent: string) => fetch(`${sandbox.url}/oauth2/jwks`, { headers: { 'User-Agent': agent } });
    await read('early-reader');
    await post('/keys', { action: 'rotate' });
    await read('late-reader');
    const page = await (await fetch(`${sandbox.url}/dashboard/keys`)).text();
    expect(page).toMatch(/early-reader[\s\S]*?not since the rotation/);
    expect(page).toMatch(/late-reader[\s\S]*?has the new key/);
    expect(page).not.toMatch(/&#34;(d|p|q|dp|dq|qi|k)&#34;:|PRIVATE KEY/);
    expect(page.match(/-----BEGIN PUBLIC KEY-----/g)).toHaveLength(2);
  });
});

describe('a client', () => {
  it('that was deleted gets nothing, and after it was brought back everything but what it had', async () => {
    const config = await discover();
    const old = await logIn(config);
    expect((await post('/clients/spa', { action: 'delete' })).status).toBe(303);
    await expect(client.refreshTokenGrant(config, old.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_client',
    });
    const list = await (await fetch(`${sandbox.url}/dashboard/clients`)).text();
    expect(list).toContain('name="restore" value="spa"');
    await post('/clients', { restore: 'spa' });
    await expect(client.refreshTokenGrant(config, old.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const fresh = await logIn(config);
    expect(await client.fetchUserInfo(config, fresh.access_token, 'alice')).toMatchObject({ sub: 'alice' });
  });

  it('that is created can log in, with a scope that was unknown before', async () => {
    const id = 'https://shop.example/an?app#1';
    await post('/clients', { client_id: id, kind: 'public', redirect_uris: callback, scope: 'openid orders:read' });
    const metadata = await (await fetch(`${sandbox.url}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ scopes_supported: expect.arrayContaining(['orders:read']) });
    const page = await fetch(`${sandbox.url}/dashboard/clients/${encodeURIComponent(id)}`);
    expect(page.status).toBe(200);
    const config = new client.Configuration((await discover()).serverMetadata(), id, undefined, client.None());
    client.allowInsecureRequests(config);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid orders:read',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const agent = createAgent(new URL(sandbox.url).origin);
    const back = await agent.submit(await agent.open(url), 'login-user-bob');
    const tokens = await client.authorizationCodeGrant(config, back.url, { pkceCodeVerifier });
    expect(tokens.scope).toBe('openid orders:read');
  });
});

describe('a session', () => {
  it('that is ended in the dashboard ends as by a logout: refresh tokens go, and clients are told', async () => {
    const party = await openRelyingParty();
    await restart({ clients: [{ ...spa, backchannel_logout_uri: party.backchannel }] });
    const config = await discover();
    const tokens = await logIn(config);
    const sid = String(tokens.claims()?.sid);
    const page = await (await fetch(`${sandbox.url}/dashboard/users/alice`)).text();
    expect(page).toContain(`name="sid" value="${sid}"`);
    await post('/users/alice', { action: 'end-session', sid });
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(party.received).toHaveLength(1);
    expect(decodeJwt(party.received[0]?.parameters.get('logout_token') ?? '')).toMatchObject({ sid, sub: 'alice' });
    expect(sandbox.events.latest('session.ended', 1)[0]).toMatchObject({ endedBy: 'owner' });
    await party.close();
  });
});
