import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { openRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import { answer, authorizeQuery, callback, get, login, portOf, post, redeem, type Tokens } from '../support/wire.ts';

const bye = 'http://localhost:5173/bye';
let rps: { good: RelyingParty; broken: RelyingParty; hanging: RelyingParty };
let sandbox: Sandbox;
let url: string;

const client = (client_id: string, changes: Partial<ClientEntry> = {}): ClientEntry => ({
  client_id,
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  post_logout_redirect_uris: [bye],
  scope: 'openid offline_access',
  ...changes,
});

beforeEach(async () => {
  const [good, broken, hanging] = await Promise.all([
    openRelyingParty(),
    openRelyingParty(500),
    openRelyingParty('hang'),
  ]);
  rps = { good, broken, hanging };
  sandbox = await createSandbox({
    clients: [
      client('good', { backchannel_logout_uri: good.backchannel, backchannel_logout_session_required: true }),
      client('broken', { backchannel_logout_uri: broken.backchannel, id_token_signed_response_alg: 'ES256' }),
      client('hanging', { backchannel_logout_uri: hanging.backchannel }),
      client('framed', { frontchannel_logout_uri: 'http://localhost:4000/out?tenant=1' }),
      client('silent'),
    ],
  });
  url = sandbox.url;
});
afterEach(async () => {
  await sandbox.stop();
  await Promise.all(Object.values(rps).map(rp => rp.close()));
});

/** Tokens of a client for the login of this cookie. */
async function visit(client_id: string, cookie: string, scope = 'openid'): Promise<Tokens> {
  const code = (await answer(url, cookie, { client_id, scope })).get('code') ?? '';
  return (await (await redeem(url, code, { client_id })).json()) as Tokens;
}

function logOut(cookie: string, { id_token }: Tokens, state = 'bye'): Promise<Response> {
  const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: bye, state });
  return get(`${url}/connect/logout?${query}`, { cookie });
}

/** A logout token as its client would judge it. */
async function judged(rp: RelyingParty, audience: string): Promise<JWTPayload> {
  const metadata = (await (await get(`${url}/.well-known/openid-configuration`)).json()) as Record<string, string>;
  const keys = createRemoteJWKSet(new URL(new URL(metadata.jwks_uri ?? '').pathname, url));
  const [request] = rp.received;
  const { payload } = await jwtVerify(request?.parameters.get('logout_token') ?? '', keys, {
    issuer: metadata.issuer ?? '',
    audience,
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'exp', 'jti', 'events', 'sub', 'sid'],
    maxTokenAge: '2 min',
  });
  return payload;
}

describe('back-channel logout', () => {
  it('posts each client of the session a logout token that fits its ID token, and goes on', async () => {
    const cookie = await login(url);
    const { id_token } = await visit('good', cookie);
    const broken = await visit('broken', cookie);
    const response = await logOut(cookie, broken, 's'.repeat(128));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`${bye}?state=${'s'.repeat(128)}`);

    const [request] = rps.good.received;
    expect(rps.good.received).toHaveLength(1);
    expect(request).toMatchObject({ path: '/backchannel', type: 'application/x-www-form-urlencoded' });
    expect([...(request?.parameters.keys() ?? [])]).toEqual(['logout_token']);
    const { sub, sid } = decodeJwt(id_token);
    const token = await judged(rps.good, 'good');
    expect(token).toMatchObject({ sub, sid });
    expect(token.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} });
    expect(token).not.toHaveProperty('nonce');
    expect(await judged(rps.broken, 'broken')).toMatchObject({ sid });
    expect((await answer(url, cookie, { client_id: 'good', scope: 'openid', prompt: 'none' })).get('error')).toBe(
      'login_required',
    );
  });

  it('does not wait long for a client that hangs, nor mind one that fails, and says so in the log', async () => {
    const cookie = await login(url);
    const tokens = await visit('good', cookie);
    await visit('hanging', cookie);
    await visit('broken', cookie);
    const response = await logOut(cookie, tokens);
    expect(response.headers.get('location')).toBe(`${bye}?state=bye`);
    expect([rps.good, rps.broken, rps.hanging].map(rp => rp.received.length)).toEqual([1, 1, 1]);
    const notices = Object.fromEntries(
      [...sandbox.events.latest('logout.notified', 10)].map(event => [event.client_id, event]),
    );
    expect(notices).toMatchObject({
      good: { channel: 'back', url: rps.good.backchannel, status: 200, milliseconds: expect.any(Number) },
      broken: { status: 500, failure: expect.any(String) },
      hanging: { failure: expect.stringContaining('did not answer within 3000 ms') },
    });
    expect(notices.hanging).not.toHaveProperty('status');
  });

  it('shows who was told, where the user stays', async () => {
    const cookie = await login(url);
    await visit('good', cookie);
    await visit('broken', cookie);
    await visit('silent', cookie);
    const asked = await (await get(`${url}/connect/logout`, { cookie })).text();
    for (const client_id of ['good', 'broken', 'silent']) expect(asked).toContain(`<code>${client_id}</code>`);
    const page = await (await post(`${url}/logout`, { decision: 'logout' }, { cookie, origin: url })).text();
    expect(page).toContain('You are signed out');
    expect(page).toContain(rps.good.backchannel);
    expect(page).toMatch(/>200<[\s\S]*>500<|>500<[\s\S]*>200</);
    expect(page).not.toContain('<iframe');
  });

  it('tells the clients of whom somebody else logs in over', async () => {
    const cookie = await login(url, 'alice');
    const { id_token } = await visit('good', cookie);
    const other = await post(`${url}/login?${authorizeQuery()}`, { sub: 'bob' }, { origin: url, cookie });
    expect(other.status).toBe(303);
    expect(await judged(rps.good, 'good')).toMatchObject({ sub: 'alice', sid: decodeJwt(id_token).sid });
    expect(sandbox.events.latest('session.ended', 1)[0]).toMatchObject({ sub: 'alice', replacedBy: 'bob' });
    expect((await answer(url, cookie, { client_id: 'good', scope: 'openid', prompt: 'none' })).get('error')).toBe(
      'login_required',
    );
    const [bobs = ''] = other.headers.getSetCookie();
    const after = await visit('good', bobs.split(';', 1)[0] ?? '');
    expect(decodeJwt(after.id_token)).toMatchObject({ sub: 'bob' });
    expect(decodeJwt(after.id_token).sid).not.toBe(decodeJwt(id_token).sid);
  });

  it('tells nobody when the same user logs in again, and everybody at the end', async () => {
    const cookie = await login(url, 'alice');
    const { id_token } = await visit('good', cookie);
    const again = await post(`${url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: url, cookie });
    const fresh = again.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(rps.good.received).toEqual([]);
    const tokens = await visit('silent', fresh);
    expect(decodeJwt(tokens.id_token).sid).toBe(decodeJwt(id_token).sid);
    await logOut(fresh, tokens);
    expect(await judged(rps.good, 'good')).toMatchObject({ sid: decodeJwt(id_token).sid });
  });
});

describe('the refresh tokens of a session', () => {
  const refresh = ({ refresh_token }: Tokens) =>
    post(`${url}/oauth2/token`, { grant_type: 'refresh_token', client_id: 'silent', refresh_token });

  it.each([
    ['openid', 400],
    ['openid offline_access', 200],
  ])('with the scope %s answer %s after the logout', async (scope, status) => {
    const cookie = await login(url);
    const tokens = await visit('silent', cookie, scope);
    await logOut(cookie, tokens);
    expect((await refresh(tokens)).status).toBe(status);
  });
});

describe('front-channel logout', () => {
  it('answers with a page that loads the address with iss and sid, and goes on without scripts too', async () => {
    const cookie = await login(url);
    const tokens = await visit('framed', cookie);
    const response = await logOut(cookie, tokens);
    const html = await response.text();
    expect(response.status).toBe(200);
    const { iss = '', sid } = decodeJwt(tokens.id_token);
    const frame = `http://localhost:4000/out?tenant=1&${new URLSearchParams({ iss, sid: String(sid) })}`;
    expect(html).toContain(`<iframe src="${frame.replaceAll('&', '&amp;')}"`);
    expect(html).toContain(`<noscript><meta http-equiv="refresh" content="5;url=${bye}?state=bye"></noscript>`);
    expect(html).toContain(`href="${bye}?state=bye"`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toContain('frame-src http://localhost:4000');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(sandbox.events.latest('logout.notified', 1)[0]).toMatchObject({ channel: 'front', url: frame });
  });

  it('frames nothing on any other page', async () => {
    const cookie = await login(url);
    await visit('framed', cookie);
    for (const path of ['/connect/logout', `/oauth2/authorize?${authorizeQuery({ prompt: 'login' })}`]) {
      const response = await get(url + path, { cookie });
      expect(response.headers.get('content-security-policy')).not.toContain('frame-src');
    }
  });
});

describe('the cookies', () => {
  it('of a login are one for us and one the check_session_iframe can read', async () => {
    const response = await post(`${url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: url });
    const state = response.headers.getSetCookie().find(each => each.startsWith('grantbox_state'));
    expect(state).toMatch(
      new RegExp(`^grantbox_state_${portOf(url)}=[\\w-]{43}; Path=/; Max-Age=28800; SameSite=Lax$`),
    );
  });

  it.each([
    ['a redirect', true],
    ['a page', false],
  ])('go with a logout that ends with %s', async (_what, redirects) => {
    const cookie = await login(url);
    const { id_token } = await visit('silent', cookie);
    const query = { id_token_hint: id_token, ...(redirects ? { post_logout_redirect_uri: bye } : {}) };
    const response = await get(`${url}/connect/logout?${new URLSearchParams(query)}`, { cookie });
    const gone = response.headers.getSetCookie().map(each => each.split(';', 3).join(';'));
    expect(gone).toEqual([
      `grantbox_session_${portOf(url)}=; Path=/; Max-Age=0`,
      `grantbox_state_${portOf(url)}=; Path=/; Max-Age=0`,
    ]);
  });

  it('stay while the user is only asked', async () => {
    const cookie = await login(url);
    expect((await get(`${url}/connect/logout`, { cookie })).headers.getSetCookie()).toEqual([]);
  });
});

describe('the check_session_iframe', () => {
  it('is where discovery says, and may be framed by anybody', async () => {
    const metadata = (await (await get(`${url}/.well-known/openid-configuration`)).json()) as Record<string, string>;
    const { pathname } = new URL(metadata.check_session_iframe ?? '');
    const response = await get(url + pathname);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.has('x-frame-options')).toBe(false);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/frame-ancestors|unsafe/);
    const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(await response.text()) ?? [];
    expect((await get(url + script)).headers.get('content-type')).toContain('text/javascript');
  });
});

describe('what is switched off', () => {
  it('is neither advertised nor answered, and logout goes on without it', async () => {
    await using bare = await createSandbox({
      features: { 'backchannel-logout': false, 'frontchannel-logout': false, 'session-management': false },
    });
    const metadata = await (await get(`${bare.url}/.well-known/openid-configuration`)).json();
    expect(Object.keys(metadata as object).filter(name => /session_iframe|channel_logout/.test(name))).toEqual([]);
    expect((await get(`${bare.url}/connect/check_session`)).status).toBe(501);
    const response = await post(`${bare.url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: bare.url });
    expect(response.headers.getSetCookie().join()).not.toContain('grantbox_state');
    const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect((await answer(bare.url, cookie)).has('session_state')).toBe(false);
    const page = await post(`${bare.url}/logout`, { decision: 'logout' }, { cookie, origin: bare.url });
    expect(await page.text()).toContain('You are signed out');
  });

  it('is all advertised where it is on', async () => {
    const metadata = await (await get(`${url}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({
      check_session_iframe: expect.stringContaining('/connect/check_session'),
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });
});
