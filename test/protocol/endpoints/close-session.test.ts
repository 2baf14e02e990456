import { compactDecrypt, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { closeSession } from '../../../src/protocol/endpoints/sessions.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { type Outbound, OutboundError, type OutboundOptions } from '../../../src/protocol/outbound.ts';
import { findSession, type Session, startSession } from '../../../src/protocol/users/session.ts';
import { subjectFor } from '../../../src/protocol/users/user-claims.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  issuer,
  now,
  refusal,
  type TestServer,
  web,
  webRequest,
} from '../../support/server.ts';

const backUrl = 'https://shop.example/backchannel';
const frontUrl = 'https://shop.example/frontchannel';

interface Posted {
  readonly url: string;
  readonly body: URLSearchParams;
  readonly options: OutboundOptions | undefined;
}
let posted: Posted[];
/** What each address answers; 200 where nothing is said. */
let answers: Map<string, number | OutboundError>;

const outbound: Outbound = {
  get: async url => Promise.reject(new OutboundError('unreachable', `nobody answers at ${url}`)),
  async post(url, body, options) {
    posted.push({ url, body: new URLSearchParams(body), options });
    const answer = answers.get(url) ?? 200;
    if (typeof answer !== 'number') throw answer;
    return { status: answer, headers: {}, body: '', milliseconds: 12 };
  },
};

let sandbox: TestServer;
let session: Session;
async function open(changes: Partial<RegisteredClient> = {}, features?: TestServer['server']['features']) {
  posted = [];
  answers = new Map();
  const clients = [{ ...web, ...changes }];
  sandbox = createTestServer({ clients, outbound, ...(features === undefined ? {} : { features }) });
  session = await sandbox.login();
}
beforeEach(() => open({ backchannel_logout_uri: backUrl }));

/** Tokens of `web` in this session. */
async function visitWeb(parameters: Record<string, string> = {}) {
  const code = await sandbox.code({ ...webRequest, ...parameters }, session);
  const { redirect_uri } = webRequest;
  return sandbox.token({ grant_type: 'authorization_code', code, redirect_uri }, basic('web', 'web-secret'));
}
const close = (ending: Parameters<typeof closeSession>[2] = { by: undefined }) =>
  closeSession(sandbox.server, session, ending, fact => void sandbox.events.push(fact));
const notified = () => eventsOf(sandbox.events, 'logout.notified');
const claimsOf = ({ body }: Posted) => decodeJwt(body.get('logout_token') ?? '');

describe('the end of a session', () => {
  it('tells each client that got a code in it, by the back channel', async () => {
    await visitWeb();
    const notices = await close();
    expect(posted).toMatchObject([{ url: backUrl, options: { timeoutMs: 3000 } }]);
    expect(posted[0]?.options?.headers).toMatchObject({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect([...(posted[0]?.body.keys() ?? [])]).toEqual(['logout_token']);
    const notice = { client_id: 'web', channel: 'back', url: backUrl, status: 200, milliseconds: 12 };
    expect(notices).toEqual([notice]);
    expect(notified()).toEqual([{ type: 'logout.notified', sid: session.sid, ...notice }]);
    expect(await findSession(sandbox.server, session.id)).toBeUndefined();
  });

  it('tells nobody who got nothing in it, or has no address', async () => {
    await sandbox.tokens({}, session);
    const other = await sandbox.login('bob');
    await sandbox.code(webRequest, other);
    expect(await close()).toEqual([]);
    expect(posted).toEqual([]);
  });

  it('tells a client once, however often it was visited', async () => {
    await visitWeb();
    await visitWeb({ prompt: 'none' });
    await close();
    expect(posted).toHaveLength(1);
  });

  it('tells nobody twice of two logouts at once', async () => {
    await visitWeb();
    await Promise.all([close(), close()]);
    expect(posted).toHaveLength(1);
  });

  it('forgets a client that is not registered any more', async () => {
    await visitWeb();
    sandbox = { ...sandbox, server: { ...sandbox.server, clients: createTestServer().server.clients } };
    expect(await close()).toEqual([]);
  });
});

describe('a logout token (Back-Channel Logout §2.4)', () => {
  it('has exactly the claims it should, and never a nonce', async () => {
    const { id_token = '' } = await visitWeb({ nonce: 'n' });
    await close();
    const [post] = posted;
    const token = post?.body.get('logout_token') ?? '';
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'logout+jwt', alg: 'ES256' });
    const { sub, sid } = decodeJwt(id_token);
    expect(decodeJwt(token)).toEqual({
      iss: issuer,
      aud: 'web',
      sub,
      sid,
      iat: now,
      exp: now + 120,
      jti: expect.stringMatching(/^[\w-]{20,}$/),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
  });

  it('differs for each client', async () => {
    const second = { ...web, client_id: 'second', backchannel_logout_uri: 'https://second.example/out' };
    sandbox = createTestServer({ clients: [{ ...web, backchannel_logout_uri: backUrl }, second], outbound });
    session = await sandbox.login();
    await visitWeb();
    await sandbox.code({ ...webRequest, client_id: 'second' }, session);
    await close();
    expect(new Set(posted.map(post => claimsOf(post).aud))).toEqual(new Set(['web', 'second']));
    expect(new Set(posted.map(post => claimsOf(post).jti)).size).toBe(2);
  });

  it('is signed as the ID tokens of the client are', async () => {
    await open({ backchannel_logout_uri: backUrl, id_token_signed_response_alg: 'PS256' });
    await visitWeb();
    await close();
    expect(decodeProtectedHeader(posted[0]?.body.get('logout_token') ?? '')).toMatchObject({ alg: 'PS256' });
  });

  it('is encrypted as the ID tokens of the client are', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), use: 'enc' }] };
    await open({ backchannel_logout_uri: backUrl, id_token_encrypted_response_alg: 'ECDH-ES', jwks });
    await sandbox.code(webRequest, session);
    await close();
    const { plaintext, protectedHeader } = await compactDecrypt(posted[0]?.body.get('logout_token') ?? '', privateKey);
    expect(protectedHeader).toMatchObject({ alg: 'ECDH-ES', enc: 'A128CBC-HS256', cty: 'JWT' });
    expect(decodeJwt(new TextDecoder().decode(plaintext))).toMatchObject({ aud: 'web', sid: session.sid });
  });

  it('is not sent where the client asks for encryption but has no key for it', async () => {
    await open({ backchannel_logout_uri: backUrl, id_token_encrypted_response_alg: 'RSA-OAEP', jwks: { keys: [] } });
    await sandbox.code(webRequest, session);
    expect(await close()).toMatchObject([{ client_id: 'web', failure: expect.stringContaining('key') }]);
    expect(posted).toEqual([]);
  });

  it('has the pairwise sub of the client', async () => {
    await open({ backchannel_logout_uri: backUrl, subject_type: 'pairwise' });
    const { id_token = '' } = await visitWeb();
    await close();
    const expected = subjectFor(sandbox.server, { ...web, subject_type: 'pairwise' }, 'alice');
    expect(expected).not.toBe('alice');
    expect([decodeJwt(id_token).sub, posted.map(post => claimsOf(post).sub)]).toEqual([expected, [expected]]);
  });

  it('keeps the sid when the same user has logged in again', async () => {
    const { id_token = '' } = await visitWeb();
    const user = sandbox.users.get('alice');
    if (user === undefined) throw new Error('no alice');
    session = await startSession(sandbox.server, { user, method: 'click', previous: session });
    await close();
    expect(posted.map(post => claimsOf(post).sid)).toEqual([decodeJwt(id_token).sid]);
  });
});

describe('a client that fails', () => {
  it.each<[string, number | OutboundError, object]>([
    ['refuses', 400, { status: 400, failure: expect.stringContaining('refused') }],
    ['breaks', 500, { status: 500, failure: expect.stringContaining('200') }],
    ['redirects', 302, { status: 302, failure: expect.stringContaining('redirect') }],
    ['hangs', new OutboundError('timeout', 'it did not answer'), { failure: 'it did not answer' }],
    ['is gone', new OutboundError('unreachable', 'nobody there'), { failure: 'nobody there' }],
  ])('because it %s does not keep the session alive, nor the others from being told', async (_how, answer, told) => {
    const second = { ...web, client_id: 'second', backchannel_logout_uri: 'https://second.example/out' };
    sandbox = createTestServer({ clients: [{ ...web, backchannel_logout_uri: backUrl }, second], outbound });
    session = await sandbox.login();
    answers.set(backUrl, answer);
    await visitWeb();
    await sandbox.code({ ...webRequest, client_id: 'second' }, session);
    const notices = await close();
    expect(notices).toHaveLength(2);
    expect(notices).toContainEqual(expect.objectContaining({ client_id: 'web', ...told }));
    expect(notices).toContainEqual(expect.objectContaining({ client_id: 'second', status: 200 }));
    expect(notices.find(({ client_id }) => client_id === 'second')).not.toHaveProperty('failure');
    expect(await findSession(sandbox.server, session.id)).toBeUndefined();
  });

  it('is content with 204, too', async () => {
    answers.set(backUrl, 204);
    await visitWeb();
    expect((await close())[0]).not.toHaveProperty('failure');
  });
});

describe('the front channel (Front-Channel Logout §2)', () => {
  it.each([
    [frontUrl, `${frontUrl}?`],
    [`${frontUrl}?tenant=1`, `${frontUrl}?tenant=1&`],
  ])('is an address with iss and sid: %s', async (registered, start) => {
    await open({ frontchannel_logout_uri: registered });
    await visitWeb();
    const url = `${start}${new URLSearchParams({ iss: issuer, sid: session.sid })}`;
    expect(await close()).toEqual([{ client_id: 'web', channel: 'front', url }]);
    expect(notified()).toEqual([
      { type: 'logout.notified', sid: session.sid, client_id: 'web', channel: 'front', url },
    ]);
    expect(posted).toEqual([]);
  });

  it('explains that no client was notified because a different login left no page for it', async () => {
    await open({ frontchannel_logout_uri: frontUrl, backchannel_logout_uri: backUrl });
    await visitWeb();
    await close({ replacedBy: 'bob' });
    expect(eventsOf(sandbox.events, 'session.ended')).toMatchObject([{ sub: 'alice', replacedBy: 'bob' }]);
    expect(notified()).toMatchObject([
      { channel: 'back', status: 200 },
      { channel: 'front', failure: expect.stringContaining('a different sign-in') },
    ]);
  });
});

describe('a channel that is switched off', () => {
  it.each(['backchannel-logout', 'frontchannel-logout'] as const)('%s tells nobody', async feature => {
    const features = new Set([...sandbox.server.features].filter(name => name !== feature));
    await open({ frontchannel_logout_uri: frontUrl, backchannel_logout_uri: backUrl }, features);
    await visitWeb();
    const other = feature === 'backchannel-logout' ? 'front' : 'back';
    expect((await close()).map(({ channel }) => channel)).toEqual([other]);
  });
});

describe('the refresh tokens of a session that ended (Back-Channel Logout §2.7)', () => {
  const refresh = (refresh_token = '') =>
    sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });

  it('are revoked, and the access tokens beside them', async () => {
    const { refresh_token, access_token } = await sandbox.tokens({}, session);
    await close();
    expect(await refusal(refresh(refresh_token))).toMatchObject({
      code: 'invalid_grant',
      reason: 'authorization_revoked',
    });
    const asked = userinfo(sandbox.server, sandbox.request({}, { authorization: `Bearer ${access_token}` }));
    expect(await refusal(asked)).toMatchObject({ reason: 'access_token_revoked' });
    expect(eventsOf(sandbox.events, 'token.revoked')).toMatchObject([
      { client_id: 'frontend', reason: 'session_ended' },
    ]);
  });

  it('live on with offline_access', async () => {
    const { refresh_token } = await sandbox.tokens({ scope: 'openid offline_access' }, session);
    await close();
    expect(await refresh(refresh_token)).toMatchObject({ refresh_token: expect.any(String) });
    expect(eventsOf(sandbox.events, 'token.revoked')).toEqual([]);
  });

  it('of other sessions live on', async () => {
    const { refresh_token } = await sandbox.tokens({}, await sandbox.login());
    await close();
    expect(await refresh(refresh_token)).toMatchObject({ refresh_token: expect.any(String) });
  });

  it('are revoked too when they were rotated before', async () => {
    const { refresh_token } = await sandbox.tokens({}, session);
    const rotated = await refresh(refresh_token);
    await close();
    expect(await refusal(refresh(rotated.refresh_token))).toMatchObject({ reason: 'authorization_revoked' });
  });
});
