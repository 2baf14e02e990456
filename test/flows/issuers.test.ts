import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { send } from '../../src/server/wire/send.ts';
import { observes } from '../observed.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { authorizeQuery, get, post, redeem, type Tokens } from '../support/wire.ts';

const callback = 'http://localhost:3000/callback';
const spa = (client_id: string) => ({
  client_id,
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'] as const,
  scope: 'openid email products:read',
});

const config: SandboxConfig = {
  issuers: {
    'tenants/blue': {
      label: 'blue',
      clients: [spa('blue-app')],
      users: [{ sub: 'bea', claims: { name: 'Bea Blue', email: 'bea@blue.example' } }],
      signingAlg: 'ES256',
      features: { device: false },
    },
    green: { clients: [spa('green-app')] },
  },
};

let sandbox: Sandbox;
let blue: string;
let green: string;
beforeAll(async () => {
  sandbox = await createSandbox(config);
  blue = sandbox.issuers.get('tenants/blue')?.issuer ?? '';
  green = sandbox.issuers.get('green')?.issuer ?? '';
});
afterAll(() => sandbox.stop());

const json = async (url: string) => (await get(url)).json() as Promise<Record<string, unknown>>;

async function logIn(issuer: string, client_id: string, sub: string) {
  const asked = { client_id, redirect_uri: callback, scope: 'openid email products:read' };
  const agent = createAgent(sandbox.url);
  const page = await agent.open(`${issuer}/oauth2/authorize?${authorizeQuery(asked)}`);
  const { url } = await agent.submit(page, `login-user-${sub}`);
  const code = url.searchParams.get('code') ?? '';
  const answer = await redeem(issuer, code, { client_id, redirect_uri: callback });
  return { agent, tokens: (await answer.json()) as Tokens };
}

describe('an issuer with a path of its own', () => {
  it('is the path below the sandbox', () => {
    expect(blue).toBe(`${sandbox.url}/tenants/blue`);
    expect(green).toBe(`${sandbox.url}/green`);
  });

  it.each([
    ['inserted', '/.well-known/oauth-authorization-server/tenants/blue'],
    ['appended', '/tenants/blue/.well-known/oauth-authorization-server'],
    ['inserted', '/.well-known/openid-configuration/tenants/blue'],
    ['appended', '/tenants/blue/.well-known/openid-configuration'],
  ])('has its metadata where the specifications look, %s: %s', async (_form, path) => {
    expect(await json(sandbox.url + path)).toMatchObject({ issuer: blue, token_endpoint: `${blue}/oauth2/token` });
  });

  it('logs its users in for its clients, through pages of its own', async () => {
    const { tokens } = await logIn(blue, 'blue-app', 'bea');
    expect(decodeJwt(tokens.id_token)).toMatchObject({ iss: blue, sub: 'bea', aud: 'blue-app' });
    const info = await get(`${blue}/userinfo`, { authorization: `Bearer ${tokens.access_token}` });
    expect(await info.json()).toMatchObject({ sub: 'bea', email: 'bea@blue.example' });
  });

  it('has a sample backend of its own, which takes its tokens and no others', async () => {
    const { tokens } = await logIn(blue, 'blue-app', 'bea');
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await get(`${blue}/api/products`, headers)).status).toBe(200);
    expect((await get(`${green}/api/products`, headers)).status).toBe(401);
    expect((await get(`${sandbox.url}/api/products`, headers)).status).toBe(401);
  });

  it('has keys of its own', async () => {
    const { tokens } = await logIn(blue, 'blue-app', 'bea');
    const keys = async (issuer: string) =>
      createLocalJWKSet((await json(`${issuer}/oauth2/jwks`)) as unknown as JSONWebKeySet);
    const { protectedHeader } = await jwtVerify(tokens.access_token, await keys(blue));
    expect(protectedHeader.alg).toBe('ES256');
    await expect(jwtVerify(tokens.access_token, await keys(green))).rejects.toThrow();
  });

  it('does not know the clients and users of another', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', client_id: 'blue-app' };
    expect(await (await post(`${green}/oauth2/token`, form)).json()).toMatchObject({ error: 'invalid_client' });
    const page = await (
      await get(
        `${green}/oauth2/authorize?client_id=green-app&response_type=code&redirect_uri=${callback}&scope=openid&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`,
        { accept: 'text/html' },
      )
    ).text();
    expect(page).toContain('login-user-alice');
    expect(page).not.toContain('login-user-bea');
  });

  it('keeps its sessions apart', async () => {
    const { agent } = await logIn(blue, 'blue-app', 'bea');
    const query = new URLSearchParams({
      client_id: 'green-app',
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid',
      prompt: 'none',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const visit = await agent.open(`${green}/oauth2/authorize?${query}`);
    expect(visit.url.searchParams.get('error')).toBe('login_required');
  });

  it('has features of its own: what is off is neither advertised nor answered', async () => {
    observes('setting features');
    expect(await json(`${blue}/.well-known/openid-configuration`)).not.toHaveProperty('device_authorization_endpoint');
    expect((await post(`${blue}/oauth2/device_authorization`, { client_id: 'blue-app' })).status).toBe(501);
    expect(await json(`${green}/.well-known/openid-configuration`)).toHaveProperty('device_authorization_endpoint');
  });

  it('has a history and a dashboard of its own', async () => {
    await logIn(blue, 'blue-app', 'bea');
    const clients = (events: Sandbox['events']) =>
      new Set(events.latest('token.issued', 100).map(each => each.client_id));
    expect(clients(sandbox.issuers.get('tenants/blue')?.events ?? sandbox.events)).toEqual(new Set(['blue-app']));
    expect(clients(sandbox.events)).toEqual(new Set());
    const page = await (await get(`${blue}/dashboard`, { accept: 'text/html' })).text();
    expect(page).toContain('href="/tenants/blue/dashboard/tokens"');
    expect((await get(`${sandbox.url}${/href="([^"]+grantbox\.css)"/.exec(page)?.[1]}`)).status).toBe(200);
  });

  it('takes what it does not say from the first', async () => {
    const { scopes_supported } = await json(`${green}/.well-known/openid-configuration`);
    expect(scopes_supported).toContain('products:read');
  });
});

describe('the first issuer', () => {
  it('is as it was', async () => {
    expect(await json(`${sandbox.url}/.well-known/openid-configuration`)).toMatchObject({ issuer: sandbox.url });
    expect((await get(`${sandbox.url}/dashboard`, { accept: 'text/html' })).status).toBe(200);
  });

  it('answers for a path that only begins like the path of another', async () => {
    expect((await get(`${sandbox.url}/greenhouse`)).status).toBe(404);
  });
});

describe('an ISSUER that ends in a slash, as those of Authentik do', () => {
  const issuer = 'http://localhost:9000/application/o/shop/';

  it('keeps it in both documents and in tokens, and serves below the path without it', async () => {
    await using sandbox = await createSandbox({ issuer, autoLogin: 'alice' });
    const at = `${sandbox.url}/application/o/shop`;
    for (const place of [
      `${at}/.well-known/openid-configuration`,
      `${sandbox.url}/.well-known/oauth-authorization-server/application/o/shop`,
    ]) {
      const metadata = (await (await get(place)).json()) as Readonly<Record<string, unknown>>;
      expect(metadata).toMatchObject({ issuer, token_endpoint: `${issuer}oauth2/token` });
    }
    const login = await get(
      `${at}/oauth2/authorize?${authorizeQuery({ scope: 'openid offline_access products:read' })}`,
    );
    const sent = new URL(login.headers.get('location') ?? '').searchParams;
    expect(sent.get('iss')).toBe(issuer);
    const tokens = (await (await redeem(at, sent.get('code') ?? '')).json()) as Readonly<Record<string, string>>;
    for (const name of ['access_token', 'id_token']) expect(decodeJwt(tokens[name] ?? '').iss).toBe(issuer);
    const authorization = `Bearer ${tokens.access_token}`;
    for (const path of ['/userinfo', '/api/products'])
      expect((await get(at + path, { authorization })).status).toBe(200);
    expect(notKept(await metadataPromises({ issuer }, { identifier: address => `${address}/` }))).toEqual([]);
  });

  it('has it at another host, too, and leaves the identifier of a provider alone', async () => {
    await using named = await createSandbox({
      issuer: 'http://localhost:9000/',
      issuerFromHost: 'host',
      allowedHosts: ['idp'],
    });
    const document = '/.well-known/openid-configuration';
    const answer = await send(named.url, {
      method: 'GET',
      path: document,
      headers: { Host: 'idp:9000' },
      body: undefined,
      agent: undefined,
    });
    expect(JSON.parse(answer.text).issuer).toBe('http://idp:9000/');
    await using auth0 = await createSandbox({ issuer: 'http://localhost:9000/', preset: 'auth0' });
    expect(await (await get(auth0.url + document)).json()).toMatchObject({ issuer: 'http://localhost:9000/' });
    await using keycloak = await createSandbox({ issuer: 'http://localhost:9000/', preset: 'keycloak' });
    const realm = new URL(keycloak.issuer).pathname;
    const answered = await get(keycloak.url + realm + document);
    expect(await answered.json()).toMatchObject({ issuer: `http://localhost:9000${realm}` });
  });
});
