import { describe, expect, it } from 'vitest';
import { deviceVerification } from '../../../src/protocol/endpoints/device-authorization.ts';
import { decideDevice, deviceGrant, pageOf, startDevice, tv } from '../../support/decisions.ts';
import { createTestServer, eventsOf, type Parameters, refusal, type TestServer } from '../../support/server.ts';

function start(): TestServer {
  return createTestServer({ clients: [tv] });
}

async function open(sandbox: TestServer, parameters: Parameters, sub = 'alice') {
  const { id } = await sandbox.login(sub);
  return deviceVerification(sandbox.server, sandbox.request(parameters, { method: 'GET', sessionId: id }));
}

describe('the verification page (RFC 8628 §3.3)', () => {
  it('asks for a login first, whatever the code', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    for (const code of [user_code, 'BBBB-BBBB']) {
      const reply = await deviceVerification(sandbox.server, sandbox.request({ user_code: code }, { method: 'GET' }));
      expect(pageOf(reply, 'sign-in')).toEqual({ name: 'sign-in', purpose: 'device' });
    }
    expect(eventsOf(sandbox.events, 'error.returned')).toEqual([]);
  });

  it('asks for another user where that is wanted', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const page = pageOf(await open(sandbox, { user_code, prompt: 'select_account' }), 'sign-in');
    expect(page.session).toMatchObject({ sub: 'alice' });
  });

  it('asks for the code where none came', async () => {
    expect(pageOf(await open(start(), {}), 'device')).toMatchObject({ step: 'enter', session: { sub: 'alice' } });
  });

  // DEV-05
  it('shows who asks, for what and how long, before anything is allowed, also with verification_uri_complete', async () => {
    const sandbox = start();
    const device = await startDevice(sandbox, { scope: 'openid bikes:read', resource: 'https://api.example' });
    sandbox.pass(29);
    const { search } = new URL(device.verification_uri_complete);
    expect(pageOf(await open(sandbox, search.slice(1)), 'device')).toMatchObject({
      step: 'confirm',
      user_code: device.user_code,
      asked: {
        client: { client_id: 'tv' },
        scopes: ['openid', 'bikes:read'],
        resources: ['https://api.example'],
        expiresIn: 271,
      },
    });
    const poll = { grant_type: deviceGrant, client_id: 'tv', device_code: device.device_code };
    expect((await refusal(sandbox.token(poll))).code).toBe('authorization_pending');
  });

  it('takes no decision from an address', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const page = pageOf(await open(sandbox, { user_code, decision: 'allow', as: 'alice' }), 'device');
    expect(page).toMatchObject({ step: 'confirm' });
    expect(eventsOf(sandbox.events, 'device.approved')).toEqual([]);
  });

  it.each(['lower', 'spaced'])('finds a code that was typed %s', async how => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const typed = how === 'lower' ? user_code.toLowerCase().replace('-', '') : user_code.split('').join(' ');
    expect(pageOf(await open(sandbox, { user_code: typed }), 'device')).toMatchObject({ step: 'confirm', user_code });
  });

  it.each([
    ['allow', 'approved', 'device.approved'],
    ['deny', 'denied', 'device.denied'],
  ] as const)('says what became of %s', async (button, decision, event) => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const reply = await decideDevice(sandbox, await sandbox.login(), user_code, button);
    expect(pageOf(reply, 'device')).toMatchObject({ step: 'done', decision, client: { client_id: 'tv' } });
    expect(eventsOf(sandbox.events, event)).toMatchObject([{ client_id: 'tv', sub: 'alice' }]);
  });

  it('shows the page again when somebody else has signed in meanwhile', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const form = { user_code, decision: 'allow', as: 'alice' };
    const { id } = await sandbox.login('bob');
    const reply = await deviceVerification(sandbox.server, sandbox.request(form, { sessionId: id }));
    expect(pageOf(reply, 'device')).toMatchObject({ step: 'confirm', userChanged: true, session: { sub: 'bob' } });
    expect(eventsOf(sandbox.events, 'device.approved')).toEqual([]);
  });

  it('takes nothing for an approval but the word', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const form = { user_code, decision: 'yes', as: 'alice' };
    const { id } = await sandbox.login();
    await deviceVerification(sandbox.server, sandbox.request(form, { sessionId: id }));
    expect(eventsOf(sandbox.events, 'device.approved')).toEqual([]);
  });

  it('decides nothing after the session has ended', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    const session = await sandbox.login();
    sandbox.pass(28_800);
    const { user_code: fresh } = await startDevice(sandbox);
    for (const code of [user_code, fresh]) pageOf(await decideDevice(sandbox, session, code), 'sign-in');
    expect(eventsOf(sandbox.events, 'device.approved')).toEqual([]);
  });

  it.each([
    ['unknown', 'user_code_unknown'],
    ['expired', 'user_code_expired'],
    ['used', 'user_code_used'],
  ] as const)('says that a code is %s, and offers another try', async (problem, reason) => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    if (problem === 'expired') sandbox.pass(300);
    if (problem === 'used') await decideDevice(sandbox, await sandbox.login(), user_code);
    const typed = problem === 'unknown' ? 'BBBB-BBBB' : user_code;
    expect(pageOf(await open(sandbox, { user_code: typed }), 'device')).toMatchObject({
      step: 'enter',
      typed,
      problem,
    });
    const [refused] = eventsOf(sandbox.events, 'error.returned');
    expect(refused).toMatchObject({ endpoint: 'device_verification', form: 'page', reason, sent: typed });
  });

  it('knows no code of a client that is not registered any more', async () => {
    const sandbox = start();
    sandbox.server.clients.register({ ...tv, client_id: 'guest' });
    const { user_code } = await startDevice(sandbox, { client_id: 'guest' });
    sandbox.server.clients.remove('guest');
    expect(pageOf(await open(sandbox, { user_code }), 'device')).toMatchObject({ step: 'enter', problem: 'unknown' });
  });

  it('lets one of two decisions at the same moment count', async () => {
    const sandbox = start();
    const { user_code, device_code } = await startDevice(sandbox);
    const [alice, bob] = [await sandbox.login('alice'), await sandbox.login('bob')];
    const replies = await Promise.all([
      decideDevice(sandbox, alice, user_code, 'deny'),
      decideDevice(sandbox, bob, user_code, 'allow'),
    ]);
    expect(replies.map(reply => pageOf(reply, 'device').step).sort()).toEqual(['done', 'enter']);
    const poll = sandbox.token({ grant_type: deviceGrant, client_id: 'tv', device_code });
    const isApproved = eventsOf(sandbox.events, 'device.approved').length === 1;
    expect(isApproved ? await poll : await refusal(poll)).toMatchObject(
      isApproved ? { token_type: 'Bearer' } : { code: 'access_denied' },
    );
  });

  // DEV-06
  describe('limits guessing', () => {
    async function guess(sandbox: TestServer, times: number) {
      const session = await sandbox.login();
      const look = (user_code: string) =>
        deviceVerification(sandbox.server, sandbox.request({ user_code }, { method: 'GET', sessionId: session.id }));
      for (let count = 0; count < times; count++) await look(`BBBB-BB${'BCDFGHJKLMNP'[count]}B`);
      return look;
    }

    it('after ten wrong codes in a session, the right one too', async () => {
      const sandbox = start();
      const { user_code } = await startDevice(sandbox);
      const look = await guess(sandbox, 10);
      expect(await refusal(look(user_code))).toMatchObject({
        code: 'temporarily_unavailable',
        reason: 'user_code_guessed_too_often',
        status: 429,
        details: { headers: { 'Retry-After': '60' } },
      });
    });

    it('but not before, and not for long', async () => {
      const sandbox = start();
      const { user_code } = await startDevice(sandbox);
      const look = await guess(sandbox, 9);
      expect(pageOf(await look(user_code), 'device').step).toBe('confirm');
      await look('nonsense');
      await refusal(look(user_code));
      sandbox.pass(60);
      expect(pageOf(await look(user_code), 'device').step).toBe('confirm');
    });
  });
});
