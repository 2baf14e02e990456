import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { everything } from '../../conformance/everything.ts';
import { createAgent } from '../../support/agent.ts';
import * as script from '../../support/flow-scripts.ts';
import { get, post, redeem, type Tokens } from '../../support/wire.ts';
import { type OpenedPages, openText } from './recorded.ts';

const otherVerifier = 'another-verifier-of-43-characters-0123456789';

let sandbox: Sandbox;
let opened: OpenedPages;
let file: string;

/** Every kind of flow, with two mistakes of clients. */
async function useEverything({ url, issuer }: Sandbox): Promise<void> {
  await (await get(`${url}/.well-known/openid-configuration`)).arrayBuffer();
  const tokens = await script.logInAndCall(url, { scope: 'openid profile products:read offline_access', nonce: 'n-1' });
  await script.refresh(url, tokens.refresh_token);
  const failed = await script.walkToCode(url, { state: 'the state of the second login' });
  await redeem(url, failed.code, { code_verifier: otherVerifier });
  const device = await script.startDevice(url);
  await script.decideDevice(url, device);
  await script.pollDevice(url, device.device_code);
  await script.startCiba(url);
  await script.password(url, { password: 'a typed password' });
  await script.jwtBearer(url, issuer);
  await script.exchange(url, tokens.access_token);
  await script.walkPushed(url);
  await script.walkFrontChannel(url, 'code id_token token');
  await script.register(url);
  const agent = createAgent(url);
  const other = await script.walkToCode(url, { state: 'the state of a login that ends' }, agent);
  await script.logOut(url, agent, (await script.jsonOf<Tokens>(await redeem(url, other.code))).id_token);
  await (await get(`${url}/no/such/path`)).arrayBuffer();
}

beforeAll(async () => {
  sandbox = await createSandbox(everything);
  await useEverything(sandbox);
  file = await (await get(`${sandbox.url}/dashboard/export/json`)).text();
  opened = await openText(file);
});
afterAll(async () => {
  await opened.stop();
  await sandbox.stop();
});

const here = async (path: string) => (await get(`${sandbox.url}${path}`)).text();
const idsIn = (html: string, kind: string) => [...new Set([...html.matchAll(kindsOf(kind))].map(([, id]) => id))];
const kindsOf = (kind: string) => new RegExp(`/dashboard/${kind}/((?:flow|prb|req|tok)_\\w+)`, 'g');

describe('an opened session', () => {
  it.each(['flows', 'problems', 'tokens', 'requests'])('lists the same %s', async list => {
    const path = `/dashboard/${list}`;
    const ids = idsIn(await here(path), list);
    expect(ids.length).toBeGreaterThan(1);
    expect(idsIn(await opened.text(path), list)).toEqual(ids);
  });

  it.each(['flows', 'problems', 'tokens', 'requests'])('has the page of each of the %s', async list => {
    const ids = idsIn(await opened.text(`/dashboard/${list}`), list);
    for (const id of ids) expect(await opened.text(`/dashboard/${list}/${id}`)).toContain('data-testid="shell-opened"');
  });

  it.each(['flows', 'problems', 'tokens', 'requests'])('offers no way to pause or follow the %s', async list => {
    const path = `/dashboard/${list}`;
    expect(await here(path)).toContain('data-testid="live-pause"');
    expect(await opened.text(path)).not.toMatch(/live-pause|live-follow|live-show/);
  });

  it('draws a flow with the same steps, statuses and times', async () => {
    const [id] = idsIn(await here('/dashboard/flows?q=status:failed'), 'flows');
    const drawn = (html: string) => [
      /data-testid="flow-status">([^<]+)/.exec(html)?.[1],
      /Started <time datetime="[^"]+">/.exec(html)?.[0],
      ...html.matchAll(/<li[^>]* id="step-\d+">/g),
    ];
    const [before, after] = [await here(`/dashboard/flows/${id}`), await opened.text(`/dashboard/flows/${id}`)];
    expect(drawn(before).length).toBeGreaterThan(5);
    expect(drawn(after).map(String)).toEqual(drawn(before).map(String));
  });

  it('explains a problem as it was explained when it was recorded', async () => {
    const [id] = idsIn(await here('/dashboard/problems?q=reason:pkce_mismatch'), 'problems');
    const explained = (html: string) => /<div class="explained">.*?<section/s.exec(html)?.[0];
    const before = explained(await here(`/dashboard/problems/${id}`));
    expect(before).toContain('Hash of your verifier');
    expect(explained(await opened.text(`/dashboard/problems/${id}`))).toBe(before);
  });

  it('shows the command that turns a problem or a flow into a test', async () => {
    const [id] = idsIn(await here('/dashboard/problems?q=reason:pkce_mismatch'), 'problems');
    expect(await opened.text(`/dashboard/problems/${id}`)).toContain(
      `npx grantbox reproduce session.json --problem ${id} --out reproduced.test.ts</code>`,
    );
    expect(await here(`/dashboard/problems/${id}`)).not.toContain('grantbox reproduce');
  });

  it('says which file it is, when it was recorded and that it is read-only', async () => {
    const html = await opened.text('/dashboard/flows');
    const [, banner = ''] = /data-testid="shell-opened">(.*?)<\/p>/s.exec(html) ?? [];
    expect(banner).toContain('<code>session.json</code>');
    expect(banner).toContain(new Date(JSON.parse(file).exportedAt * 1000).toISOString().slice(0, 10));
    expect(banner).toContain('read-only');
    expect(html).toContain(`id="issuer">${sandbox.issuer}<`);
    expect(opened.issuer).toBe(sandbox.issuer);
  });

  it('has the entries of the navigation that it has pages for, and its theme', async () => {
    const html = await opened.text('/dashboard/flows');
    expect([...html.matchAll(/data-testid="((?:nav|tab)-\w+)"/g)].map(([, id]) => id)).toEqual(
      'nav-requests nav-flows nav-problems nav-clients nav-decode tab-flows nav-tokens'.split(' '),
    );
    const body = new URLSearchParams({ theme: 'dark', back: '/dashboard/flows' });
    const answer = await fetch(`${opened.origin}/dashboard/settings/display`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe('/dashboard/flows');
    expect(answer.headers.get('set-cookie')).toContain('=dark;');
  });

  it('finds by the filter, shows the clients and users of the file, and decodes a token', async () => {
    expect(idsIn(await opened.text('/dashboard/requests?q=status:400'), 'requests').length).toBeGreaterThan(0);
    expect(await opened.text('/dashboard/requests?q=nothing-like-this')).not.toContain('data-n=');
    expect(await opened.text('/dashboard/clients/bank')).not.toContain('bank-secret');
    expect(await opened.text('/dashboard/users/alice')).toContain('Alice');
    const token = JSON.parse(file).requests.flatMap(({ events }: { events: { token?: string }[] }) => events);
    const jwt = token.find(({ token = '' }: { token?: string }) => token.startsWith('eyJ')).token;
    const decoded = await post(`${opened.origin}/dashboard/decode`, { token: jwt }, { origin: opened.origin });
    expect(await decoded.text()).toContain('alice');
  });

  it('can be shared again, and that file opens, too', async () => {
    const again = await opened.text('/dashboard/export/json');
    const parts = ({ issuer, exportedAt, flows, problems }: Record<string, { id: string }[]>) => [
      ...[issuer, exportedAt, flows?.map(({ id }) => id), problems?.map(({ id }) => id)],
    ];
    expect(parts(JSON.parse(again))).toEqual(parts(JSON.parse(file)));
    const claims = (text: string) => text.match(/eyJ[\w-]+\.[\w-]+\.\[redacted\]/g)?.length;
    expect(claims(again)).toBe(claims(file));
    await using second = await openText(again);
    expect(second.counts).toEqual(opened.counts);
  });

  it('keeps redacted values redacted', async () => {
    for (const path of ['/dashboard/export/json?secrets=include', '/dashboard/export/html?secrets=include']) {
      const text = await opened.text(path);
      expect(text).toContain('[redacted]');
      for (const secret of [otherVerifier, 'bank-secret', 'a typed password']) expect(text).not.toContain(secret);
    }
  });
});

describe('the server of an opened session', () => {
  it('leads a browser to the flows', async () => {
    expect((await opened.get('/')).headers.get('location')).toBe('/dashboard/flows');
    expect((await opened.get('/dashboard')).headers.get('location')).toBe('/dashboard/flows');
  });

  it.each([
    ['GET', '/oauth2/authorize?client_id=frontend&response_type=code'],
    ['POST', '/oauth2/token'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/userinfo'],
    ['GET', '/api/products'],
    ['POST', '/login'],
    ['POST', '/_sandbox/login'],
    ['POST', '/_sandbox/tokens'],
    ['DELETE', '/_sandbox/clients/frontend'],
    ['GET', '/dashboardx'],
    ['POST', '/'],
    ['GET', '/lessons'],
  ])('refuses %s %s with a sentence', async (method, path) => {
    const response = await fetch(opened.origin + path, { method, redirect: 'manual' });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: 'read_only_session' });
    expect(await opened.text(path, method === 'GET' ? 403 : undefined).catch(() => 'issues no tokens')).toContain(
      'issues no tokens',
    );
  });

  it.each(['/tokens', '/clients', '/users', '/clients/frontend', '/requests/req_x/replay', '/problems/x/fix'])(
    'refuses the form of %s on a page that says why',
    async path => {
      const response = await post(`${opened.origin}/dashboard${path}`, { sub: 'mallory' }, { origin: opened.origin });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('A recorded session is read-only');
    },
  );

  it.each(['/settings', '/faults', '/clock', '/connect', '/keys', '/api', '/report', '/catalogue'])(
    'has no page %s, and no link to it',
    async path => {
      await opened.text(`/dashboard${path}`, 404);
      expect(await opened.text('/dashboard/flows')).not.toContain(`href="/dashboard${path}" data-name`);
    },
  );

  it('adds nothing of its own to the record', async () => {
    const before = await opened.text('/dashboard/requests');
    await fetch(`${opened.origin}/oauth2/token`, { method: 'POST' });
    await post(`${opened.origin}/dashboard/users`, { sub: 'x' }, { origin: 'http://evil.example' });
    expect(await opened.text('/dashboard/requests')).toBe(before);
  });

  it('is not reached by another host name', async () => {
    const { request } = await import('node:http');
    const status = await new Promise(resolve => {
      const headers = { host: 'evil.example' };
      request(`${opened.origin}/dashboard/flows`, { headers }, res => resolve(res.statusCode)).end();
    });
    expect(status).toBe(421);
  });
});

it('opens a file of an older version, which has neither problems nor a setup', async () => {
  const { problems: _, setup: __, ...older } = JSON.parse(file);
  await using pages = await openText(older);
  expect(pages.counts.problems).toBeGreaterThan(0);
  expect(await pages.text('/dashboard/problems?q=reason:pkce_mismatch')).toContain('data-testid="problem-row"');
});
