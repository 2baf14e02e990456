import { describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { approvals } from '../../../src/protocol/endpoints/approvals.ts';
import { type Outbound, OutboundError, type OutboundOptions } from '../../../src/protocol/outbound.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import { asBank, bank, cibaGrant, pageOf, startCiba } from '../../support/decisions.ts';
import { basic, createTestServer, eventsOf, now, refusal, type TestServer } from '../../support/server.ts';

const other: RegisteredClient = { ...bank, client_id: 'other' };
const notified = 'https://bank.example/ciba';
const pinged: RegisteredClient = {
  ...bank,
  client_id: 'pinged',
  backchannel_token_delivery_mode: 'ping',
  backchannel_client_notification_endpoint: notified,
};
const asPinged = basic('pinged', 'bank-secret');

function start(outbound?: Outbound): TestServer {
  const clients = [bank, other, pinged];
  return createTestServer(outbound === undefined ? { clients } : { clients, outbound });
}

function poll(sandbox: TestServer, auth_req_id: string, as = asBank) {
  return sandbox.token({ grant_type: cibaGrant, auth_req_id }, as);
}

async function list(sandbox: TestServer, { id }: Session) {
  const reply = await approvals(sandbox.server, sandbox.request({}, { method: 'GET', sessionId: id }));
  return pageOf(reply, 'approvals').waiting;
}

/** The user presses a button of the first request on the page. */
async function decide(sandbox: TestServer, session: Session, decision: 'allow' | 'deny' = 'allow') {
  const [first] = await list(sandbox, session);
  const form = { request: first?.id ?? 'none', decision };
  return pageOf(await approvals(sandbox.server, sandbox.request(form, { sessionId: session.id })), 'approvals');
}

function claimsOf(jwt = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

describe('the CIBA grant (OIDC CIBA §10.1, §11)', () => {
  it('gives tokens for the user who approved', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox);
    sandbox.pass(3);
    await decide(sandbox, await sandbox.login());
    const tokens = await poll(sandbox, auth_req_id);
    expect(tokens).toMatchObject({ scope: 'openid profile', refresh_token: expect.any(String) });
    expect(claimsOf(tokens.id_token)).toMatchObject({ sub: 'alice', aud: 'bank', auth_time: now + 3 });
    expect(claimsOf(tokens.access_token)).toMatchObject({ sub: 'alice', client_id: 'bank', scope: 'openid profile' });
  });

  it('says the acr that was asked for, as a login would', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox, { acr_values: 'urn:strong urn:weak' });
    await decide(sandbox, await sandbox.login());
    expect(claimsOf((await poll(sandbox, auth_req_id)).id_token)).toMatchObject({ acr: 'urn:strong' });
  });

  it('answers authorization_pending, slow_down before the interval has passed, and access_denied', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox);
    expect(await refusal(poll(sandbox, auth_req_id))).toMatchObject({ code: 'authorization_pending', status: 400 });
    sandbox.pass(4);
    expect(await refusal(poll(sandbox, auth_req_id))).toMatchObject({ code: 'slow_down' });
    sandbox.pass(10);
    expect(await refusal(poll(sandbox, auth_req_id))).toMatchObject({ code: 'authorization_pending' });
    await decide(sandbox, await sandbox.login(), 'deny');
    expect(await refusal(poll(sandbox, auth_req_id))).toMatchObject({ code: 'access_denied', reason: 'user_denied' });
  });

  it('answers expired_token after the lifetime that was asked for', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox, { requested_expiry: '30' });
    sandbox.pass(30);
    const expired = await refusal(poll(sandbox, auth_req_id));
    expect(expired).toMatchObject({ code: 'expired_token', reason: 'auth_req_id_expired' });
  });

  it('gives tokens once, and to nobody else', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox);
    await decide(sandbox, await sandbox.login());
    const foreign = await refusal(poll(sandbox, auth_req_id, basic('other', 'bank-secret')));
    expect(foreign).toMatchObject({ code: 'invalid_grant', reason: 'auth_req_id_of_another_client' });
    await poll(sandbox, auth_req_id);
    expect(await refusal(poll(sandbox, auth_req_id))).toMatchObject({
      code: 'invalid_grant',
      reason: 'auth_req_id_used',
    });
  });

  it('refuses an auth_req_id it has never given', async () => {
    const refused = await refusal(poll(start(), 'nothing'));
    expect(refused).toMatchObject({ code: 'invalid_grant', reason: 'auth_req_id_unknown' });
  });
});

describe('the approval page (OIDC CIBA §8)', () => {
  it('asks for a login first', async () => {
    const sandbox = start();
    const reply = await approvals(sandbox.server, sandbox.request({}, { method: 'GET' }));
    expect(pageOf(reply, 'sign-in')).toEqual({ name: 'sign-in', purpose: 'approvals' });
  });

  it('shows client, scopes, message and lifetime, soonest expiry first', async () => {
    const sandbox = start();
    await startCiba(sandbox, { binding_message: 'late' });
    await startCiba(sandbox, { binding_message: 'soon', scope: 'openid', requested_expiry: '60' });
    expect(await list(sandbox, await sandbox.login())).toMatchObject([
      { binding_message: 'soon', client: { client_id: 'bank' }, scopes: ['openid'], expiresIn: 60 },
      { binding_message: 'late', client: { client_id: 'bank' }, scopes: ['openid', 'profile'], expiresIn: 300 },
    ]);
  });

  it('shows each user only their own pending requests', async () => {
    const sandbox = start();
    await startCiba(sandbox);
    expect(await list(sandbox, await sandbox.login('bob'))).toEqual([]);
  });

  it('lets nobody decide for somebody else', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox);
    const [waiting] = await list(sandbox, await sandbox.login('alice'));
    const bob = await sandbox.login('bob');
    const form = { request: waiting?.id ?? '', decision: 'allow' };
    const page = pageOf(await approvals(sandbox.server, sandbox.request(form, { sessionId: bob.id })), 'approvals');
    expect(page.outcome).toEqual({ decision: 'gone' });
    expect((await refusal(poll(sandbox, auth_req_id))).code).toBe('authorization_pending');
  });

  it('shows nothing that was decided or has expired', async () => {
    const sandbox = start();
    const session = await sandbox.login();
    await startCiba(sandbox);
    expect(await decide(sandbox, session)).toMatchObject({ outcome: { decision: 'approved' }, waiting: [] });
    await startCiba(sandbox, { requested_expiry: '10' });
    sandbox.pass(10);
    expect(await list(sandbox, session)).toEqual([]);
  });

  it('shows nothing of a client that is not registered any more', async () => {
    const sandbox = start();
    sandbox.server.clients.register({ ...bank, client_id: 'guest' });
    await startCiba(sandbox, {}, basic('guest', 'bank-secret'));
    sandbox.server.clients.remove('guest');
    expect(await list(sandbox, await sandbox.login())).toEqual([]);
  });

  it('never tells the browser the auth_req_id', async () => {
    const sandbox = start();
    const { auth_req_id } = await startCiba(sandbox);
    expect(JSON.stringify(await list(sandbox, await sandbox.login()))).not.toContain(auth_req_id);
  });

  it('keeps the newest twenty for each user, and the others are still polled for', async () => {
    const sandbox = start();
    const started = [];
    for (let count = 0; count < 25; count++) {
      started.push(await startCiba(sandbox, { binding_message: `number ${count}` }));
      sandbox.pass(1);
    }
    const waiting = await list(sandbox, await sandbox.login());
    expect(waiting.map(each => each.binding_message)).toEqual(
      Array.from({ length: 20 }, (_, at) => `number ${at + 5}`),
    );
    expect((await refusal(poll(sandbox, started[0]?.auth_req_id ?? ''))).code).toBe('authorization_pending');
  });

  it('finds every one of many requests at the same moment', async () => {
    const sandbox = start();
    await Promise.all(Array.from({ length: 10 }, () => startCiba(sandbox)));
    expect(await list(sandbox, await sandbox.login())).toHaveLength(10);
  });
});

describe('the ping (OIDC CIBA §10.2)', () => {
  interface Sent {
    readonly url: string;
    readonly body: unknown;
    readonly headers: OutboundOptions['headers'];
  }

  /** A client that answers a ping with this status, or not at all. */
  function listening(answer: number | OutboundError, onPost: () => Promise<void> = async () => {}) {
    const sent: Sent[] = [];
    const outbound: Outbound = {
      get: url => Promise.reject(new OutboundError('unreachable', `nobody answers at ${url}`)),
      async post(url, body, options = {}) {
        sent.push({ url, body: JSON.parse(body), headers: options.headers });
        await onPost();
        if (typeof answer !== 'number') throw answer;
        return { status: answer, headers: {}, body: '', milliseconds: 2 };
      },
    };
    return { sent, outbound };
  }

  it.each(['allow', 'deny'] as const)(
    'tells the client when its user has pressed %s, with its own token',
    async button => {
      const { sent, outbound } = listening(204);
      const sandbox = start(outbound);
      const { auth_req_id } = await startCiba(sandbox, { client_notification_token: 'the-token' }, asPinged);
      await decide(sandbox, await sandbox.login(), button);
      const headers = { Authorization: 'Bearer the-token', 'Content-Type': 'application/json' };
      expect(sent).toEqual([{ url: notified, body: { auth_req_id }, headers }]);
      expect(eventsOf(sandbox.events, 'ciba.notified')).toMatchObject([
        { client_id: 'pinged', url: notified, status: 204, milliseconds: 2 },
      ]);
    },
  );

  it('comes when the tokens are there to be fetched', async () => {
    let fetched: unknown;
    let fetchTokens = async () => {};
    const { outbound } = listening(204, () => fetchTokens());
    const sandbox = start(outbound);
    const { auth_req_id } = await startCiba(sandbox, { client_notification_token: 'the-token' }, asPinged);
    fetchTokens = async () => {
      fetched = await poll(sandbox, auth_req_id, asPinged);
    };
    await decide(sandbox, await sandbox.login());
    expect(fetched).toHaveProperty('access_token');
  });

  it.each([
    ['answers 500', 500, { status: 500 }],
    ['cannot be reached', new OutboundError('timeout', 'no answer'), { failure: 'timeout: no answer' }],
  ])('changes nothing when the client %s, which is told to the log', async (_name, answer, told) => {
    const sandbox = start(listening(answer).outbound);
    const { auth_req_id } = await startCiba(sandbox, { client_notification_token: 'the-token' }, asPinged);
    expect(await decide(sandbox, await sandbox.login())).toMatchObject({ outcome: { decision: 'approved' } });
    expect(eventsOf(sandbox.events, 'ciba.notified')).toMatchObject([told]);
    expect(await poll(sandbox, auth_req_id, asPinged)).toHaveProperty('id_token');
  });

  it('is not sent to a client of the mode poll', async () => {
    const { sent, outbound } = listening(204);
    const sandbox = start(outbound);
    await startCiba(sandbox, { client_notification_token: 'the-token' });
    await decide(sandbox, await sandbox.login());
    expect(sent).toEqual([]);
  });
});
