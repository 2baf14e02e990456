import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSandbox, createSandbox, type Sandbox } from '../../src/index.ts';
import { createControlGate } from '../../src/sandbox/control/api/control-gate.ts';
import { get, login, post } from '../support/wire.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { runDashboard } from './running-dashboard.ts';

const token = 'open-sesame';
const html = { accept: 'text/html' };
const bearer = { authorization: `Bearer ${token}` };

const typed = (url: string, form: Record<string, string>, at = '') =>
  post(`${url}${at}/dashboard/sign-in`, form, { origin: url, ...html });

/** The cookie of a browser in which somebody typed the token. */
async function signedIn(url: string, at = ''): Promise<string> {
  const response = await typed(url, { token, to: `${at}/dashboard` }, at);
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

describe('the dashboard, where CONTROL_TOKEN is set', () => {
  let sandbox: Sandbox;
  let url: string;
  beforeAll(async () => {
    sandbox = await createSandbox({ controlToken: token, issuers: { tenant: {} } });
    ({ url } = sandbox);
  });
  afterAll(() => sandbox.stop());

  it.each(['', '/tenant'])('shows and changes nothing without it, whatever the route: at %j', async at => {
    const routes = dashboardRoutes().filter(([, path]) => path !== '/favicon.svg' && path !== '/sign-in');
    expect(routes).toContainEqual(['GET', '/api/v1/events']);
    expect(routes).toContainEqual(['POST', '/requests/x/replay']);
    for (const [method, path] of [...routes, ['GET', '/nothing'] as const]) {
      for (const headers of [html, {}, { accept: 'text/event-stream' }]) {
        const response = await fetch(`${url}${at}/dashboard${path}`, { method, headers });
        expect([method, path, response.status]).toEqual([method, path, 401]);
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
        expect(await response.text()).not.toMatch(/frontend|alice|req_/);
      }
    }
  });

  it('asks a browser for it on the page that was opened, and leads there', async () => {
    const page = await get(`${url}/dashboard/problems/req_1?from=log`, html);
    expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain('name="to" value="/dashboard/problems/req_1?from=log"');
    expect(text).toContain('action="/dashboard/sign-in"');
    const response = await typed(url, { token, to: '/dashboard/problems/req_1?from=log' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/problems/req_1?from=log']);
  });

  it('takes a cookie that is not the token, for one issuer and one path', async () => {
    const [cookie = ''] = (await typed(url, { token })).headers.getSetCookie();
    expect(cookie).toMatch(
      /^grantbox_control_\d+=[\w-]{43}; Max-Age=2592000; Path=\/dashboard; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toContain(token);
    const value = await signedIn(url);
    expect((await get(`${url}/dashboard`, { ...html, cookie: value })).status).toBe(200);
    expect((await get(`${url}/dashboard/api/v1/tokens`, { cookie: value })).status).toBe(200);
    expect((await get(`${url}/tenant/dashboard`, { ...html, cookie: value })).status).toBe(401);
    expect((await get(`${url}/_sandbox/users`, { cookie: value })).status).toBe(401);
    const other = await signedIn(url, '/tenant');
    expect((await get(`${url}/tenant/dashboard`, { ...html, cookie: other })).status).toBe(200);
  });

  it('takes Authorization from scripts', async () => {
    for (const path of ['/dashboard', '/dashboard/api/v1/tokens', '/dashboard/export/json', '/dashboard/report/junit'])
      expect((await get(url + path, bearer)).status, path).toBe(200);
    const connected = await connectSandbox(url, { controlToken: token });
    expect(await connected.exportSession('json')).toContain('"flows"');
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/oauth2/authorize',
    '/dashboard/../login',
    '',
  ])('leads nowhere but to a page of its own: %s', async to => {
    expect((await typed(url, { token, to })).headers.get('location')).toBe('/dashboard');
  });

  it('is not opened by another token, says so, and tells nobody what was typed', async () => {
    const response = await typed(url, { token: 'open-barley', to: '/dashboard/tokens' });
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    const text = await response.text();
    expect(text).toContain('Wrong token.');
    expect(text).toContain('value="/dashboard/tokens"');
    expect(text).not.toContain('barley');
    const { description, sent } = await sandbox.events.waitFor(
      'error.returned',
      ({ reason }) => reason === 'control_token_wrong',
    );
    expect([description, sent]).toEqual(['this is not the CONTROL_TOKEN', 'a form with a different value']);
  });

  it('is not opened by a form of another site, nor by a made-up cookie', async () => {
    const form = await post(`${url}/dashboard/sign-in`, { token }, { origin: 'https://evil.example' });
    expect([form.status, form.headers.getSetCookie()]).toEqual([403, []]);
    const cookie = `${(await signedIn(url)).slice(0, -3)}AAA`;
    expect((await get(`${url}/dashboard`, { ...html, cookie })).status).toBe(401);
  });

  it('is left by a button', async () => {
    const cookie = await signedIn(url);
    const settings = await (await get(`${url}/dashboard/settings`, { ...html, cookie })).text();
    expect(settings).toContain('action="/dashboard/sign-out"');
    const left = await post(`${url}/dashboard/sign-out`, {}, { origin: url, cookie });
    expect(left.headers.getSetCookie()[0]).toMatch(/^grantbox_control_\d+=; Max-Age=0; Path=\/dashboard;/);
  });

  it('leaves the login, its pages and the protocol to everybody', async () => {
    expect(await login(url)).toMatch(/^grantbox_session/);
    const refused = await get(`${url}/oauth2/authorize?client_id=nobody`, html);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('nobody')]);
    for (const path of ['/health', '/oauth2/jwks', '/dashboard/favicon.svg', '/assets/grantbox.css'])
      expect((await get(url + path)).status, path).toBe(200);
  });
});

it('asks again after another start with another token, and not after one with the same', async () => {
  const cookieOf = async (token: string) => {
    const gate = createControlGate({ token, issuer: 'http://localhost:9000' });
    const cookie = await gate.signIn({ socket: {}, headers: {} } as Parameters<typeof gate.signIn>[0], token);
    return cookie.split(';', 1)[0] ?? '';
  };
  const gate = createControlGate({ token, issuer: 'http://localhost:9000' });
  await using dashboard = await runDashboard({ gate });
  expect((await dashboard.get('/dashboard', { cookie: await cookieOf(token) })).status).toBe(200);
  expect((await dashboard.get('/dashboard', { cookie: await cookieOf('sesame-seed') })).status).toBe(401);
});

it('takes the token where the dashboard only shows', async () => {
  await using sandbox = await createSandbox({ controlToken: token, dashboard: 'readonly' });
  const cookie = await signedIn(sandbox.url);
  expect((await get(`${sandbox.url}/dashboard`, { ...html, cookie })).status).toBe(200);
});

it('needs none where CONTROL_TOKEN is not set', async () => {
  await using sandbox = await createSandbox();
  expect((await get(`${sandbox.url}/dashboard`, html)).status).toBe(200);
  expect(await (await get(`${sandbox.url}/dashboard/settings`, html)).text()).not.toContain('sign-out');
});

describe('guesses', () => {
  it('of an address are refused after twenty different ones, the right one too, until the minute is over', async () => {
    let now = 0;
    const gate = createControlGate({ token, issuer: 'http://localhost:9000', monotonic: () => now });
    await using dashboard = await runDashboard({ gate });
    const ask = (sent: string) => dashboard.get('/dashboard', { authorization: `Bearer ${sent}` });
    const cookie = (await gate.signIn({ socket: {}, headers: {} } as Parameters<typeof gate.signIn>[0], token)).split(
      ';',
      1,
    )[0];
    for (let n = 0; n < 20; n++) expect((await ask(`guess-${n}`)).status).toBe(401);
    now = 15_000;
    const refused = await ask(token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '45']);
    expect((await dashboard.get('/dashboard', { cookie: cookie ?? '' })).status).toBe(200);
    now = 60_000;
    expect((await ask(token)).status).toBe(200);
  });

  it('are counted for the form, the dashboard and the control API together', async () => {
    await using sandbox = await createSandbox({ controlToken: token });
    const { url } = sandbox;
    for (let n = 0; n < 10; n++) {
      expect((await typed(url, { token: `a${n}` })).status).toBe(401);
      expect((await get(`${url}/_sandbox/users`, { authorization: `Bearer b${n}` })).status).toBe(401);
    }
    expect((await get(`${url}/_sandbox/users`, bearer)).status).toBe(429);
    const form = await typed(url, { token });
    expect([form.status, form.headers.getSetCookie()]).toEqual([429, []]);
    expect(await form.text()).toContain('Too many wrong tokens');
  });

  it('are no guesses where a script sends the same old token again and again', async () => {
    await using sandbox = await createSandbox({ controlToken: token });
    for (let n = 0; n < 30; n++)
      expect((await get(`${sandbox.url}/_sandbox/users`, { authorization: 'Bearer old' })).status).toBe(401);
    expect((await get(`${sandbox.url}/_sandbox/users`, bearer)).status).toBe(200);
  });
});
