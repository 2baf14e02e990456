import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { authorizeQuery, callback, get, post, redeem, type Tokens } from '../support/wire.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

async function start(config: SandboxConfig = {}): Promise<void> {
  sandbox = await createSandbox(config);
}

const authorizeUrl = (parameters: Readonly<Record<string, string>> = {}) =>
  `${sandbox.url}/oauth2/authorize?${authorizeQuery(parameters)}`;
const lastLogin = () => sandbox.events.latest('login.succeeded', 1)[0];

async function tokensFor(url: URL): Promise<Tokens> {
  return (await (await redeem(sandbox.url, url.searchParams.get('code') ?? '')).json()) as Tokens;
}

async function userInfo({ access_token }: Tokens): Promise<Record<string, unknown>> {
  const response = await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${access_token}` });
  return (await response.json()) as Record<string, unknown>;
}

function say(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${sandbox.url}/_sandbox/next-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('a login without a click', () => {
  it('is one answer: the code and the cookies of the session', async () => {
    await start({ autoLogin: 'alice' });
    const response = await get(authorizeUrl());
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(callback);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      ...{ code: expect.any(String), state: 'a state', iss: sandbox.issuer, session_state: expect.any(String) },
    });
    const names = response.headers.getSetCookie().map(line => line.split('=', 1)[0]);
    expect(names).toEqual([
      expect.stringContaining('grantbox_session'),
      expect.stringContaining('grantbox_last_user'),
      expect.stringContaining('grantbox_state'),
    ]);
    expect(lastLogin()).toMatchObject({ sub: 'alice', by: 'environment', client_id: 'frontend' });
    expect((await userInfo(await tokensFor(location))).name).toBe('Alice Archer');
  });

  it('needs no cookie jar, and with one goes on with its session', async () => {
    await start({ autoLogin: 'alice' });
    for (let round = 0; round < 2; round++) expect((await get(authorizeUrl())).status).toBe(302);
    expect(sandbox.events.count('login.succeeded')).toBe(2);
    const agent = createAgent(sandbox.url);
    for (let round = 0; round < 3; round++) {
      expect((await agent.open(authorizeUrl())).url.searchParams.has('code')).toBe(true);
    }
    expect(sandbox.events.count('login.succeeded')).toBe(3);
    const silent = await agent.open(authorizeUrl({ prompt: 'none' }));
    expect(silent.url.searchParams.has('code')).toBe(true);
  });

  it('posts its answer where the request asks for that, with the cookies too', async () => {
    await start({ autoLogin: 'alice' });
    const response = await get(authorizeUrl({ response_mode: 'form_post' }));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('name="code"');
    expect(response.headers.getSetCookie()).toHaveLength(3);
  });

  it('answers login_required to prompt=none without a session, so that a silent renew can be tested', async () => {
    await start({ autoLogin: 'alice' });
    const { url } = await createAgent(sandbox.url).open(authorizeUrl({ prompt: 'none' }));
    expect(url.searchParams.get('error')).toBe('login_required');
  });

  it('tells the application of a user who is not there, with both values in the log', async () => {
    await start();
    const { url } = await createAgent(sandbox.url).open(authorizeUrl({ sandbox_login: 'alcie' }));
    expect(url.searchParams.get('error')).toBe('invalid_request');
    expect(url.searchParams.get('error_description')).toBe(
      'sandbox_login signs in without a click, but its user does not exist',
    );
    expect(sandbox.events.latest('error.returned', 1)[0]).toMatchObject({
      sent: 'alcie',
      expected: 'alice',
    });
  });

  it('is no parameter that is listed as ignored', async () => {
    await start();
    await createAgent(sandbox.url).open(authorizeUrl({ sandbox_login: 'alice', display: 'page' }));
    expect(sandbox.events.latest('authorization.requested', 1)[0]?.ignored).toEqual(['display']);
  });

  it.each([
    ['in the pushed request', { sandbox_login: 'bob' }, {}],
    ['beside it', {}, { sandbox_login: 'bob' }],
  ])('is asked for %s (RFC 9126)', async (_name, pushed, beside) => {
    await start();
    const response = await post(`${sandbox.url}/oauth2/par`, authorizeQuery(pushed).toString());
    const { request_uri } = (await response.json()) as { request_uri: string };
    const query = new URLSearchParams({ client_id: 'frontend', request_uri, ...beside });
    const agent = createAgent(sandbox.url);
    expect((await agent.open(`${sandbox.url}/oauth2/authorize?${query}`)).url.searchParams.has('code')).toBe(true);
    expect(lastLogin()).toMatchObject({ sub: 'bob', by: 'sandbox_login' });
    const again = await agent.open(`${sandbox.url}/oauth2/authorize?${query}`);
    expect(again.html).toContain('invalid_request_uri');
  });

  it('is not what somebody who registers a client can ask for', async () => {
    await start();
    const registered = await fetch(`${sandbox.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback], token_endpoint_auth_method: 'none', auto_login: 'alice' }),
    });
    const { client_id, ...told } = (await registered.json()) as { client_id: string };
    expect(told).not.toHaveProperty('auto_login');
    const page = await createAgent(sandbox.url).open(authorizeUrl({ client_id }));
    expect(page.html).toContain('login-user-alice');
  });

  it('shows who was not configured what it wants, before it gets anything', async () => {
    await start({ autoLogin: 'alice' });
    const registered = await fetch(`${sandbox.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback], token_endpoint_auth_method: 'none', scope: 'openid email' }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const agent = createAgent(sandbox.url);
    const url = authorizeUrl({ client_id, scope: 'openid email' });
    for (let round = 0; round < 2; round++) expect((await agent.open(url)).html).toContain('consent-allow');
    const allowed = await agent.submit(await agent.open(url), 'consent-allow');
    expect(allowed.url.searchParams.has('code')).toBe(true);
  });

  it('opens the pages for devices and approvals, and lets somebody else sign in', async () => {
    await start({ autoLogin: 'alice' });
    const agent = createAgent(sandbox.url);
    const page = await agent.open(`${sandbox.url}/oauth2/device_verification`);
    expect(page.html).toContain('device-code');
    expect(page.html).toContain('Alice Archer');
    expect(lastLogin()).toMatchObject({ sub: 'alice', by: 'environment' });
    const other = await agent.open(`${sandbox.url}/oauth2/device_verification?prompt=select_account`);
    expect(other.html).toContain('login-user-bob');
    expect((await createAgent(sandbox.url).open(`${sandbox.url}/approvals`)).html).toContain(
      'Pending approvals for Alice Archer',
    );
  });

  it('is of each issuer by itself', async () => {
    await start({ issuers: { tenant: { users: [{ sub: 'tess' }], autoLogin: 'tess' } } });
    const tenant = await createAgent(sandbox.url).open(`${sandbox.url}/tenant/oauth2/authorize?${authorizeQuery()}`);
    expect(tenant.url.searchParams.get('iss')).toBe(`${sandbox.issuer}/tenant`);
    expect((await createAgent(sandbox.url).open(authorizeUrl())).html).toContain('login-user-alice');
  });
});

describe('POST /_sandbox/next-login', () => {
  it('signs in once who it names, with claims for that login', async () => {
    await start();
    const response = await say({ client: 'frontend', sub: 'bob', claims: { tenant: 'acme', email: null } });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      ...{ client: 'frontend', sub: 'bob', claims: { tenant: 'acme', email: null }, expires_in: 600 },
    });
    const { url } = await createAgent(sandbox.url).open(authorizeUrl());
    const tokens = await tokensFor(url);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'bob', tenant: 'acme' });
    expect(await userInfo(tokens)).toMatchObject({ name: 'Bob Brewer', tenant: 'acme' });
    expect(await userInfo(tokens)).not.toHaveProperty('email');
    expect((await createAgent(sandbox.url).open(authorizeUrl())).html).toContain('login-user-bob');
  });

  it.each([
    [{ sub: 'alicia' }, { sent: 'alicia', expected: 'alice' }],
    [
      { sub: 'alice', action: 'login_requierd' },
      { sent: 'login_requierd', expected: 'login_required' },
    ],
    [['alice'], { sent: 'a list' }],
  ])('refuses %j with problem details that quote it (RFC 9457)', async (body, values) => {
    await start();
    const response = await say(body);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      ...{ type: 'about:blank', title: 'invalid_request', status: 400, reason: 'next_login_invalid', ...values },
    });
  });

  it('is refused to a page of another site, and shares nothing with it', async () => {
    await start();
    const headers: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const each of headers) {
      const response = await say({ sub: 'bob' }, each);
      expect(response.status).toBe(403);
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
    }
    expect((await say({ sub: 'bob' }, { origin: sandbox.url })).status).toBe(201);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'sub=bob', 415],
    ['broken JSON', 'application/json', '{"sub":', 400],
    ['too much', 'application/json', `{"sub":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('refuses %s', async (_name, type, body, status) => {
    await start();
    const response = await fetch(`${sandbox.url}/_sandbox/next-login`, {
      ...{ method: 'POST', headers: { 'content-type': type }, body },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is for POST alone', async () => {
    await start();
    const response = await get(`${sandbox.url}/_sandbox/next-login`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is at the path of each issuer', async () => {
    await start({ issuers: { tenant: { users: [{ sub: 'tess' }] } } });
    const url = `${sandbox.url}/tenant/_sandbox/next-login`;
    const body = JSON.stringify({ sub: 'tess' });
    expect((await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status).toBe(
      201,
    );
    await createAgent(sandbox.url).open(`${sandbox.url}/tenant/oauth2/authorize?${authorizeQuery()}`);
    expect(sandbox.issuers.get('tenant')?.events.count('login.succeeded')).toBe(1);
  });
});

describe('sandbox.nextLogin', () => {
  it('does the same in this process', async () => {
    await start();
    await sandbox.nextLogin({ action: 'temporarily_unavailable' });
    await sandbox.nextLogin({ sub: 'carol@example.com' });
    const agent = createAgent(sandbox.url);
    expect((await agent.open(authorizeUrl())).url.searchParams.get('error')).toBe('temporarily_unavailable');
    expect((await agent.open(authorizeUrl())).url.searchParams.has('code')).toBe(true);
    expect(lastLogin()).toMatchObject({ sub: 'carol', by: 'next_login' });
    await expect(sandbox.nextLogin({ sub: 'nobody' })).rejects.toThrow(/^nextLogin: sub names no user .* found nobody/);
  });

  it('is forgotten with a reset', async () => {
    await start();
    await sandbox.nextLogin({ sub: 'bob' });
    await sandbox.reset();
    expect((await createAgent(sandbox.url).open(authorizeUrl())).html).toContain('login-user-alice');
  });

  it('is there for the other issuers', async () => {
    await start({ issuers: { tenant: { users: [{ sub: 'tess' }] } } });
    await sandbox.issuers.get('tenant')?.nextLogin({ sub: 'tess' });
    const { url } = await createAgent(sandbox.url).open(`${sandbox.url}/tenant/oauth2/authorize?${authorizeQuery()}`);
    expect(url.searchParams.has('code')).toBe(true);
  });
});
