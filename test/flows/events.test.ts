import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { answer, asSensor, authorizeQuery, get, login, post, redeem, signIn } from '../support/wire.ts';

const machine = (url: string) =>
  post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });

describe('the library face', () => {
  it('starts on a free port and ends with its scope', async () => {
    let url: string;
    {
      await using sandbox = await createSandbox();
      url = sandbox.url;
      expect(url).toMatch(/^http:\/\/localhost:\d{4,5}$/);
      expect((await get(`${url}/health`)).status).toBe(200);
    }
    await expect(get(`${url}/health`)).rejects.toThrow();
  });

  it('listens on both loopback addresses', async () => {
    await using sandbox = await createSandbox();
    const { port } = new URL(sandbox.url);
    for (const host of ['127.0.0.1', '[::1]']) expect((await get(`http://${host}:${port}/health`)).status).toBe(200);
  });

  it('rejects a bad configuration with every problem in it', async () => {
    const broken = createSandbox({ port: 70_000, issuer: 'nonsense', clients: [{ client_id: '' }] });
    await expect(broken).rejects.toMatchObject({ name: 'ConfigError' });
    await expect(broken).rejects.toThrow(/port[\s\S]*issuer|issuer[\s\S]*port/);
  });

  it('rejects when the port is taken', async () => {
    await using sandbox = await createSandbox();
    const port = Number(new URL(sandbox.url).port);
    await expect(createSandbox({ port })).rejects.toMatchObject({ name: 'ListenError' });
  });

  it('takes its own clients and users', async () => {
    const clients = [{ client_id: 'spa', redirect_uris: ['http://localhost:5173/callback'], scope: 'openid' }];
    await using sandbox = await createSandbox({ clients, users: [{ sub: 'dora' }] });
    const cookie = await login(sandbox.url, 'dora');
    const code = (await answer(sandbox.url, cookie, { client_id: 'spa', scope: 'openid' })).get('code') ?? '';
    expect((await redeem(sandbox.url, code, { client_id: 'spa' })).status).toBe(200);
  });

  it('logs nothing unless it is told where', async () => {
    const lines: string[] = [];
    await using sandbox = await createSandbox({}, { log: { write: text => void lines.push(text) } });
    await machine(sandbox.url);
    await sandbox.stop();
    expect(lines.join('')).toContain('POST /oauth2/token 200');
  });
});

describe('events', () => {
  it('are waited for, before and after they happen', async () => {
    await using sandbox = await createSandbox();
    const coming = sandbox.events.waitFor('token.issued', ({ client_id }) => client_id === 'sensor');
    await machine(sandbox.url);
    expect(await coming).toMatchObject({ tokenType: 'access', grant_type: 'client_credentials' });
    expect(await sandbox.events.waitFor('client.authenticated')).toMatchObject({ method: 'client_secret_basic' });
  });

  it('tell a whole login in order, each with the request that caused it', async () => {
    await using sandbox = await createSandbox();
    const types: string[] = [];
    sandbox.events.subscribe(({ type }) => types.push(type));
    await signIn(sandbox.url);
    await sandbox.events.waitFor('request.completed', ({ endpoint }) => endpoint === 'token');
    expect(types.filter(type => type !== 'key.created')).toEqual([
      'login.succeeded',
      'request.completed',
      'authorization.requested',
      'code.issued',
      'request.completed',
      'client.authenticated',
      'token.requested',
      ...['token.issued', 'token.issued', 'token.issued'],
      'request.completed',
    ]);
    const [issued] = sandbox.events.latest('token.issued', 1);
    expect(sandbox.events.ofRequest(issued?.requestId ?? '').map(({ type }) => type)).toContain('token.requested');
    expect(sandbox.events.ofAuthorization(issued?.authorizationId ?? '')[0]).toMatchObject({ type: 'code.issued' });
  });

  it('name the endpoint and the refusal of a request', async () => {
    await using sandbox = await createSandbox();
    const response = await post(`${sandbox.url}/oauth2/token?secret=in-the-query`, {
      grant_type: 'magic',
      client_id: 'frontend',
    });
    const requestId = response.headers.get('x-request-id');
    const refused = await sandbox.events.waitFor('error.returned');
    expect(refused).toMatchObject({
      ...{ requestId, endpoint: 'token', form: 'json', status: 400, client_id: 'frontend' },
      ...{ error: 'unsupported_grant_type', reason: 'grant_type_unsupported', sent: 'magic' },
    });
    const completed = await sandbox.events.waitFor('request.completed', each => each.requestId === requestId);
    expect(completed).toMatchObject({ method: 'POST', path: '/oauth2/token', status: 400 });
  });

  it('list parameters that were ignored', async () => {
    await using sandbox = await createSandbox();
    await get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ audience: 'x', display: 'page' })}`);
    expect(await sandbox.events.waitFor('authorization.requested')).toMatchObject({ ignored: ['audience', 'display'] });
  });

  it('do not break a request when a reader of them makes a mistake', async () => {
    await using sandbox = await createSandbox();
    const mistaken = sandbox.events.waitFor('token.issued', () => {
      throw new Error('a mistake in the test');
    });
    const [response] = await Promise.all([
      machine(sandbox.url),
      expect(mistaken).rejects.toThrow('a mistake in the test'),
    ]);
    expect(response.status).toBe(200);
  });

  it('are bounded by historySize', async () => {
    observes('setting historySize');
    await using sandbox = await createSandbox({ historySize: 100 });
    for (let count = 0; count < 120; count++) await (await machine(sandbox.url)).arrayBuffer();
    expect(sandbox.events.latest('token.issued', 1000)).toHaveLength(100);
    expect(sandbox.events.count('token.issued')).toBe(120);
  });
});

describe('reset', () => {
  it('forgets logins, codes, refresh tokens, typed users, rows and events', async () => {
    await using sandbox = await createSandbox();
    const { url } = sandbox;
    const cookie = await login(url, 'typed');
    const code = (await answer(url, cookie)).get('code') ?? '';
    const { access_token, refresh_token } = await signIn(url, 'alice', { scope: 'products:write products:read' });
    const authorization = `Bearer ${access_token}`;
    const products = async () => (await get(`${url}/api/products`, { authorization })).headers.get('x-total-count');
    const before = await products();
    const created = await fetch(`${url}/api/products`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Unicycle', category: 'bikes', price: 1 }),
    });
    expect(created.status).toBe(201);

    await sandbox.reset();
    expect(await products()).toBe(before);
    expect((await answer(url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
    expect((await redeem(url, code)).status).toBe(400);
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    expect((await post(`${url}/oauth2/token`, form)).status).toBe(400);
    expect(await (await get(`${url}/oauth2/authorize?${authorizeQuery()}`)).text()).not.toContain('login-user-typed');
    expect(sandbox.events.latest('token.issued', 10)).toEqual([]);
    expect(sandbox.events.count('sandbox.reset')).toBe(1);
  });

  it('leaves keys and clients as they are', async () => {
    await using sandbox = await createSandbox();
    const jwks = await (await get(`${sandbox.url}/oauth2/jwks`)).text();
    await sandbox.reset();
    expect(await (await get(`${sandbox.url}/oauth2/jwks`)).text()).toBe(jwks);
    expect((await machine(sandbox.url)).status).toBe(200);
  });
});

describe('the clock', () => {
  it('is the one that was given, for tokens, codes, sessions and events', async () => {
    let now = 2_000_000_000.25;
    await using sandbox = await createSandbox({}, { now: () => now });
    expect(sandbox.clock()).toBe(2_000_000_000);
    const { access_token, id_token } = await signIn(sandbox.url);
    expect(decodeJwt(access_token)).toMatchObject({ iat: 2_000_000_000, exp: 2_000_000_300 });
    expect(decodeJwt(id_token)).toMatchObject({ auth_time: 2_000_000_000 });
    expect(sandbox.events.latest('token.issued', 1)).toMatchObject([{ at: 2_000_000_000.25 }]);

    const cookie = await login(sandbox.url);
    now += 28_800;
    expect((await answer(sandbox.url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
    expect((await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${access_token}` })).status).toBe(401);
  });
});

describe('the event of a refusal', () => {
  it.each<[string, (url: string) => Promise<Response>, object]>([
    [
      'a foreign redirect URI',
      url => get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'https://evil.example/' })}`),
      { client_id: 'frontend', reason: 'redirect_uri_not_registered' },
    ],
    [
      'a foreign address after logout',
      url => get(`${url}/connect/logout?client_id=frontend&post_logout_redirect_uri=https://evil.example/`),
      { client_id: 'frontend', reason: 'post_logout_redirect_uri_mismatch' },
    ],
    [
      'a secret by another method',
      url => post(`${url}/oauth2/token`, { client_id: 'sensor', client_secret: 'x', grant_type: 'client_credentials' }),
      { client_id: 'sensor', reason: 'authentication_method_not_registered' },
    ],
  ])('names the client, before anything else has: %s', async (_what, ask, expected) => {
    await using sandbox = await createSandbox();
    await ask(sandbox.url);
    expect(await sandbox.events.waitFor('error.returned')).toMatchObject(expected);
  });

  it('names no client that is not registered', async () => {
    await using sandbox = await createSandbox();
    await get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ client_id: 'nobody' })}`);
    const refused = await sandbox.events.waitFor('error.returned');
    expect(refused).toMatchObject({ reason: 'client_unknown', sent: 'nobody' });
    expect(refused).not.toHaveProperty('client_id');
  });
});
