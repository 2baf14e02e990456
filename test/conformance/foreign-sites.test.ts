import { afterAll, describe, expect, it } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { authorizeQuery, callback, get, login, portOf, post, raw, statusOf } from '../support/wire.ts';
import { asBank, deviceGrant, everything } from './everything.ts';

const sandbox = await createSandbox({ ...everything, tls: 'off' });
const { url } = sandbox;
afterAll(() => sandbox.stop());

const foreign = 'https://evil.example';
/** Every page of ours, with the method that shows it. */
const pages = [
  `/oauth2/authorize?${authorizeQuery()}`,
  '/login',
  '/login/device',
  '/login/approvals',
  '/logout',
  '/consent',
  '/connect/logout',
  '/oauth2/device_verification',
  '/oauth2/device_verification?user_code=BBBB-BBBB',
  '/approvals',
  '/dashboard',
  '/dashboard/tokens',
  '/dashboard/api/v1/home',
  '/dashboard/api/v1/events',
  '/connect/check_session',
];
/** What is called by programs. */
const called = [
  '/oauth2/token',
  '/oauth2/par',
  '/oauth2/introspect',
  '/oauth2/revoke',
  '/oauth2/device_authorization',
  '/oauth2/device_verification/qr?user_code=BBBB-BBBB',
  '/oauth2/bc-authorize',
  '/connect/register',
  '/connect/register/x',
  '/userinfo',
  '/oauth2/jwks',
  '/api/products',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
];

/** A browser that somebody is signed in with, by its cookies. */
async function signedIn(sub = 'alice'): Promise<string> {
  const response = await post(`${url}/login?${authorizeQuery()}`, { sub }, { origin: url });
  return response.headers
    .getSetCookie()
    .map(line => line.split(';', 1)[0])
    .join('; ');
}

async function startDevice(): Promise<{ device_code: string; user_code: string }> {
  const response = await post(`${url}/oauth2/device_authorization`, { client_id: 'frontend', scope: 'openid' });
  return (await response.json()) as { device_code: string; user_code: string };
}

async function pollDevice(device_code: string): Promise<string> {
  const response = await post(`${url}/oauth2/token`, { grant_type: deviceGrant, client_id: 'frontend', device_code });
  return ((await response.json()) as { error?: string }).error ?? 'tokens';
}

describe('DNS rebinding (T-01, T-02)', () => {
  it.each([...pages, ...called])('reaches nothing at %s under a foreign Host, by GET or POST', async path => {
    for (const host of ['evil.example', `evil.example:${portOf(url)}`, '127.0.0.1.evil.example', '[', '%', 'a b']) {
      const get = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const type = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\nConnection: close\r\n';
      for (const text of [get, `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\na=b`]) {
        const answered = await raw(portOf(url), text);
        expect([400, 421], `${host} ${answered.slice(0, 100)}`).toContain(statusOf(answered));
        expect(answered).not.toMatch(/access-control-allow|set-cookie/i);
      }
    }
  });

  it.each([
    '[',
    'http://[',
    'null',
    'http://',
    '://',
    '%',
    '\\',
    'x'.repeat(3000),
    'http://evil.example:99999',
    'file://',
  ])('with the Origin %j ends in an answer everywhere', async origin => {
    for (const path of [...pages, ...called]) {
      const body = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n';
      const text = `POST ${path} HTTP/1.1\r\nHost: localhost:${portOf(url)}\r\nOrigin: ${origin}\r\n${body}Connection: close\r\n\r\na=b`;
      const status = statusOf(await raw(portOf(url), text));
      expect(status, path).toBeGreaterThan(0);
      expect(status, path).not.toBe(500);
    }
    expect((await get(`${url}/health`)).status).toBe(200);
  });
});

describe('a form of a foreign site (T-03, T-11)', () => {
  const origins: readonly (readonly [string, Record<string, string>])[] = [
    ['a foreign origin', { origin: foreign }],
    ['another port', { origin: 'http://localhost:5173' }],
    ['null', { origin: 'null' }],
    ['no origin, but cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['no origin, but same-site', { 'sec-fetch-site': 'same-site' }],
  ];
  /** `fetch` sets some headers itself. */
  const send = async (path: string, form: Record<string, string>, headers: Record<string, string>) => {
    const body = new URLSearchParams(form).toString();
    const lines = Object.entries({
      Host: `localhost:${portOf(url)}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
      Connection: 'close',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    return raw(portOf(url), `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  };

  it.each(origins)('from %s cannot connect a device', async (_what, headers) => {
    const { device_code, user_code } = await startDevice();
    const cookie = await signedIn();
    const form = { user_code, decision: 'allow', as: 'alice' };
    expect(statusOf(await send('/oauth2/device_verification', form, { ...headers, cookie }))).toBe(403);
    expect(await pollDevice(device_code)).toBe('authorization_pending');
  });

  it.each(origins)('from %s cannot approve what a client asked for', async (_what, headers) => {
    const cookie = await signedIn();
    const asked = { scope: 'openid', login_hint: 'alice' };
    const { auth_req_id } = (await (
      await post(`${url}/oauth2/bc-authorize`, asked, { authorization: asBank })
    ).json()) as { auth_req_id: string };
    const html = await (await get(`${url}/approvals`, { cookie })).text();
    const request = [...html.matchAll(/name="request" value="([^"]+)"/g)].at(-1)?.[1] ?? '';
    expect(request).not.toBe('');
    expect(statusOf(await send('/approvals', { request, decision: 'allow' }, { ...headers, cookie }))).toBe(403);
    const form = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id };
    const polled = await post(`${url}/oauth2/token`, form, { authorization: asBank });
    expect(await polled.json()).toMatchObject({ error: 'authorization_pending' });
  });

  it.each(origins)('from %s cannot consent', async (_what, headers) => {
    const agent = createAgent(new URL(url).origin);
    const query = authorizeQuery({ client_id: 'shop', code_challenge: '', code_challenge_method: '' });
    const page = await agent.submit(await agent.open(`${url}/oauth2/authorize?${query}`), 'login-user-alice');
    const sid = /name="sid" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    expect(sid).not.toBe('');
    const cookie = [...agent.cookies].map(pair => pair.join('=')).join('; ');
    const said = { sid, decision: 'allow', 'scope:openid': 'on', remember: 'on' };
    const answered = await send(`/consent?${query}`, said, { ...headers, cookie });
    expect(statusOf(answered)).toBe(403);
    expect(answered).not.toMatch(/set-cookie/i);
    expect((await agent.open(`${url}/oauth2/authorize?${query}`)).html).toContain('consent-allow');
  });

  it.each(origins)('from %s cannot sign anybody in on a page of ours', async (_what, headers) => {
    for (const path of ['/login/device', '/login/approvals']) {
      const answered = await send(path, { sub: 'mallory' }, headers);
      expect(statusOf(answered)).toBe(403);
      expect(answered).not.toMatch(/set-cookie/i);
    }
  });

  it('changes nothing by GET, whatever the address says', async () => {
    const cookie = await signedIn();
    const { device_code, user_code } = await startDevice();
    await get(`${url}/oauth2/device_verification?user_code=${user_code}&decision=allow&as=alice`, { cookie });
    expect(await pollDevice(device_code)).toBe('authorization_pending');
    for (const path of [
      '/login/device?sub=bob',
      '/login?sub=bob',
      '/logout?decision=logout',
      '/consent?decision=allow',
    ]) {
      const response = await get(url + path, { cookie });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await get(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`, { cookie })).status).toBe(302);
  });

  it('of plain text or JSON is no form', async () => {
    const cookie = await signedIn();
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x'])
      for (const path of ['/oauth2/device_verification', '/approvals', '/login/device', '/consent']) {
        const response = await post(url + path, 'decision=allow', { cookie, origin: url, 'content-type': type });
        expect(response.status, `${path} ${type}`).toBe(415);
      }
  });

  it('cannot register a client by a form or by plain text, which need no preflight', async () => {
    const body = JSON.stringify({ redirect_uris: [`${foreign}/cb`] });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await post(`${url}/connect/register`, body, { 'content-type': type, origin: foreign })).status).toBe(415);
  });
});

describe('a script of a foreign site (T-04)', () => {
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter(name => name.startsWith('access-control-'));
  const preflight = (path: string, method: string) =>
    fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin: foreign, 'access-control-request-method': method, 'access-control-request-headers': 'x' },
    });

  it.each(pages)('can read nothing of %s', async path => {
    const answers = [
      await get(url + path, { origin: foreign, 'sec-fetch-site': 'cross-site' }),
      await post(url + path, { a: 'b' }, { origin: foreign }),
      await preflight(path, 'GET'),
      await preflight(path, 'POST'),
    ];
    for (const response of answers) {
      expect(corsHeaders(response)).toEqual([]);
      await response.body?.cancel();
    }
  });

  it.each(called)('may read %s only where it is metadata, and never with cookies', async path => {
    const response = await get(url + path, { origin: foreign });
    const isPublic = path === '/oauth2/jwks' || path.startsWith('/.well-known/');
    expect(response.headers.get('access-control-allow-origin')).toBe(isPublic ? foreign : null);
    const isToken = path === '/oauth2/token'; // some SDKs send credentials there; they mean nothing
    expect(response.headers.get('access-control-allow-credentials')).toBe(isToken ? 'true' : null);
  });

  it('cannot read the live feed of the dashboard', async () => {
    const senders: Record<string, string>[] = [{ origin: foreign }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of senders) {
      const response = await get(`${url}/dashboard/api/v1/events`, { ...headers, accept: 'text/event-stream' });
      expect(response.headers.get('content-type') ?? '').not.toContain('event-stream');
      expect(response.status).toBeGreaterThanOrEqual(400);
      await response.body?.cancel();
    }
  });
});

describe('a frame of a foreign site (T-10)', () => {
  it.each([
    ['the login', `/oauth2/authorize?${authorizeQuery()}`],
    ['the sign-in of a device', '/oauth2/device_verification'],
    ['the sign-in of the approvals', '/approvals'],
    ['a refusal', '/oauth2/authorize'],
    ['a path that is none', '/nothing'],
    ['the end of a session', '/connect/logout'],
    ['the dashboard', '/dashboard'],
    ['a list of the dashboard', '/dashboard/tokens'],
  ])('cannot show %s', async (_what, path) => {
    const { headers } = await get(url + path, { accept: 'text/html' });
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('cannot show what a signed-in user decides on', async () => {
    const cookie = await signedIn();
    const { user_code } = await startDevice();
    const consent = authorizeQuery({ client_id: 'shop', code_challenge: '', code_challenge_method: '' });
    for (const path of [
      '/oauth2/device_verification',
      `/oauth2/device_verification?user_code=${user_code}`,
      '/approvals',
      `/oauth2/authorize?${consent}`,
      '/connect/logout',
    ]) {
      const { headers } = await get(url + path, { cookie, accept: 'text/html' });
      expect(headers.get('x-frame-options'), path).toBe('DENY');
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control'), path).toBe('no-store');
    }
  });

  it('can show only the check of a session and the form that posts an answer, which decide nothing', async () => {
    const cookie = await signedIn();
    const query = authorizeQuery({ response_mode: 'form_post' });
    for (const path of ['/connect/check_session', `/oauth2/authorize?${query}`]) {
      const { headers } = await get(url + path, { cookie });
      expect(headers.get('x-frame-options')).toBeNull();
      expect(headers.get('content-security-policy')).not.toContain('frame-ancestors');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });
});

describe('a login that leads to a page (T-09)', () => {
  it.each([
    'next=https://evil.example/',
    'return_to=//evil.example',
    'redirect_uri=https://evil.example/',
    'target_link_uri=https://evil.example/',
    '//evil.example',
    '@evil.example',
    '\\\\evil.example',
    'user_code=%0d%0aLocation:%20https://evil.example/',
  ])('leads to a page of ours, whatever its query is: %s', async query => {
    for (const [path, target] of [
      ['/login/device', '/oauth2/device_verification'],
      ['/login/approvals', '/approvals'],
    ] as const)
      for (const response of [
        await post(`${url}${path}?${query}`, { sub: 'alice' }, { origin: url }),
        await get(`${url}${path}?${query}`),
      ]) {
        const to = new URL(response.headers.get('location') ?? '', url);
        expect([to.origin, to.pathname]).toEqual([new URL(url).origin, target]);
        expect(response.headers.get('set-cookie') ?? '').not.toMatch(/evil/);
      }
  });

  it.each([
    '/login//evil.example',
    '/login/%2f%2fevil.example',
    '/login/..%2f..%2fevil',
    '/login/constructor',
    '/login/__proto__',
  ])('is at no other address: %s', async path => {
    for (const response of [await get(url + path), await post(url + path, { sub: 'alice' }, { origin: url })]) {
      expect(response.status).toBe(404);
      expect(response.headers.get('location')).toBeNull();
    }
  });

  it('of an authorization request leads to the authorization endpoint, and from there to what is registered', async () => {
    const evil = authorizeQuery({ redirect_uri: `${foreign}/cb` });
    const cookie = await login(url);
    for (const response of [
      await post(`${url}/login?${evil}`, { sub: 'alice' }, { origin: url }),
      await post(`${url}/consent?${evil}`, { decision: 'deny' }, { origin: url, cookie }),
      await get(`${url}/oauth2/authorize?${evil}`, { cookie }),
    ]) {
      const to = response.headers.get('location');
      if (to !== null) expect(new URL(to, url).origin).toBe(new URL(url).origin);
    }
    const { headers } = await get(`${url}/oauth2/authorize?${authorizeQuery()}`, { cookie });
    expect(headers.get('location')).toMatch(`${callback}?code=`);
  });
});

describe('a session (T-11, T-12)', () => {
  it.each(['/login/device', '/login/approvals'])('begun at %s has a new id, whatever cookie came', async path => {
    const before = await signedIn('mallory');
    const response = await post(url + path, { sub: 'alice' }, { origin: url, cookie: before });
    const [session = ''] = response.headers.getSetCookie();
    expect(session).toMatch(/^grantbox_session_\d+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(before).not.toContain(session.split(';', 1)[0]);
  });

  it('of another user than the page was shown to decides nothing', async () => {
    const { device_code, user_code } = await startDevice();
    const form = { user_code, decision: 'allow', as: 'alice' };
    const mallory = await signedIn('mallory');
    await post(`${url}/oauth2/device_verification`, form, { origin: url, cookie: mallory });
    expect(await pollDevice(device_code)).toBe('authorization_pending');
  });

  it('has cookies without a Domain, and none that a script can read but the state of the session', async () => {
    const response = await post(`${url}/login/device`, { sub: 'alice' }, { origin: url });
    for (const line of response.headers.getSetCookie()) {
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).not.toMatch(/domain=/i);
      expect(/; HttpOnly/.test(line)).toBe(!line.startsWith('grantbox_state'));
    }
  });
});

describe('guessing a user code (T-18)', () => {
  it('is stopped for a session, answered the same for every wrong code, and the right one is stopped too', async () => {
    const { user_code } = await startDevice();
    const cookie = await signedIn('mallory');
    const guess = (code: string) => get(`${url}/oauth2/device_verification?user_code=${code}`, { cookie });
    for (let count = 0; count < 10; count++) expect((await guess('BBBB-BBBB')).status).toBe(400);
    expect((await guess(user_code)).status).toBe(429);
    expect((await guess(user_code)).headers.get('retry-after')).toBe('60');
  });

  it('is stopped for an address that begins a session for every guess', async () => {
    await using limited = await createSandbox({ ...everything, loginRateLimit: 5 });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await post(`${limited.url}/login/device`, { sub: `m${count}` }, { origin: limited.url })).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  });
});

describe('a header of a proxy (T-28, BCP-17)', () => {
  const spoofed = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '10.0.0.1',
    forwarded: 'host=evil.example;proto=https',
    'x-original-url': '/dashboard',
    'x-rewrite-url': '/dashboard',
    'x-http-method-override': 'DELETE',
    'x-forwarded-prefix': '/evil',
    'x-client-cert': 'MIIB',
    'x-ssl-client-cert': 'MIIB',
    'x-forwarded-client-cert': 'Hash=abc',
  };

  it('changes no address, no method and no page', async () => {
    const device = await post(`${url}/oauth2/device_authorization`, { client_id: 'frontend' }, spoofed);
    expect(await device.text()).not.toMatch(/evil|https:/);
    const metadata = { redirect_uris: ['https://app.example/cb'] };
    const registered = await fetch(`${url}/connect/register`, {
      method: 'POST',
      body: JSON.stringify(metadata),
      headers: { ...spoofed, 'content-type': 'application/json' },
    });
    const client = (await registered.json()) as Record<string, string>;
    expect(client.registration_client_uri).toMatch(`${sandbox.issuer}/connect/register/`);
    const read = await get(client.registration_client_uri ?? '', {
      ...spoofed,
      authorization: `Bearer ${client.registration_access_token}`,
    });
    expect(read.status).toBe(200);
    for (const path of ['/approvals', '/oauth2/device_verification', '/.well-known/oauth-protected-resource'])
      expect(await (await get(url + path, spoofed)).text()).not.toMatch(/evil/);
  });
});
