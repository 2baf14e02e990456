import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { authorizeQuery, get, post, redeem, type Tokens } from '../support/wire.ts';

let sandbox: Sandbox;
let agent: Agent;
beforeAll(async () => {
  sandbox = await createSandbox();
});
beforeEach(async () => {
  await sandbox.reset();
  agent = createAgent(sandbox.url);
});
afterAll(() => sandbox.stop());

const authorizeUrl = (parameters: Readonly<Record<string, string>> = {}) =>
  `${sandbox.url}/oauth2/authorize?${authorizeQuery(parameters)}`;
const open = () => agent.open(authorizeUrl());
const typed = (html: string) =>
  /data-testid="login-claims"[^>]*>\n?([^<]*)<\/textarea>/.exec(html)?.[1]?.replaceAll('&#34;', '"') ?? '';

async function tokensFor({ url }: Visit): Promise<Tokens> {
  return (await (await redeem(sandbox.url, url.searchParams.get('code') ?? '')).json()) as Tokens;
}

async function userInfo({ access_token }: Tokens): Promise<Record<string, unknown>> {
  const response = await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${access_token}` });
  return (await response.json()) as Record<string, unknown>;
}

describe('the claims editor, without scripts', () => {
  it('is filled in with the claims of a user, and a login with nothing changed is as by a click', async () => {
    const page = await agent.submit(await open(), 'login-fill-in', { sub: 'bob' });
    expect(page.status).toBe(200);
    expect(JSON.parse(typed(page.html))).toMatchObject({ name: 'Bob Brewer', roles: ['buyer'] });
    expect(page.html).toContain('data-testid="login-sub" value="bob"');
    await agent.submit(page, 'login-submit', { sub: 'bob', claims: typed(page.html) });
    const [login] = sandbox.events.latest('login.succeeded', 1);
    expect(login).toMatchObject({ sub: 'bob', by: 'click' });
    expect(login).not.toHaveProperty('edited');
  });

  it('sets claims for this login: in ID token, UserInfo and access token, and after a refresh', async () => {
    const page = await agent.submit(await open(), 'login-fill-in', { sub: 'bob' });
    const { email: _, ...claims } = JSON.parse(typed(page.html)) as Record<string, unknown>;
    const edited = JSON.stringify({ ...claims, name: 'Bobby', roles: ['admin'], tenant: 'acme' }, null, 2);
    const visit = await agent.submit(page, 'login-submit', { sub: 'bob', claims: edited });
    const first = await tokensFor(visit);
    const refreshed = await post(`${sandbox.url}/oauth2/token`, {
      ...{ grant_type: 'refresh_token', client_id: 'frontend', refresh_token: first.refresh_token },
    });
    for (const tokens of [first, (await refreshed.json()) as Tokens]) {
      expect(decodeJwt(tokens.id_token)).toMatchObject({ tenant: 'acme' });
      expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'bob', roles: ['admin'], tenant: 'acme' });
      const info = await userInfo(tokens);
      expect(info).toMatchObject({ name: 'Bobby', tenant: 'acme' });
      expect(info).not.toHaveProperty('email');
    }
    expect(sandbox.events.latest('login.succeeded', 1)[0]?.edited).toEqual(['name', 'roles', 'tenant', 'email']);
    expect(sandbox.events.latest('token.issued', 6).map(({ tokenType, edited }) => [tokenType, edited])).toEqual(
      expect.arrayContaining([
        ['access', ['roles', 'tenant']],
        ['id', ['roles', 'tenant']],
        ['refresh', undefined],
      ]),
    );
  });

  it('leaves the user as they were for the next login', async () => {
    await agent.submit(await open(), 'login-submit', { sub: 'bob', claims: '{"name": "Bobby"}' });
    const other = createAgent(sandbox.url);
    const visit = await other.submit(await other.open(authorizeUrl()), 'login-user-bob');
    expect((await userInfo(await tokensFor(visit))).name).toBe('Bob Brewer');
  });

  it('saves them to the user where that is wanted, and says so', async () => {
    const claims = '{"name": "Bobby", "tenant": "acme", "acr": "2"}';
    const visit = await agent.submit(await open(), 'login-submit', { sub: 'bob', claims, keep: 'user' });
    expect(decodeJwt((await tokensFor(visit)).id_token)).toMatchObject({ acr: '2', tenant: 'acme' });
    expect(sandbox.events.latest('login.succeeded', 1)[0]?.edited).toEqual(['acr']);
    expect(sandbox.events.latest('configuration.changed', 1)).toMatchObject([
      { what: 'user', subject: 'bob', change: 'changed', by: 'login_screen' },
    ]);
    const other = createAgent(sandbox.url);
    const page = await other.open(authorizeUrl());
    expect(page.html).toContain('Bobby');
    const tokens = await tokensFor(await other.submit(page, 'login-user-bob'));
    expect(await userInfo(tokens)).toMatchObject({ name: 'Bobby', tenant: 'acme', email: 'bob@example.com' });
    expect(decodeJwt(tokens.id_token)).toMatchObject({ acr: '0', tenant: 'acme' });
    await sandbox.reset();
    expect((await createAgent(sandbox.url).open(authorizeUrl())).html).toContain('Bob Brewer');
  });

  it.each([
    ['{\n  "roles": ["admin",]\n}', 'Line 2: ] is not expected here; expected: a value.'],
    [
      '{\n  "roles": [],\n  "iss": "https://evil.example"\n}',
      'Line 3: iss cannot be set here: the server sets this claim itself',
    ],
    ["{'roles': []}", 'Line 1: text must be in double quotes.'],
    ['roles', 'Line 1: roles is not a JSON value'],
  ])('says line and reason, and loses nothing that was typed: %j', async (claims, words) => {
    for (const button of ['login-submit', 'login-preview']) {
      const page = await agent.submit(await open(), button, { sub: 'zoe.new', claims, keep: 'user' });
      expect(page.status).toBe(400);
      const text = page.html
        .replace(/<[^>]+>/g, '')
        .replaceAll('&#39;', "'")
        .replaceAll('&#34;', '"');
      expect(text).toContain(words);
      expect(typed(page.html).replaceAll('&#39;', "'")).toBe(claims);
      expect(page.html).toContain('value="zoe.new"');
      expect(page.html).toMatch(/data-testid="login-keep-user" checked/);
    }
    expect(sandbox.events.count('login.succeeded')).toBe(0);
  });

  it('shows the tokens before anybody signs in', async () => {
    const page = await agent.submit(await open(), 'login-preview', { sub: 'bob', claims: '{"tenant": "acme"}' });
    expect(page.status).toBe(200);
    for (const name of ['id', 'access', 'userinfo']) {
      const shown = new RegExp(`data-testid="login-preview-${name}">([\\s\\S]*?)</ul>`).exec(page.html)?.[1] ?? '';
      expect(shown, name).toContain('<mark>tenant</mark>: &#34;acme&#34;');
    }
    expect(sandbox.events.count('login.succeeded')).toBe(0);
    expect(agent.cookies.size).toBe(0);
  });

  it('is not a new request in the log, however often it is used', async () => {
    const page = await open();
    await agent.submit(page, 'login-preview', { sub: 'bob', claims: '{' });
    await agent.submit(page, 'login-fill-in', { sub: 'bob' });
    expect(sandbox.events.count('authorization.requested')).toBe(1);
  });

  it('says so where there is no such user to start from', async () => {
    const page = await agent.submit(await open(), 'login-fill-in', { sub: '<b>nobody</b>' });
    expect(page.status).toBe(400);
    expect(page.html).toContain('There is no user &lt;b&gt;nobody&lt;/b&gt; here.');
  });

  it('goes back to the login page of a pushed request, which stays good', async () => {
    const response = await post(`${sandbox.url}/oauth2/par`, authorizeQuery().toString());
    const { request_uri } = (await response.json()) as { request_uri: string };
    const query = new URLSearchParams({ client_id: 'frontend', request_uri });
    const page = await agent.open(`${sandbox.url}/oauth2/authorize?${query}`);
    const again = await agent.submit(page, 'login-preview', { sub: 'bob', claims: '{"roles": 1}' });
    const visit = await agent.submit(again, 'login-submit', { sub: 'bob', claims: '{"roles": 1}' });
    expect(decodeJwt((await tokensFor(visit)).access_token)).toMatchObject({ roles: 1 });
  });
});

describe('somebody nobody knows', () => {
  it('is made up by a button, and signs in with those claims', async () => {
    const page = await agent.submit(await open(), 'login-make-up');
    const claims = typed(page.html);
    const sub = /data-testid="login-sub" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const tokens = await tokensFor(await agent.submit(page, 'login-submit', { sub, claims }));
    expect(decodeJwt(tokens.id_token).sub).toBe(sub);
    expect(await userInfo(tokens)).toMatchObject({ email: `${sub}@example.com`, name: JSON.parse(claims).name });
  });

  it('is not offered to others unless they are kept', async () => {
    await agent.submit(await open(), 'login-submit', { sub: 'dora' });
    const other = createAgent(sandbox.url);
    expect((await other.open(authorizeUrl())).html).not.toContain('login-user-dora');
    expect((await agent.open(authorizeUrl({ prompt: 'login' }))).html).toContain('login-user-dora');
    await other.submit(await other.open(authorizeUrl()), 'login-submit', { sub: 'dora', keep: 'user' });
    expect((await createAgent(sandbox.url).open(authorizeUrl())).html).toContain('login-user-dora');
    expect(sandbox.events.latest('configuration.changed', 1)).toMatchObject([{ subject: 'dora', change: 'created' }]);
  });
});

describe('password mode', () => {
  it('gives nobody the claims of a user without the password', async () => {
    await using locked = await createSandbox({
      loginMode: 'password',
      users: [{ sub: 'bob', password: 'right', claims: { email: 'secret@example.com' } }],
    });
    for (const action of ['edit', 'make-up', 'preview', 'login']) {
      const form = { action, sub: 'bob', claims: '{"a": 1}' };
      const response = await post(`${locked.url}/login?${authorizeQuery()}`, form, { origin: locked.url });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('secret@example.com');
    }
  });
});

describe('an answer that was chosen', () => {
  it.each(['login_required', 'server_error', 'account_selection_required'])('is %s at the application', async code => {
    const { url } = await agent.submit(await open(), `login-error-${code}`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: code, state: 'a state', iss: sandbox.issuer });
    expect(sandbox.events.latest('error.returned', 1)[0]?.reason).toBe('chosen_on_login_screen');
  });

  it('is a code that tells on an application which does not look at state', async () => {
    const { url } = await agent.submit(await open(), 'login-error-wrong_state');
    expect(url.searchParams.get('state')).not.toBe('a state');
    const response = await redeem(sandbox.url, url.searchParams.get('code') ?? '');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
    expect(sandbox.events.latest('error.returned', 1)[0]?.reason).toBe('state_not_checked');
  });

  it('is no answer, and a way back to the request', async () => {
    const page = await agent.submit(await open(), 'login-error-no_answer');
    expect(page.url.origin).toBe(sandbox.url);
    expect(page.html).toContain('No response was sent');
    const again = /href="([^"]+)" data-testid="no-answer-again"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await agent.open(new URL(again, sandbox.url))).html).toContain('login-user-alice');
  });

  it('is none that is not offered', async () => {
    const response = await post(
      `${sandbox.url}/login?${authorizeQuery()}`,
      { action: 'error', error: 'invalid_grant' },
      { origin: sandbox.url },
    );
    expect(response.status).toBe(400);
  });
});
