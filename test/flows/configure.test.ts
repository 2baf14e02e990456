import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { authorizationUrl, sensorToken } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.stop());

async function restart(config: SandboxConfig): Promise<void> {
  await sandbox.stop();
  sandbox = await createSandbox(config);
}

const get = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(`${sandbox.url}/dashboard${path}`, { headers })).text();

async function post(path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Response> {
  const init = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers } as const;
  return fetch(`${sandbox.url}/dashboard${path}`, init);
}

describe('a reset', () => {
  it('of a part that there is not leaves everything', async () => {
    await post('/users', { sub: 'dora' });
    for (const part of ['constructor', '__proto__', '']) await post('/settings/reset', { part });
    expect(await get('/users')).toContain('dora');
    await post('/settings/reset', { part: 'configuration' });
  });

  it('of the history leaves sessions, tokens and changes as they are', async () => {
    await post('/users', { sub: 'dora' });
    const token = await sensorToken(sandbox);
    await post('/settings/reset', { part: 'history' });
    expect(sandbox.events.count('token.issued')).toBe(0);
    expect(sandbox.events.latest('sandbox.reset', 1)[0]).toMatchObject({ part: 'history' });
    expect(await get('/users')).toContain('dora');
    const row = { method: 'POST', body: '{"sensor":"s","value":1}', headers: { Authorization: `Bearer ${token}` } };
    expect((await fetch(`${sandbox.url}/api/telemetry`, row)).status).not.toBe(401);
  });

  it('of the configuration undoes every change of clients and users', async () => {
    await post('/users', { sub: 'dora' });
    await post('/users/bob', { action: 'delete' });
    await post('/clients/frontend', { action: 'add-redirect', uri: 'https://app.example/' });
    await post('/clients', { client_id: 'shop', kind: 'machine', scope: 'shop:read' });
    await post('/settings/reset', { part: 'configuration' });
    const [users, clients] = [await get('/users'), await get('/clients')];
    expect(users).toContain('bob');
    expect(users).not.toContain('dora');
    expect(clients).not.toContain('shop');
    expect(clients).not.toContain('badge status info');
    const metadata = await (await fetch(`${sandbox.url}/.well-known/openid-configuration`)).json();
    expect(metadata).not.toMatchObject({ scopes_supported: expect.arrayContaining(['shop:read']) });
    expect(sandbox.events.count('configuration.changed')).toBe(4);
  });

  it('of everything is asked twice, on a page of its own where there are no scripts', async () => {
    await sensorToken(sandbox);
    expect(await get('/settings')).toContain('href="/dashboard/settings/reset"');
    expect(await get('/settings/reset')).toContain('This cannot be undone.');
    await post('/settings/reset', { part: 'everything' });
    expect(sandbox.events.count('token.issued')).toBe(0);
  });

  it('of an unknown part resets nothing', async () => {
    await sensorToken(sandbox);
    await post('/settings/reset', { part: 'all' });
    expect(sandbox.events.count('token.issued')).toBe(1);
  });
});

describe('a dashboard that only shows', () => {
  beforeEach(() => restart({ dashboard: 'readonly' }));

  it('has no form that changes anything', async () => {
    observes('setting dashboard');
    for (const path of ['/clients', '/clients/frontend', '/users', '/users/alice', '/keys', '/settings/reset']) {
      const html = await get(path);
      expect(html.slice(html.indexOf('<main')), path).not.toContain('method="post"');
    }
    expect((await post('/clients/frontend', { action: 'delete' })).status).toBe(403);
    expect((await post('/keys', { action: 'rotate' })).status).toBe(403);
  });

  it('still lets everybody choose how they see it', async () => {
    for (const answer of [
      await post('/settings/view', { keys: 'on' }),
      await post('/settings/display', { theme: 'dark' }),
    ]) {
      expect(answer.status).toBe(303);
      expect(answer.headers.getSetCookie()).toHaveLength(1);
    }
  });
});

describe('how a browser sees the pages', () => {
  /** The cookie after both forms: one changes only the theme, the other only the rest. */
  async function chosen(): Promise<string> {
    const [first = ''] = (await post('/settings/display', { theme: 'dark' })).headers.getSetCookie();
    const headers = { Cookie: first.split(';')[0] ?? '' };
    const [cookie = ''] = (await post('/settings/view', { secrets: 'hidden' }, headers)).headers.getSetCookie();
    return cookie;
  }

  it('is kept in a cookie that no script reads and no other site sends', async () => {
    const cookie = await chosen();
    expect(cookie).toMatch(/^grantbox_view_\d+=dark\.nokeys\.nosecrets; Path=\/; /);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  });

  it('is how the server renders them: dashboard, login and error pages', async () => {
    const cookie = await chosen();
    const headers = { Cookie: cookie.split(';')[0] ?? '', Accept: 'text/html' };
    const page = await get('/', headers);
    expect(page).toMatch(/^<!doctype html>\s*<html data-theme="dark" lang="en"/);
    expect(page).toMatch(/<body[^>]* data-keys="off" data-secrets="hidden"/);
    const login = await (await fetch(authorizationUrl(sandbox, 'http://localhost:3000/callback'), { headers })).text();
    expect(login).toContain('<html data-theme="dark"');
    const refused = await (await fetch(authorizationUrl(sandbox, 'https://evil.example/'), { headers })).text();
    expect(refused).toContain('<html data-theme="dark"');
  });

  it('is as the system is where nothing was chosen, or something else was sent', async () => {
    expect(await get('/')).toMatch(/^<!doctype html>\s*<html lang="en"/);
    const headers = { Cookie: `grantbox_view_${new URL(sandbox.url).port}=${encodeURIComponent('"><script>')}` };
    expect(await get('/', headers)).toMatch(/^<!doctype html>\s*<html lang="en"/);
  });

  it('keeps secrets off the page of a client, and the form still has them', async () => {
    await post('/clients', { client_id: 'shop', kind: 'machine', scope: 'shop:read' });
    expect(await get('/clients/shop')).toContain('shop-secret');
    const hidden = await get('/clients/shop?secrets=hidden');
    expect(hidden).toMatch(/type="password" value="shop-secret"/);
    expect(hidden.replaceAll('value="shop-secret"', '')).not.toContain('shop-secret');
  });
});

describe('the settings in effect', () => {
  it('are listed with where they are from, and secrets are masked', async () => {
    await restart({ label: 'here', seed: 'a-seed-of-mine', corsOrigins: ['https://app.example'] });
    const page = await get('/settings');
    expect(page).toMatch(/SANDBOX_LABEL[\s\S]*?here[\s\S]*?createSandbox: label/);
    expect(page).not.toContain('a-seed-of-mine');
    expect(page).toMatch(/SEED[\s\S]*?\*\*\*/);
    expect(await get('/clients/frontend')).toContain(
      'web_origins, and on https://app.example (CORS_ORIGINS), may call this sandbox',
    );
  });
});

describe('what strangers write', () => {
  const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

  it('stands on the pages as text', async () => {
    const id = encodeURIComponent(hostile);
    await post('/clients', { client_id: hostile, kind: 'public', redirect_uris: '', scope: 'openid' });
    const sub = `${hostile}2`; // a user is no client
    await post('/users', { sub, name: hostile, email: hostile });
    const claims = JSON.stringify({ [hostile]: hostile });
    expect((await post(`/users/${id}2`, { username: sub, claims, access_token_claims: claims })).status).toBe(303);
    await fetch(`${sandbox.url}/oauth2/jwks`, { headers: { 'User-Agent': hostile } });
    const pages = ['/clients', `/clients/${id}`, '/users', `/users/${id}2`, `/users/${id}2?client=${id}`, '/keys'];
    for (const path of pages) {
      const page = await get(path);
      expect(page, path).toContain('&lt;script&gt;alert(1)');
      expect(page, path).not.toContain('<script>alert');
      expect(page, path).not.toContain('<img');
    }
    const fragment = await (await post(`/api/v1/users/${id}2/preview`, { claims: hostile })).text();
    expect(fragment).not.toContain('<script>');
  });

  it('cannot be put into a page by an address', async () => {
    expect(await get('/clients/frontend?done=A+sentence+of+mine')).not.toContain('A sentence of mine');
  });

  it('of another site is refused', async () => {
    const headers = { Origin: 'https://evil.example' };
    expect((await post('/clients/frontend', { action: 'delete' }, headers)).status).toBe(403);
    expect((await post('/settings/display', { theme: 'dark' }, headers)).status).toBe(403);
    expect(await get('/clients')).toContain('frontend');
  });
});
