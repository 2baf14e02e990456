import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import {
  answer,
  asSensor,
  authorizeQuery,
  callback,
  get,
  login,
  portOf,
  post,
  raw,
  redeem,
  signIn,
  signInByPage,
  statusOf,
  type Tokens,
} from '../support/wire.ts';

const sandbox = await createSandbox();
afterAll(() => sandbox.stop());
const { url } = sandbox;
const spa = 'http://localhost:5173';

const refresh = (refresh_token: string) =>
  post(`${url}/oauth2/token`, { grant_type: 'refresh_token', client_id: 'frontend', refresh_token });

describe('a login in the browser', () => {
  it('goes through page, code, tokens, UserInfo, refresh and logout', async () => {
    const { agent, page, visit, code } = await signInByPage(url, 'alice', { nonce: 'n-1' });
    expect(page.status).toBe(200);
    expect(visit).toMatchObject({ status: 302 });
    expect(visit.url.searchParams.get('state')).toBe('a state');
    expect(visit.url.searchParams.get('iss')).toBe(sandbox.issuer);

    const tokens = (await (await redeem(url, code)).json()) as Tokens;
    const keys = createRemoteJWKSet(new URL(`${url}/oauth2/jwks`));
    const idToken = await jwtVerify(tokens.id_token, keys, { issuer: sandbox.issuer, audience: 'frontend' });
    expect(idToken.payload).toMatchObject({ sub: 'alice', nonce: 'n-1' });

    const userinfo = await get(`${url}/userinfo`, { authorization: `Bearer ${tokens.access_token}` });
    expect(await userinfo.json()).toMatchObject({ sub: 'alice', name: 'Alice Archer', email: 'alice@example.com' });

    const refreshed = (await (await refresh(tokens.refresh_token)).json()) as Tokens;
    expect(decodeJwt(refreshed.id_token).sub).toBe('alice');

    const query = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: `${spa}/`,
      state: 'bye',
    });
    expect((await agent.open(`${url}/connect/logout?${query}`)).url.href).toBe(`${spa}/?state=bye`);
    const silent = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`);
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });

  it('is not asked for again while the session lives', async () => {
    const cookie = await login(url);
    expect((await answer(url, cookie)).has('code')).toBe(true);
    expect((await answer(url, cookie, { prompt: 'none' })).has('code')).toBe(true);
  });

  it('is asked for again by prompt=login, and answered after it without asking twice', async () => {
    const { agent } = await signInByPage(url);
    const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'login' })}`);
    expect(page.status).toBe(200);
    expect((await agent.submit(page, 'login-user-bob')).url.searchParams.has('code')).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['max_age=0', { max_age: '0' }],
    ['max_age=00', { max_age: '00' }],
    ['max_age=1', { max_age: '1' }],
    ['a login_hint', { login_hint: 'carol' }],
    ['acr_values', { acr_values: 'urn:gold urn:silver' }],
    ['acr_values with stray spaces', { acr_values: ' urn:gold' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['prompt=none, typed by hand', { prompt: 'none' }],
  ])('leads to a code with %s', async (_what, parameters) => {
    const login = await post(`${url}/login?${authorizeQuery(parameters)}`, { sub: 'alice' }, { origin: url });
    const [cookie = ''] = login.headers.getSetCookie();
    const back = await get(new URL(login.headers.get('location') ?? '', url).href, {
      cookie: cookie.split(';', 1)[0] ?? '',
    });
    expect(new URL(back.headers.get('location') ?? '').searchParams.has('code')).toBe(true);
  });

  it('can be denied', async () => {
    const { agent } = await signInByPage(url);
    const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'login' })}`);
    const { url: target } = await agent.submit(page, 'login-deny');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ error: 'access_denied', state: 'a state' });
  });

  it('takes any name, makes a user of it, and never a client', async () => {
    expect(decodeJwt((await signIn(url, 'zoe@example.org')).id_token).sub).toBe('zoe@example.org');
    const response = await post(`${url}/login?${authorizeQuery()}`, { sub: 'sensor' }, { origin: url });
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each(['', ' ', 'jörg'])('is shown again for the name %j', async sub => {
    const response = await post(`${url}/login?${authorizeQuery()}`, { sub }, { origin: url });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('Choose a user, or type a subject');
  });
});

describe('continue as', () => {
  const keep = async (at: string, parameters: Record<string, string>, cookie: string) =>
    post(`${at}/login?${authorizeQuery(parameters)}`, { action: 'continue' }, { origin: at, cookie });

  it.each<Record<string, string>>([{ prompt: 'select_account' }, { login_hint: 'bob' }])(
    'keeps the session where %j asked',
    async parameters => {
      const cookie = await login(url);
      const response = await keep(url, parameters, cookie);
      expect(response.status).toBe(303);
      expect(response.headers.getSetCookie()).toEqual([]);
      const back = await get(new URL(response.headers.get('location') ?? '', url).href, { cookie });
      expect(back.headers.get('location')).toContain('code=');
    },
  );

  it.each<Record<string, string>>([{ prompt: 'login' }, { max_age: '5' }, { acr_values: 'urn:gold' }])(
    'is a login of its own where %j asked',
    async parameters => {
      const response = await keep(url, parameters, await login(url));
      expect(response.status).toBe(303);
      expect(response.headers.getSetCookie()).toHaveLength(3);
    },
  );

  it('is no login without a session, and none without a password where that is asked for', async () => {
    expect((await keep(url, {}, '')).status).toBe(401);
    await using strict = await createSandbox({ loginMode: 'password' });
    const form = { username: 'alice', password: 'x' };
    const first = await post(`${strict.url}/login?${authorizeQuery()}`, form, { origin: strict.url });
    const cookie = first.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect((await keep(strict.url, { prompt: 'select_account' }, cookie)).status).toBe(303);
    expect((await keep(strict.url, { prompt: 'login' }, cookie)).status).toBe(401);
  });
});

describe('the password mode', () => {
  it('takes the configured password, or any where none is configured, and no other', async () => {
    observes('setting loginMode');
    const users = [{ sub: 'ann', password: 'right' }, { sub: 'ben' }];
    await using strict = await createSandbox({ loginMode: 'password', users });
    const attempt = async (form: Record<string, string>) =>
      (await post(`${strict.url}/login?${authorizeQuery()}`, form, { origin: strict.url })).status;
    expect(await attempt({ username: 'ann', password: 'right' })).toBe(303);
    expect(await attempt({ username: 'ann', password: 'wrong' })).toBe(401);
    expect(await attempt({ username: 'ann', password: '' })).toBe(401);
    expect(await attempt({ username: 'ben', password: 'whatever' })).toBe(303);
    expect(await attempt({ username: 'ben' })).toBe(401);
    expect(await attempt({ username: '', password: 'x' })).toBe(401);
    expect(await attempt({ sub: 'ann' })).toBe(401);
  });
});

describe('session and cookies', () => {
  it('has a cookie that scripts and foreign sites cannot use, named by the port', async () => {
    const response = await post(`${url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: url });
    expect(response.status).toBe(303);
    const cookies = response.headers.getSetCookie().filter(each => !each.startsWith('grantbox_state'));
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
      expect(cookie).not.toMatch(/Domain|Secure/);
    }
    expect(cookies[0]).toMatch(new RegExp(`^grantbox_session_${portOf(url)}=[A-Za-z0-9_-]{43};`));
  });

  it('has a Secure __Host- cookie for an https issuer', async () => {
    await using secure = await createSandbox({ issuer: 'https://id.example' });
    const response = await post(`${secure.url}/login?${authorizeQuery()}`, { sub: 'alice' });
    for (const cookie of response.headers.getSetCookie())
      expect(cookie).toMatch(
        /^__Host-grantbox_([a-z_]+=[^;]+; Path=\/; Max-Age=\d+; HttpOnly|state=[^;]+; Path=\/; Max-Age=\d+); Secure; SameSite=None$/,
      );
  });

  it('has a new id at each login, whatever cookie came (session fixation)', async () => {
    const first = await login(url);
    const response = await post(`${url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: url, cookie: first });
    expect(response.headers.getSetCookie()[0]?.split(';', 1)[0]).not.toBe(first);
    const fixed = `grantbox_session_${portOf(url)}=chosen-by-somebody-else`;
    await post(`${url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: url, cookie: fixed });
    expect((await answer(url, fixed, { prompt: 'none' })).get('error')).toBe('login_required');
  });

  it.each(['', '=', ';;;', 'grantbox_session_%=x', '%zz=%zz', `grantbox_session_0=${'x'.repeat(4000)}`])(
    'takes the cookie header %j for nobody',
    async cookie => {
      expect((await answer(url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
    },
  );
});

describe('response modes', () => {
  it('fragment', async () => {
    const response = await get(`${url}/oauth2/authorize?${authorizeQuery({ response_mode: 'fragment' })}`, {
      cookie: await login(url),
    });
    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:5173\/callback#code=/);
  });

  it('form_post is a page that works without scripts and may post anywhere', async () => {
    const { agent } = await signInByPage(url);
    const page = await agent.open(
      `${url}/oauth2/authorize?${authorizeQuery({ response_mode: 'form_post', state: '"><b>' })}`,
    );
    expect(page.html).not.toContain('"><b>');
    const { url: action, body } = await agent.submit(page, 'form-post');
    expect(action.href).toBe(callback);
    const text = expect.any(String);
    expect(Object.fromEntries(body ?? [])).toEqual({
      ...{ code: text, session_state: text, state: '"><b>', iss: sandbox.issuer },
    });
  });

  it('form_post has no form-action in its policy, is not cached, and may be framed', async () => {
    const response = await get(
      `${url}/oauth2/authorize?${authorizeQuery({ response_mode: 'form_post', prompt: 'none' })}`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).not.toMatch(/form-action|frame-ancestors/);
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(await response.text()).toContain('login_required');
  });
});

describe('a POST authorization request', () => {
  it('becomes a GET of our own, because a foreign site sends no cookie', async () => {
    const query = authorizeQuery({ state: 'ünï 😀' });
    const response = await post(`${url}/oauth2/authorize`, query.toString());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/oauth2/authorize?${query}`);
  });

  it('keeps raw characters of any plane', async () => {
    const response = await post(`${url}/oauth2/authorize`, 'state=😀€é');
    expect(response.headers.get('location')).toBe('/oauth2/authorize?state=%F0%9F%98%80%E2%82%AC%C3%A9');
  });

  it.each(['x'.repeat(13_000), '€'.repeat(3000)])('is 413 when the GET would be too long', async state => {
    const response = await post(`${url}/oauth2/authorize`, `state=${state}`);
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('too long');
  });
});

describe('a POST logout request', () => {
  const hint = async () => ({ id_token_hint: (await signIn(url)).id_token, post_logout_redirect_uri: `${spa}/` });

  it('with the cookie ends the session', async () => {
    const cookie = await login(url);
    const response = await post(`${url}/connect/logout`, await hint(), { cookie });
    expect(response.headers.get('location')).toBe(`${spa}/`);
    expect((await answer(url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
  });

  it('without it, as from a foreign site, becomes a GET that has it', async () => {
    const cookie = await login(url);
    const response = await post(`${url}/connect/logout`, await hint());
    expect(response.status).toBe(303);
    const second = await get(new URL(response.headers.get('location') ?? '', url).href, { cookie });
    expect(second.headers.get('location')).toBe(`${spa}/`);
    expect((await answer(url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
  });
});

describe('a logout that must be confirmed', () => {
  it('ends the session on a page of ours', async () => {
    const { agent } = await signInByPage(url);
    const page = await agent.open(`${url}/connect/logout?client_id=frontend&post_logout_redirect_uri=${spa}/&state=s`);
    expect(page.status).toBe(200);
    expect((await agent.submit(page, 'logout-confirm')).url.href).toBe(`${spa}/?state=s`);
    const silent = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`);
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  });

  it('can be cancelled', async () => {
    const { agent } = await signInByPage(url);
    const page = await agent.open(`${url}/connect/logout`);
    await agent.submit(page, 'logout-cancel');
    const silent = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`);
    expect(silent.url.searchParams.has('code')).toBe(true);
  });

  it.each(['', 'stay', 'LOGOUT'])('is not taken for confirmed by decision=%s', async decision => {
    const cookie = await login(url);
    await post(`${url}/logout`, { decision }, { cookie, origin: url });
    expect((await answer(url, cookie, { prompt: 'none' })).has('code')).toBe(true);
  });
});

describe('CORS', () => {
  const preflight = (path: string, method: string, headers = 'authorization,dpop,auth0-client,x-custom') =>
    fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin: spa, 'access-control-request-method': method, 'access-control-request-headers': headers },
    });

  const open = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth2/jwks'];

  it.each([...open, '/userinfo', '/api/products'])('lets a page of this machine GET %s', async path => {
    const response = await get(url + path, { origin: spa });
    expect(response.headers.get('access-control-allow-origin')).toBe(spa);
    expect(response.headers.get('vary')).toMatch(/Origin/i);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('lets a page of this machine POST to the token endpoint, with credentials, and read the errors', async () => {
    for (const form of [{ grant_type: 'client_credentials' }, { grant_type: 'nonsense' }]) {
      const response = await post(`${url}/oauth2/token`, form, { origin: spa, authorization: asSensor });
      expect(response.headers.get('access-control-allow-origin')).toBe(spa);
      expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    }
  });

  it.each([
    ['401', () => post(`${url}/oauth2/token`, { client_id: 'nobody' }, { origin: spa })],
    ['405', () => fetch(`${url}/oauth2/token`, { headers: { origin: spa } })],
    ['413', () => post(`${url}/oauth2/token`, `a=${'x'.repeat(70_000)}`, { origin: spa })],
    ['415', () => post(`${url}/oauth2/token`, '{}', { origin: spa, 'content-type': 'application/json' })],
    ['401', () => get(`${url}/userinfo`, { origin: spa })],
  ])('is there on a %s as well', async (status, send) => {
    const response = await send();
    expect(response.status).toBe(Number(status));
    expect(response.headers.get('access-control-allow-origin')).toBe(spa);
  });

  it('exposes what clients need to read', async () => {
    const exposed = (await get(`${url}/userinfo`, { origin: spa })).headers.get('access-control-expose-headers') ?? '';
    for (const name of ['WWW-Authenticate', 'Link', 'Location', 'X-Total-Count', 'Retry-After', 'RateLimit'])
      expect(exposed).toContain(name);
  });

  it.each([
    ...open.map(path => [path, 'GET'] as const),
    ...([
      ['/oauth2/token', 'POST'],
      ['/userinfo', 'POST'],
      ['/api/products/1', 'PUT'],
      ['/oauth2/revoke', 'POST'],
    ] as const),
  ])('answers a preflight of %s and echoes the headers asked for', async (path, method) => {
    const response = await preflight(path, method);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(spa);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,dpop,auth0-client,x-custom');
    expect(response.headers.get('access-control-allow-methods')).toContain(method);
  });

  it.each([
    '/oauth2/authorize',
    '/login',
    '/logout',
    '/connect/logout',
    '/dashboard',
    '/_sandbox',
    '/_sandbox/x',
    '/health',
  ])('is never on %s', async path => {
    for (const response of [await get(url + path, { origin: spa }), await preflight(path, 'POST')])
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('methods', () => {
  it.each([
    ['/oauth2/token', ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'], 'POST'],
    ['/oauth2/jwks', ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
    ['/.well-known/openid-configuration', ['POST'], 'GET, HEAD'],
    ['/oauth2/authorize', ['PUT', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/userinfo', ['PUT', 'DELETE'], 'GET, HEAD, POST'],
    ['/connect/logout', ['PUT', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/login', ['PUT', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/logout', ['GET', 'PUT'], 'POST'],
    ['/health', ['POST'], 'GET, HEAD'],
    ['/', ['POST'], 'GET, HEAD'],
  ])('%s answers others with 405 and Allow', async (path, methods, allow) => {
    for (const method of methods) {
      const response = await fetch(url + path, { method });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow'), method).toBe(allow);
      await response.arrayBuffer();
    }
  });

  it('HEAD is answered where GET is, without a body', async () => {
    const response = await fetch(`${url}/oauth2/jwks`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('TRACE is not answered', async () => {
    expect(
      statusOf(await raw(portOf(url), 'TRACE /oauth2/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')),
    ).toBe(405);
  });
});

describe('paths', () => {
  it('of what is switched off are known by name, and 501 with a sentence', async () => {
    const features = { introspection: false, revocation: false, device: false, ciba: false, par: false } as const;
    const documents = { registration: false, 'protected-resource-metadata': false } as const;
    await using off = await createSandbox({ features: { ...features, ...documents } });
    for (const [path, words] of [
      ['/oauth2/introspect', 'introspection'],
      ['/oauth2/revoke', 'revocation'],
      ['/oauth2/device_authorization', 'device'],
      ['/oauth2/device_verification', 'device'],
      ['/oauth2/bc-authorize', 'CIBA'],
      ['/oauth2/par', 'RFC 9126'],
      ['/connect/register', 'registration'],
      ['/connect/register/client-1', 'registration'],
      ['/.well-known/oauth-protected-resource', 'RFC 9728'],
      ['/.well-known/oauth-protected-resource/api/products', 'RFC 9728'],
    ] as const) {
      for (const response of [
        await get(off.url + path, { origin: spa }),
        await post(off.url + path, {}, { origin: spa }),
      ]) {
        expect(response.status, path).toBe(501);
        expect(response.headers.get('access-control-allow-origin')).toBe(spa);
        expect(((await response.json()) as { error_description: string }).error_description).toContain(words);
      }
    }
  });

  it.each(['/userinfo', '/api/products', '/_sandbox/evnts', '/i/none/x', '/oauth2/introspect'])(
    'of %s are plain JSON for a client that accepts nothing else, such as oidc-client-ts',
    async path => {
      for (const accept of ['application/json', 'application/jwt, application/json; charset=utf-8']) {
        const response = await get(url + path, { accept });
        expect(response.headers.get('content-type')).toBe('application/json');
        expect(response.status).toBeGreaterThan(399);
        expect(await response.json()).toBeTypeOf('object');
      }
    },
  );

  it('of the control API are 404 with the nearest one (RFC 9457)', async () => {
    const response = await get(`${url}/_sandbox/evnts`);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ expected: '/_sandbox/events' });
  });

  it.each([
    '/nothing',
    '/oauth2',
    '/oauth2/tokens',
    '/.well-known/',
    '/.env',
    '/assets/',
    '/assets/../package.json',
    '/OAuth2/token',
    '/oauth2/token/',
    '/Login',
    '/health/',
    '/favicon.php',
  ])('%s is 404, as JSON where no HTML is taken', async path => {
    const html = await get(url + path, { accept: 'text/html' });
    expect(html.status).toBe(404);
    expect(html.headers.get('content-type')).toMatch('text/html');
    const json = await get(url + path, { accept: 'application/json' });
    expect(json.status).toBe(404);
    expect(await json.json()).toMatchObject({ error: 'invalid_request' });
  });

  it.each([
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/login.ejs',
    '/assets/.',
    '/assets/__proto__',
    '/%',
    '/%zz',
    '/%00',
  ])('%s leads nowhere', async path => {
    const answered = await raw(portOf(url), `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect([400, 404]).toContain(statusOf(answered));
  });
});

describe('the first addresses', () => {
  it('/health is UP', async () => {
    const response = await get(`${url}/health`);
    expect(response.status).toBe(200);
    const said = { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), started: expect.stringMatching(/^\S+Z$/) };
    expect(await response.json()).toEqual({ status: 'UP', grantbox: { ...said, issuer: url, url } });
  });

  it('/ leads a browser to the dashboard and tells everybody else the addresses', async () => {
    const browser = await get(`${url}/`, { accept: 'text/html,*/*' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/dashboard']);
    const links = (await (await get(`${url}/`)).json()) as Record<string, string>;
    expect(links).toMatchObject({ token: `${url}/oauth2/token`, login: `${url}/login`, health: `${url}/health` });
  });

  it('metadata and keys are what is there, with no-store', async () => {
    for (const path of [
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/oauth2/jwks',
    ]) {
      const response = await get(url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-type')).toBe('application/json');
    }
  });

  it('every endpoint of the metadata answers', async () => {
    const metadata = (await (await get(`${url}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;
    expect(metadata.issuer).toBe(url);
    for (const [name, value] of Object.entries(metadata)) {
      if (!/_endpoint$|_uri$/.test(name)) continue;
      expect([404, 500, 501], name).not.toContain((await get(String(value))).status);
    }
  });

  it('metadata may be cached for as long as a setting says', async () => {
    observes('setting metadataMaxAge');
    await using cached = await createSandbox({ metadataMaxAge: 15 });
    for (const path of ['/.well-known/openid-configuration', '/oauth2/jwks'])
      expect((await get(cached.url + path)).headers.get('cache-control')).toBe('public, max-age=15');
    const token = await post(
      `${cached.url}/oauth2/token`,
      { grant_type: 'client_credentials' },
      { authorization: asSensor },
    );
    expect(token.headers.get('cache-control')).toBe('no-store');
  });
});

describe('an issuer with a path', () => {
  it('has everything under it, and its documents in both forms (RFC 8414 §3.1, Discovery §4)', async () => {
    await using tenant = await createSandbox({ issuer: 'http://localhost:9000/tenants/blue' });
    const wellKnown = ['oauth-authorization-server', 'openid-configuration'];
    for (const path of wellKnown.flatMap(name => [
      `/.well-known/${name}/tenants/blue`,
      `/tenants/blue/.well-known/${name}`,
    ])) {
      const response = await get(tenant.url + path);
      expect(response.status, path).toBe(200);
      expect(await response.json()).toMatchObject({
        issuer: 'http://localhost:9000/tenants/blue',
        token_endpoint: 'http://localhost:9000/tenants/blue/oauth2/token',
      });
    }
    expect((await get(`${tenant.url}/oauth2/jwks`)).status).toBe(404);
    expect((await get(`${tenant.url}/tenants/blue/oauth2/introspect`)).status).toBe(405);
    const cookie = await login(`${tenant.url}/tenants/blue`);
    const response = await get(`${tenant.url}/tenants/blue/oauth2/authorize?${authorizeQuery()}`, { cookie });
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.searchParams.get('iss')).toBe('http://localhost:9000/tenants/blue');
    const links = (await (await get(`${tenant.url}/`)).json()) as Record<string, string>;
    expect(links).toMatchObject({
      token: 'http://localhost:9000/tenants/blue/oauth2/token',
      login: 'http://localhost:9000/tenants/blue/login',
    });
  });
});

describe('the headers of a page', () => {
  const headersOf = async (response: Response) => {
    await response.arrayBuffer();
    return Object.fromEntries(response.headers);
  };

  it.each([
    ['login', async () => get(`${url}/oauth2/authorize?${authorizeQuery()}`)],
    ['logout', async () => get(`${url}/connect/logout`, { cookie: await login(url) })],
    ['logged out', async () => get(`${url}/connect/logout`)],
    ['error', async () => get(`${url}/oauth2/authorize`)],
    ['404', async () => get(`${url}/nothing`, { accept: 'text/html' })],
  ])('%s cannot be framed, sniffed, cached or scripted from elsewhere', async (_page, open) => {
    const headers = await headersOf(await open());
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    });
    const policy = headers['content-security-policy'] ?? '';
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|http:/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  it('has no form-action where a redirect to the client follows, and one where none does', async () => {
    const login = await headersOf(await get(`${url}/oauth2/authorize?${authorizeQuery()}`));
    expect(login['content-security-policy']).not.toContain('form-action');
    const error = await headersOf(await get(`${url}/oauth2/authorize`));
    expect(error['content-security-policy']).toContain("form-action 'self'");
  });

  it('loads nothing from elsewhere and has no inline script or style', async () => {
    const pages = [`${url}/oauth2/authorize?${authorizeQuery()}`, `${url}/oauth2/authorize`, `${url}/connect/logout`];
    for (const page of pages) {
      const html = await (await get(page)).text();
      for (const [, source = ''] of html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]*)"/g))
        expect(source).toMatch(/^(\/(?!\/)|data:image\/svg)/);
      expect(html).not.toMatch(/<script>|<style|\son[a-z]+="|\sstyle="/);
    }
  });
});

describe('Host (DNS rebinding)', () => {
  const status = async (port: number, host: string | undefined, version = '1.1', path = '/health') => {
    const line = host === undefined ? '' : `Host: ${host}\r\n`;
    return statusOf(await raw(port, `GET ${path} HTTP/${version}\r\n${line}Connection: close\r\n\r\n`));
  };

  it.each([
    'localhost',
    'localhost:9000',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:9000',
    'app.localhost:80',
  ])('is served as %s', async host => {
    expect(await status(portOf(url), host)).toBe(200);
  });

  it.each([
    ...[
      'evil.example',
      'evil.example:9000',
      'localhost.evil.example',
      'evil.example#localhost',
      '127.0.0.1.evil.example',
    ],
    ...[
      'localhost@evil.example',
      '[::1',
      '[',
      ']',
      ':',
      ':9000',
      '%',
      '%00',
      'a b',
      '"',
      '192.168.0.1',
      '::1',
      'localhost:x',
    ],
    ...['localhost:999999', 'xn--', 'http://localhost', 'localhost/', '__proto__', 'x'.repeat(4000)],
  ])('is refused as %s', async host => {
    for (const path of ['/health', '/oauth2/jwks', '/dashboard'])
      expect([400, 421]).toContain(await status(portOf(url), host, '1.1', path));
  });

  it('is refused when it is missing or empty', async () => {
    expect(await status(portOf(url), undefined)).toBe(400);
    expect(await status(portOf(url), undefined, '1.0')).toBe(400);
    expect([400, 421]).toContain(await status(portOf(url), ''));
  });

  it('may be the issuer, and what allowedHosts adds', async () => {
    observes('setting allowedHosts');
    await using named = await createSandbox({
      issuer: 'http://id.test:8080',
      allowedHosts: ['grantbox', 'Other.test', '2001:db8::1'],
    });
    for (const host of [
      'id.test',
      'id.test:8080',
      'id.test:1',
      'grantbox',
      'grantbox:9000',
      'other.test',
      '[2001:DB8::1]:9000',
      'localhost',
    ])
      expect(await status(portOf(named.url), host), host).toBe(200);
    expect(await status(portOf(named.url), 'sub.grantbox')).toBe(421);
  });

  it('is never where an address comes from, and X-Forwarded-* neither', async () => {
    const request =
      'GET /.well-known/openid-configuration HTTP/1.1\r\nHost: app.localhost:1\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example\r\nConnection: close\r\n\r\n';
    const answered = await raw(portOf(url), request);
    expect(statusOf(answered)).toBe(200);
    expect(answered).not.toMatch(/evil\.example|app\.localhost|https:/);
  });
});

describe('Origin on what changes state', () => {
  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['another port', { origin: spa }],
    ['null', { origin: 'null' }],
    ['a broken origin', { origin: 'http://' }],
    ['no origin and Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['no origin and Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused at /login and /logout', async (_what, headers) => {
    const cookie = await login(url);
    const loginAttempt = await raw_(`/login?${authorizeQuery()}`, 'sub=bob', { ...headers, cookie });
    expect(statusOf(loginAttempt)).toBe(403);
    expect(loginAttempt.toLowerCase()).not.toContain('set-cookie');
    expect(statusOf(await raw_('/logout', 'decision=logout', { ...headers, cookie }))).toBe(403);
    expect((await answer(url, cookie, { prompt: 'none' })).has('code')).toBe(true);
  });

  it.each([
    ['our own origin', () => ({ origin: url })],
    ['no browser', () => ({})],
    ['Sec-Fetch-Site same-origin', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['an address typed by hand', () => ({ 'sec-fetch-site': 'none' })],
  ])('%s is let in', async (_what, headers) => {
    expect(statusOf(await raw_(`/login?${authorizeQuery()}`, 'sub=bob', headers()))).toBe(303);
  });

  function raw_(path: string, body: string, headers: Record<string, string>): Promise<string> {
    const lines = Object.entries({
      host: `localhost:${portOf(url)}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      connection: 'close',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    return raw(portOf(url), `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
});

describe('rate limits', () => {
  it('let the browsers of a pipeline log in, however many do at once', async () => {
    await using limited = await createSandbox({ loginRateLimit: 10 });
    const attempt = () => post(`${limited.url}/login?${authorizeQuery()}`, { sub: 'alice' });
    for (let round = 0; round < 5; round++) {
      const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await attempt()).status));
      expect(statuses).toEqual(Array(8).fill(303));
    }
  });

  it('stop wrong passwords after a while, with Retry-After', async () => {
    observes('setting loginRateLimit');
    const users = [{ sub: 'eve', password: 'right' }];
    await using limited = await createSandbox({ loginRateLimit: 3, loginMode: 'password', users });
    const attempt = (password = 'wrong') =>
      post(`${limited.url}/login?${authorizeQuery()}`, { username: 'eve', password }, { accept: 'application/json' });
    for (let count = 0; count < 3; count++) {
      expect((await attempt('right')).status).toBe(303);
      expect((await attempt()).status).toBe(401);
    }
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await get(`${limited.url}/login?${authorizeQuery()}`)).status).toBe(303);
    const token = await post(
      `${limited.url}/oauth2/token`,
      { grant_type: 'client_credentials' },
      { authorization: asSensor },
    );
    expect(token.status).toBe(200);
  });

  it('stop the protocol where it is set, readable for other origins', async () => {
    observes('setting rateLimit');
    await using limited = await createSandbox({ rateLimit: 2 });
    const attempt = () =>
      post(
        `${limited.url}/oauth2/token`,
        { grant_type: 'client_credentials' },
        { authorization: asSensor, origin: spa },
      );
    const statuses = [(await attempt()).status, (await attempt()).status];
    const refused = await attempt();
    expect([...statuses, refused.status]).toEqual([200, 200, 429]);
    expect(refused.headers.get('access-control-allow-origin')).toBe(spa);
    expect(refused.headers.get('ratelimit')).not.toBeNull();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await get(`${limited.url}/oauth2/jwks`)).status).toBe(200);
  });

  it('do not mind a proxy header', async () => {
    const users = [{ sub: 'eve', password: 'right' }];
    await using limited = await createSandbox({ loginRateLimit: 1, loginMode: 'password', users });
    const headers = { 'x-forwarded-for': '1.2.3.4', forwarded: 'for=1.2.3.4' };
    const attempt = (extra: Record<string, string>) =>
      post(`${limited.url}/login?${authorizeQuery()}`, { username: 'eve', password: 'wrong' }, extra);
    expect((await attempt(headers)).status).toBe(401);
    expect((await attempt({ ...headers, 'x-forwarded-for': '5.6.7.8' })).status).toBe(429);
  });
});

describe('errors on the wire', () => {
  it('are JSON with error_uri to the explanation, unless that is off', async () => {
    observes('setting errorUri');
    const refused = await post(`${url}/oauth2/token`, { client_id: 'frontend', grant_type: 'magic' });
    const body = (await refused.json()) as Record<string, string>;
    expect(body).toEqual({
      error: 'unsupported_grant_type',
      error_description: expect.any(String),
      error_uri: `${url}/dashboard/problems/${refused.headers.get('x-request-id')}`,
    });
    await using plain = await createSandbox({ errorUri: false });
    const other = await post(`${plain.url}/oauth2/token`, { client_id: 'frontend', grant_type: 'magic' });
    expect(await other.json()).not.toHaveProperty('error_uri');
  });

  it('challenge with Basic where Basic was used', async () => {
    const response = await post(`${url}/oauth2/token`, {}, { authorization: 'Basic eDp5' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Basic realm="${url}", charset="UTF-8"`,
    ]);
    const other = await post(`${url}/oauth2/token`, { client_id: 'nobody' });
    expect([other.status, other.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it.each([
    ['no token', undefined, 401, /^Bearer resource_metadata="[^"]+\/userinfo"$/],
    ['another scheme', 'Basic eDp5', 401, 'Bearer'],
    [
      'a bad token',
      'Bearer bad',
      401,
      /^Bearer error="invalid_token", error_description="[^"\\]+", resource_metadata="[^"]+"$/,
    ],
    ['a malformed header', 'Bearer a b', 400, /^Bearer error="invalid_request"/],
  ])('challenge at UserInfo (RFC 6750 §3): %s', async (_what, authorization, status, challenge) => {
    const response = await get(`${url}/userinfo`, authorization === undefined ? {} : { authorization });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toMatch(challenge);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status });
  });

  it('name the missing scope', async () => {
    const { access_token } = await signIn(url, 'alice', { scope: 'bikes:read' });
    const response = await get(`${url}/userinfo`, { authorization: `Bearer ${access_token}` });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*scope="openid", resource_metadata="[^"]+\/userinfo"$/,
    );
  });

  it('are a page before anybody is trusted, or JSON where no HTML is taken', async () => {
    const query = authorizeQuery({ redirect_uri: 'https://evil.example/' });
    const page = await get(`${url}/oauth2/authorize?${query}`, { accept: 'text/html' });
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.headers.get('content-type')).toMatch('text/html');
    const json = await get(`${url}/oauth2/authorize?${query}`, { accept: 'application/json' });
    expect([json.status, json.headers.get('location')]).toEqual([400, null]);
    expect(await json.json()).toMatchObject({ error: 'invalid_request' });
  });
});

describe('the seed clients, word for word', () => {
  const machine = (form: Record<string, string>) =>
    post(`${url}/oauth2/token`, { grant_type: 'client_credentials', ...form }, { authorization: asSensor });

  it('sensor gets a token for itself, without a scope claim when none was asked', async () => {
    const { access_token } = (await (await machine({})).json()) as Tokens;
    const claims = decodeJwt(access_token);
    expect(claims).toMatchObject({ sub: 'sensor', aud: 'sensor', client_id: 'sensor' });
    expect(claims).not.toHaveProperty('scope');
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  it('sensor is refused whole for one foreign scope', async () => {
    const response = await machine({ scope: 'telemetry:write bikes:read' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_scope' });
  });

  it.each([
    ['frontend may not use client_credentials', { client_id: 'frontend', grant_type: 'client_credentials' }],
    ['sensor may not use authorization_code', { grant_type: 'authorization_code', code: 'x' }],
  ])('%s', async (_what, form) => {
    const authorization = 'client_id' in form ? undefined : asSensor;
    const response = await post(`${url}/oauth2/token`, form, authorization === undefined ? {} : { authorization });
    expect(await response.json()).toMatchObject({ error: 'unauthorized_client' });
  });

  it('frontend never sees an ID token when it asks for no openid', async () => {
    expect(await signIn(url, 'alice', { scope: 'bikes:read' })).not.toHaveProperty('id_token');
  });

  it('frontend cannot do without PKCE, and not with plain', async () => {
    const cookie = await login(url);
    for (const parameters of [{ code_challenge: '', code_challenge_method: '' }, { code_challenge_method: 'plain' }])
      expect((await answer(url, cookie, parameters as Record<string, string>)).get('error')).toBe('invalid_request');
  });
});
