import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, Visit } from '../support/agent.ts';
import { openRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import { get, post } from '../support/wire.ts';
import { checkTokenError, type Json } from './checks.ts';
import {
  judgeJwt,
  type LogIn,
  longState,
  type Op,
  type Party,
  registerWithKey,
  sendRegistration,
  startOp,
  unsigned,
} from './party.ts';

const signedOut = 'https://rp.example/signed-out';

let op: Op;
let rp: RelyingParty;
beforeAll(async () => {
  op = await startOp();
});
afterAll(() => op[Symbol.asyncDispose]());
beforeEach(async () => {
  rp = await openRelyingParty();
});
afterEach(() => rp.close());

interface Login extends LogIn {
  readonly party: Party;
  readonly agent: Agent;
  readonly id_token: string;
}

async function logIn(metadata: Json = {}): Promise<Login> {
  const party = await registerWithKey(op, { post_logout_redirect_uris: [signedOut], ...metadata });
  const login = await party.logIn();
  return { ...login, party, agent: login.answer.agent, id_token: login.tokens?.id_token ?? '' };
}

function logOut({ agent }: Login, parameters: Readonly<Record<string, string>> = {}): Promise<Visit> {
  return agent.open(`${op.metadata.end_session_endpoint}?${new URLSearchParams(parameters)}`);
}

async function isLoggedIn({ party, agent }: Login): Promise<boolean> {
  const { parameters } = await party.authorize({ prompt: 'none' }, { agent });
  if (!parameters.has('error')) return true;
  expect(parameters.get('error')).toBe('login_required');
  return false;
}

const staysHere = ({ url }: Visit) => url.origin === new URL(op.sandbox.url).origin;

describe('oidcc-rp-initiated-logout', () => {
  it('goes to the post_logout_redirect_uri with the state of 128 characters, and then prompt=none fails', async () => {
    const login = await logIn();
    const state = longState();
    const visit = await logOut(login, { id_token_hint: login.id_token, post_logout_redirect_uri: signedOut, state });
    expect(visit.url.href).toBe(`${signedOut}?${new URLSearchParams({ state })}`);
    expect(await isLoggedIn(login)).toBe(false);
  });

  it('takes the request as a form as well', async () => {
    const login = await logIn();
    const form = { id_token_hint: login.id_token, post_logout_redirect_uri: signedOut, state: 'bye' };
    const response = await post(op.metadata.end_session_endpoint, form, { origin: 'https://rp.example' });
    expect(response.status).toBe(303);
    const own = new URL(response.headers.get('location') ?? '', op.sandbox.url);
    expect((await login.agent.open(own)).url.href).toBe(`${signedOut}?state=bye`);
    expect(await isLoggedIn(login)).toBe(false);
  });

  it('takes an ID token that has expired, for it is a hint', async () => {
    const login = await logIn();
    op.pass(3600);
    const visit = await logOut(login, { id_token_hint: login.id_token, post_logout_redirect_uri: signedOut });
    expect(visit.url.href).toBe(signedOut);
    expect(await isLoggedIn(login)).toBe(false);
  });
});

describe('oidcc-rp-initiated-logout-no-state', () => {
  it('goes to the post_logout_redirect_uri, and no state is invented', async () => {
    const login = await logIn();
    const visit = await logOut(login, { id_token_hint: login.id_token, post_logout_redirect_uri: signedOut });
    expect(visit.url.href).toBe(signedOut);
    expect(await isLoggedIn(login)).toBe(false);
  });
});

describe('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', () => {
  it('logs out, and shows a page', async () => {
    const login = await logIn();
    const visit = await logOut(login, { id_token_hint: login.id_token, state: 'bye' });
    expect([visit.status, staysHere(visit)]).toEqual([200, true]);
    expect(visit.html).toContain('You are signed out');
    expect(await isLoggedIn(login)).toBe(false);
  });
});

describe.each<[string, Readonly<Record<string, string>>]>([
  ['oidcc-rp-initiated-logout-no-params', {}],
  ['oidcc-rp-initiated-logout-only-state', { state: 'bye' }],
])('%s', (_module, parameters) => {
  it('asks the user, logs out when they agree, and shows a page', async () => {
    const login = await logIn();
    const asked = await logOut(login, parameters);
    expect([asked.status, staysHere(asked)]).toEqual([200, true]);
    expect(await isLoggedIn(login)).toBe(true);
    const visit = await login.agent.submit(asked, 'logout-confirm');
    expect(staysHere(visit)).toBe(true);
    expect(visit.html).toContain('You are signed out');
    expect(await isLoggedIn(login)).toBe(false);
  });
});

describe.each<[string, (login: Login) => Readonly<Record<string, string>>]>([
  ['oidcc-rp-initiated-logout-no-id-token-hint', () => ({ post_logout_redirect_uri: signedOut })],
  [
    'oidcc-rp-initiated-logout-bad-id-token-hint',
    () => ({ id_token_hint: 'not.a.token', post_logout_redirect_uri: signedOut }),
  ],
  [
    'oidcc-rp-initiated-logout-modified-id-token-hint',
    ({ id_token }) => ({ id_token_hint: unsigned(decodeJwt(id_token)), post_logout_redirect_uri: signedOut }),
  ],
  [
    'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
    ({ id_token }) => ({ id_token_hint: id_token, post_logout_redirect_uri: 'https://rp.example/other' }),
  ],
  [
    'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
    ({ id_token }) => ({ id_token_hint: id_token, post_logout_redirect_uri: `${signedOut}?foo=bar` }),
  ],
])('%s', (_module, parametersOf) => {
  it('shows an error page, redirects nowhere, and nobody is logged out', async () => {
    const login = await logIn();
    const visit = await logOut(login, { ...parametersOf(login), state: 'bye' });
    expect([visit.status, staysHere(visit)]).toEqual([400, true]);
    expect(visit.html).toContain('data-testid="problem-code">invalid_request<');
    expect(visit.html).not.toMatch(/<a[^>]+rp\.example|http-equiv="refresh"/);
    expect(await isLoggedIn(login)).toBe(true);
  });
});

describe('oidcc-backchannel-rp-initiated-logout', () => {
  it('posts a logout token and nothing else, which fits the ID token, and the user is logged out', async () => {
    const login = await logIn({
      backchannel_logout_uri: rp.backchannel,
      backchannel_logout_session_required: true,
    });
    const { id_token, idToken, party } = login;
    const visit = await logOut(login, { id_token_hint: id_token, post_logout_redirect_uri: signedOut });
    expect(visit.url.href).toBe(signedOut);
    expect(rp.received).toHaveLength(1);
    const [request] = rp.received;
    expect(request?.type).toBe('application/x-www-form-urlencoded');
    expect([...(request?.parameters.keys() ?? [])]).toEqual(['logout_token']);
    const claims = await judgeJwt(party, request?.parameters.get('logout_token') ?? '', {
      requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti', 'events', 'sub', 'sid'],
      algorithms: ['RS256'],
      maxTokenAge: '2 min',
    });
    expect(claims.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} });
    expect(claims).not.toHaveProperty('nonce');
    expect(claims).toMatchObject({ sub: idToken.sub, sid: idToken.sid });
    expect(idToken.sid).toMatch(/./);
    expect(await isLoggedIn(login)).toBe(false);
  });
});

describe('oidcc-frontchannel-rp-initiated-logout', () => {
  it('shows a page that loads the address of the RP with iss and sid, and then goes on to the RP', async () => {
    const frontchannel_logout_uri = 'https://rp.example/frontchannel?tenant=1';
    const login = await logIn({ frontchannel_logout_uri, frontchannel_logout_session_required: true });
    const { id_token, idToken } = login;
    const state = longState();
    const visit = await logOut(login, { id_token_hint: id_token, post_logout_redirect_uri: signedOut, state });
    expect([visit.status, staysHere(visit)]).toEqual([200, true]);
    const [, src = ''] = /<iframe src="([^"]+)"/.exec(visit.html) ?? [];
    const frame = new URL(src.replace(/&#38;|&amp;/g, '&'));
    expect(frame.origin + frame.pathname).toBe('https://rp.example/frontchannel');
    expect(Object.fromEntries(frame.searchParams)).toEqual({ tenant: '1', iss: op.metadata.issuer, sid: idToken.sid });
    expect(visit.html).toContain(`content="5;url=${signedOut}?state=${state}"`);
    expect(await isLoggedIn(login)).toBe(false);
  });
});

describe('the address of front-channel logout', () => {
  it('is on the host of a redirect URI, or cannot be registered', async () => {
    const response = await sendRegistration(op, { frontchannel_logout_uri: 'https://other.example/frontchannel' });
    expect(await checkTokenError(response)).toBe('invalid_client_metadata');
  });
});

describe('oidcc-session-management-rp-initiated-logout', () => {
  /** What the check_session_iframe would find (OIDC Session Management §3.2). */
  function isUnchanged({ party, agent, answer }: Login): boolean {
    const session_state = answer.parameters.get('session_state') ?? '';
    const [, salt = ''] = session_state.split('.');
    const [, browserState = ''] = [...agent.cookies].find(([name]) => name.startsWith('grantbox_state')) ?? [];
    const text = [party.client.client_id, 'https://rp.example', browserState, salt].join(' ');
    return session_state === `${createHash('sha256').update(text).digest('hex')}.${salt}`;
  }

  it('answers with a session_state that fits the browser until the logout, and not after it', async () => {
    const login = await logIn();
    expect(login.answer.parameters.get('session_state')).not.toContain(' ');
    expect(isUnchanged(login)).toBe(true);
    await logOut(login, { id_token_hint: login.id_token, post_logout_redirect_uri: signedOut });
    expect(isUnchanged(login)).toBe(false);
  });

  it('finds an iframe at check_session_iframe that anybody may load', async () => {
    const response = await get(String(op.metadata.check_session_iframe));
    expect([response.status, response.headers.has('x-frame-options')]).toEqual([200, false]);
    expect(response.headers.get('content-security-policy')).not.toContain('frame-ancestors');
  });
});
