import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { endSession } from '../../../src/protocol/endpoints/end-session.ts';
import { introspect } from '../../../src/protocol/endpoints/introspect.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { readHint } from '../../../src/protocol/tokens/hint.ts';
import { subjectFor, userOfSubject } from '../../../src/protocol/users/user-claims.ts';
import { basic, createTestServer, frontend, type TestServerOptions } from '../../support/server.ts';

const pairwise = {
  ...frontend,
  client_id: 'pairwise',
  subject_type: 'pairwise',
  grant_types: ['authorization_code', 'refresh_token'],
} as const;
const sibling = { ...pairwise, client_id: 'sibling', redirect_uris: ['http://localhost:3000/'] };
const stranger = { ...pairwise, client_id: 'stranger', redirect_uris: ['https://elsewhere.example/'] };
const native = { ...pairwise, client_id: 'native', redirect_uris: ['com.example:/callback'] };
const sector = { ...stranger, client_id: 'sector', sector_identifier_uri: 'https://localhost/sector.json' };

function createPairwise(options: TestServerOptions = {}) {
  return createTestServer({ clients: [pairwise, sibling, stranger, native, sector], ...options });
}

/** A whole login of the client `pairwise`. */
async function logIn(it: ReturnType<typeof createPairwise>, sub = 'alice', changes: Record<string, string> = {}) {
  const session = await it.login(sub);
  const code = await it.code({ client_id: 'pairwise', ...changes }, session);
  const tokens = await it.token({
    grant_type: 'authorization_code',
    client_id: 'pairwise',
    redirect_uri: 'http://localhost:5173/callback',
    code_verifier: 'a-verifier-of-43-characters-0123456789._~ABC',
    code,
  });
  return { session, tokens, sub: decodeJwt(tokens.id_token ?? '').sub ?? '' };
}

describe('a pairwise subject', () => {
  it('is no name of the user, and another for each user', async () => {
    const it = createPairwise();
    const { sub } = await logIn(it);
    expect(sub).toMatch(/^[\w-]{43}$/);
    expect((await logIn(it, 'bob')).sub).not.toBe(sub);
    expect((await logIn(it)).sub).toBe(sub);
  });

  it('is the same in ID token, access token, UserInfo and introspection', async () => {
    const it = createPairwise();
    const { tokens, sub } = await logIn(it);
    expect(decodeJwt(tokens.access_token).sub).toBe(sub);
    const sent = { method: 'GET', authorization: `Bearer ${tokens.access_token}` };
    expect(await userinfo(it.server, it.request({}, sent))).toMatchObject({ body: { sub } });
    const authorization = basic('sensor', 'sensor-secret');
    const asked = it.request({ token: tokens.access_token }, { authorization });
    expect(await introspect(it.server, asked)).toMatchObject({ body: { active: true, sub } });
  });

  it('stays the same when tokens are refreshed, and UserInfo still knows whose claims they are', async () => {
    const it = createPairwise();
    const { tokens, sub } = await logIn(it, 'alice', { scope: 'openid email' });
    const form = { grant_type: 'refresh_token', client_id: 'pairwise', refresh_token: tokens.refresh_token ?? '' };
    const renewed = await it.token(form);
    expect(decodeJwt(renewed.id_token ?? '').sub).toBe(sub);
    const sent = { method: 'GET', authorization: `Bearer ${renewed.access_token}` };
    expect(await userinfo(it.server, it.request({}, sent))).toMatchObject({
      body: { sub, email: 'alice@example.com' },
    });
  });

  it('is shared by clients of one host, and with the sector of that host', () => {
    const { server } = createPairwise();
    const sub = subjectFor(server, pairwise, 'alice');
    expect(subjectFor(server, sibling, 'alice')).toBe(sub);
    expect(subjectFor(server, sector, 'alice')).toBe(sub);
  });

  it('is another for clients of another host, without a host, and at another issuer', () => {
    const { server } = createPairwise();
    const subs = [pairwise, stranger, native].map(client => subjectFor(server, client, 'alice'));
    const other = createPairwise({ pairwiseSalt: 'another' }).server;
    expect(new Set([...subs, subjectFor(other, pairwise, 'alice')]).size).toBe(4);
  });

  it('leads back to the user, for the clients of its sector', () => {
    const { server } = createPairwise();
    const sub = subjectFor(server, pairwise, 'alice');
    expect(userOfSubject(server, pairwise, sub)).toBe('alice');
    expect(userOfSubject(server, stranger, sub)).toBeUndefined();
    expect(userOfSubject(server, pairwise, 'alice')).toBeUndefined();
    expect(userOfSubject(server, frontend, 'alice')).toBe('alice');
    expect(userOfSubject(server, frontend, sub)).toBeUndefined();
  });

  it('in an id_token_hint means the user it was made for', async () => {
    const it = createPairwise();
    const { session, tokens, sub } = await logIn(it);
    const id_token_hint = tokens.id_token ?? '';
    expect(await readHint(it.server, id_token_hint)).toMatchObject({ sub, user: 'alice', client_id: 'pairwise' });
    const silent = { client_id: 'pairwise', prompt: 'none', id_token_hint };
    expect((await it.answer(silent, session)).get('code')).toBeTruthy();
    expect((await it.answer(silent, await it.login('bob'))).get('error')).toBe('login_required');
  });

  it('ends the session of its user at logout', async () => {
    const it = createPairwise();
    const { session, tokens } = await logIn(it);
    const sent = { method: 'GET', sessionId: session.id };
    const reply = await endSession(it.server, it.request({ id_token_hint: tokens.id_token ?? '' }, sent));
    expect(reply).toMatchObject({ kind: 'page', page: { name: 'logged-out', sub: 'alice' } });
  });
});
