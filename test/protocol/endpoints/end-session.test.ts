import { beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { confirmLogout, endSession } from '../../../src/protocol/endpoints/end-session.ts';
import type { Reply } from '../../../src/protocol/endpoints/endpoint.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import { findSession } from '../../../src/protocol/users/session.ts';
import { altered } from '../../support/forgeries.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  refusal,
  type TestServer,
  web,
  webRequest,
} from '../../support/server.ts';

const bye = 'https://shop.example/bye';

let sandbox: TestServer;
let session: Session;
let hint: string;
beforeEach(async () => {
  sandbox = createTestServer();
  session = await sandbox.login('alice');
  hint = await hintOf(session);
});

/** An ID token of `web`. */
async function hintOf(of: Session): Promise<string> {
  const code = await sandbox.code(webRequest, of);
  const { redirect_uri } = webRequest;
  const asWeb = basic('web', 'web-secret');
  return (await sandbox.token({ grant_type: 'authorization_code', code, redirect_uri }, asWeb)).id_token ?? '';
}

const logout = (parameters: Record<string, string> = {}, as: Session | undefined = session): Promise<Reply> =>
  endSession(
    sandbox.server,
    sandbox.request(parameters, as === undefined ? { method: 'GET' } : { method: 'GET', sessionId: as.id }),
  );

const page = (reply: Reply) => (reply.kind === 'page' ? reply.page.name : reply.kind);
const isLoggedIn = async () => (await findSession(sandbox.server, session.id)) !== undefined;

describe('a logout with the id_token_hint of who is logged in (RP-Initiated Logout §2)', () => {
  it('ends the session and goes back with the state', async () => {
    const state = 's'.repeat(128);
    const reply = await logout({ id_token_hint: hint, post_logout_redirect_uri: bye, state });
    expect(reply).toEqual({ kind: 'redirect', location: `${bye}?state=${state}`, loggedOut: true });
    expect(await isLoggedIn()).toBe(false);
    expect((await sandbox.answer({ prompt: 'none' }, session)).get('error')).toBe('login_required');
  });

  it('invents no state', async () => {
    const reply = await logout({ id_token_hint: hint, post_logout_redirect_uri: bye });
    expect(reply).toEqual({ kind: 'redirect', location: bye, loggedOut: true });
  });

  it('keeps a registered query', async () => {
    const uri = `${bye}?from=sandbox`;
    const reply = await logout({ id_token_hint: hint, post_logout_redirect_uri: uri, state: 'a&b' });
    expect(reply).toEqual({ kind: 'redirect', location: `${uri}&state=a%26b`, loggedOut: true });
  });

  it('shows a page without a post_logout_redirect_uri', async () => {
    expect(page(await logout({ id_token_hint: hint }))).toBe('logged-out');
    expect(page(await logout({ id_token_hint: hint, state: 'x' }))).toBe('logged-out');
    expect(await isLoggedIn()).toBe(false);
  });

  it('may name the same client', async () => {
    const reply = await logout({ id_token_hint: hint, client_id: 'web', post_logout_redirect_uri: bye });
    expect(reply.kind).toBe('redirect');
  });

  it('works with an expired hint', async () => {
    sandbox.pass(20_000);
    expect((await logout({ id_token_hint: hint, post_logout_redirect_uri: bye })).kind).toBe('redirect');
  });

  it('tells the log', async () => {
    await logout({ id_token_hint: hint });
    expect(eventsOf(sandbox.events, 'session.ended')).toEqual([
      { type: 'session.ended', sub: 'alice', sid: session.sid, client_id: 'web' },
    ]);
  });

  it('goes back as well when nobody is logged in any more', async () => {
    await logout({ id_token_hint: hint });
    const reply = await logout({ id_token_hint: hint, post_logout_redirect_uri: bye });
    expect(reply).toEqual({ kind: 'redirect', location: bye, loggedOut: true });
  });
});

describe('a logout that is less certain asks first', () => {
  it.each<[string, Record<string, string>]>([
    ['without parameters', {}],
    ['with a state alone', { state: 'x' }],
    ['with a client_id alone', { client_id: 'web' }],
    ['with ui_locales and a logout_hint', { ui_locales: 'de', logout_hint: 'alice' }],
    ['without a hint', { client_id: 'web', post_logout_redirect_uri: bye }],
  ])('%s', async (_how, parameters) => {
    expect(page(await logout(parameters))).toBe('logout');
    expect(await isLoggedIn()).toBe(true);
  });

  it('with the hint of somebody else', async () => {
    const other = await hintOf(await sandbox.login('bob'));
    expect(page(await logout({ id_token_hint: other, post_logout_redirect_uri: bye }))).toBe('logout');
    expect(await isLoggedIn()).toBe(true);
  });

  it('with the request ready to be sent again, and nothing else', async () => {
    const parameters = { client_id: 'web', post_logout_redirect_uri: bye, state: 'x', ui_locales: 'de' };
    const reply = await logout({ ...parameters, __proto__x: 'y' });
    expect(reply).toMatchObject({ page: { parameters, post_logout_redirect_uri: `${bye}?state=x` } });
  });

  it('and shows a page when nobody is logged in', async () => {
    const reply = await logout({ client_id: 'web', post_logout_redirect_uri: bye }, { ...session, id: 'unknown' });
    expect(reply).toEqual({ kind: 'page', page: { name: 'logged-out', returnTo: bye, notices: [] } });
  });
});

describe('a logout of a session with a client of the front channel (Front-Channel Logout §2)', () => {
  const front: RegisteredClient = {
    ...frontend,
    client_id: 'front',
    frontchannel_logout_uri: 'http://localhost:4000/out',
  };
  const frame = () => `http://localhost:4000/out?${new URLSearchParams({ iss: issuer, sid: session.sid })}`;
  beforeEach(async () => {
    sandbox = createTestServer({ clients: [front] });
    session = await sandbox.login('alice');
    hint = await hintOf(session);
    await sandbox.code({ client_id: 'front' }, session);
  });

  it('shows a page that loads its address, and knows where to go on to', async () => {
    const reply = await logout({ id_token_hint: hint, post_logout_redirect_uri: bye, state: 'x' });
    const notices = [{ client_id: 'front', channel: 'front', url: frame() }];
    expect(reply).toEqual({
      kind: 'page',
      page: { name: 'logged-out', sub: 'alice', returnTo: `${bye}?state=x`, notices },
    });
    expect(await isLoggedIn()).toBe(false);
  });

  it('redirects at once the next time, when nobody is left to tell', async () => {
    await logout({ id_token_hint: hint });
    expect(await logout({ id_token_hint: hint, post_logout_redirect_uri: bye })).toMatchObject({ location: bye });
  });

  it('names the clients of the session where the user is asked first', async () => {
    const reply = await logout();
    const names = reply.kind === 'page' && reply.page.name === 'logout' ? reply.page.clients : [];
    expect(names).toEqual([
      { client_id: 'front', client_name: 'Demo front end', isTold: true },
      { client_id: 'web', client_name: 'Web shop', isTold: false },
    ]);
  });
});

describe('the hint of a client with pairwise subjects', () => {
  const pairwise: RegisteredClient = { ...web, client_id: 'pairwise', subject_type: 'pairwise' };
  beforeEach(async () => {
    sandbox = createTestServer({ clients: [pairwise] });
    session = await sandbox.login('alice');
  });
  const hintFor = async (of: Session) => {
    const code = await sandbox.code({ ...webRequest, client_id: 'pairwise' }, of);
    const form = { grant_type: 'authorization_code', code, redirect_uri: webRequest.redirect_uri };
    return (await sandbox.token(form, basic('pairwise', 'web-secret'))).id_token ?? '';
  };

  it('ends the session of its user at once', async () => {
    const id_token_hint = await hintFor(session);
    const reply = await logout({ id_token_hint, post_logout_redirect_uri: bye });
    expect(reply).toMatchObject({ kind: 'redirect', location: bye });
  });

  it('asks where it is about somebody else', async () => {
    const id_token_hint = await hintFor(await sandbox.login('bob'));
    expect(page(await logout({ id_token_hint, post_logout_redirect_uri: bye }))).toBe('logout');
  });
});

describe('a confirmed logout', () => {
  const confirm = (parameters: Record<string, string> = {}) =>
    confirmLogout(sandbox.server, sandbox.request(parameters, { sessionId: session.id }));

  it('ends the session and goes to the registered address', async () => {
    const reply = await confirm({ client_id: 'web', post_logout_redirect_uri: bye, state: 'x', decision: 'logout' });
    expect(reply).toEqual({ kind: 'redirect', location: `${bye}?state=x`, loggedOut: true });
    expect(await isLoggedIn()).toBe(false);
  });

  it('shows a page where there is none', async () => {
    expect(await confirm()).toEqual({ kind: 'page', page: { name: 'logged-out', sub: 'alice', notices: [] } });
  });

  it('makes the same checks again', async () => {
    const forged = confirm({ client_id: 'web', post_logout_redirect_uri: 'https://evil.example/' });
    expect(await refusal(forged)).toMatchObject({ reason: 'post_logout_redirect_uri_mismatch' });
    expect(await isLoggedIn()).toBe(true);
  });
});

describe('a logout is refused, and nobody is redirected or logged out', () => {
  const evil = 'https://evil.example/';

  it.each<[string, () => Record<string, string>, string]>([
    [
      'a foreign address',
      () => ({ id_token_hint: hint, post_logout_redirect_uri: evil }),
      'post_logout_redirect_uri_mismatch',
    ],
    [
      'an added query',
      () => ({ id_token_hint: hint, post_logout_redirect_uri: `${bye}?x=1` }),
      'post_logout_redirect_uri_mismatch',
    ],
    [
      'a redirect URI',
      () => ({ id_token_hint: hint, post_logout_redirect_uri: webRequest.redirect_uri }),
      'post_logout_redirect_uri_mismatch',
    ],
    ['an address of nobody', () => ({ post_logout_redirect_uri: bye }), 'post_logout_redirect_uri_mismatch'],
    [
      'a script',
      () => ({ client_id: 'web', post_logout_redirect_uri: 'javascript:alert(1)' }),
      'post_logout_redirect_uri_mismatch',
    ],
    [
      'an address of another client',
      () => ({ client_id: 'frontend', post_logout_redirect_uri: bye }),
      'post_logout_redirect_uri_mismatch',
    ],
    ['a broken hint', () => ({ id_token_hint: 'a.b.c', post_logout_redirect_uri: bye }), 'hint_invalid'],
    [
      'an altered hint',
      () => ({ id_token_hint: altered(hint, { sub: 'bob' }), post_logout_redirect_uri: bye }),
      'hint_invalid',
    ],
    [
      'a hint with alg none',
      () => ({ id_token_hint: altered(hint, {}, { alg: 'none' }), post_logout_redirect_uri: bye }),
      'hint_invalid',
    ],
    ['a hint of another client', () => ({ id_token_hint: hint, client_id: 'frontend' }), 'hint_invalid'],
    ['an unknown client', () => ({ client_id: 'nobody' }), 'client_unknown'],
    ['a NUL', () => ({ state: '\0' }), 'parameter_malformed'],
  ])('%s', async (_what, parameters, reason) => {
    expect(await refusal(logout(parameters()))).toMatchObject({ code: 'invalid_request', reason });
    expect(await isLoggedIn()).toBe(true);
  });
});
