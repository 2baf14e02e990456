import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../../src/protocol/tokens/verify-signature.ts';
import { decideDevice, deviceGrant, startDevice, tv } from '../../support/decisions.ts';
import { createTestServer, eventsOf, now, refusal, type TestServer } from '../../support/server.ts';

const radio = { ...tv, client_id: 'radio' };

function start(): TestServer {
  return createTestServer({ clients: [tv, radio] });
}

function poll(sandbox: TestServer, device_code: string, client_id = 'tv') {
  return sandbox.token({ grant_type: deviceGrant, client_id, device_code });
}

function claimsOf(jwt = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

describe('the device grant (RFC 8628 §3.4, §3.5)', () => {
  it('gives tokens for the approving user, with the requested scopes', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox, { scope: 'openid bikes:read' });
    sandbox.pass(7);
    const session = await sandbox.login('bob');
    await decideDevice(sandbox, session, user_code);
    const tokens = await poll(sandbox, device_code);
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      scope: 'openid bikes:read',
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    });
    const claims = { sub: 'bob', client_id: 'tv', scope: 'openid bikes:read', auth_time: now + 7, fleet: 'city' };
    expect(claimsOf(tokens.access_token)).toMatchObject(claims);
    expect(await verifySignature(sandbox.server, tokens.id_token ?? '')).toMatchObject({ ok: true });
  });

  it('binds the tokens to the resource of the device authorization request (RFC 8707)', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox, { resource: 'https://api.example/tv' });
    await decideDevice(sandbox, await sandbox.login(), user_code);
    expect(claimsOf((await poll(sandbox, device_code)).access_token)).toMatchObject({ aud: 'https://api.example/tv' });
  });

  it('makes the device no part of the session in which it was approved', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox, { scope: 'openid' });
    await decideDevice(sandbox, await sandbox.login(), user_code);
    const { access_token, id_token } = await poll(sandbox, device_code);
    expect(claimsOf(access_token)).not.toHaveProperty('sid');
    expect(claimsOf(id_token)).not.toHaveProperty('sid');
  });

  it('gives tokens that can be refreshed', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox, { scope: 'openid' });
    await decideDevice(sandbox, await sandbox.login(), user_code);
    const { refresh_token = '' } = await poll(sandbox, device_code);
    const again = await sandbox.token({ grant_type: 'refresh_token', client_id: 'tv', refresh_token });
    expect(claimsOf(again.access_token)).toMatchObject({ sub: 'alice', client_id: 'tv' });
  });

  // DEV-02
  it('answers authorization_pending until the user has decided', async () => {
    const sandbox = start();
    const { device_code } = await startDevice(sandbox);
    for (let polls = 0; polls < 4; polls++) {
      const pending = await refusal(poll(sandbox, device_code));
      expect(pending).toMatchObject({ code: 'authorization_pending', status: 400 });
      sandbox.pass(5);
    }
  });

  it('answers slow_down to a poll before the interval has passed, and wants 5 s more from then on', async () => {
    const sandbox = start();
    const { device_code } = await startDevice(sandbox);
    const codeAfter = async (seconds: number) => {
      sandbox.pass(seconds);
      return (await refusal(poll(sandbox, device_code))).code;
    };
    expect(await codeAfter(0)).toBe('authorization_pending');
    expect(await codeAfter(4)).toBe('slow_down'); // 10 s now
    expect(await codeAfter(5)).toBe('slow_down'); // 15 s now
    expect(await codeAfter(14)).toBe('slow_down'); // 20 s now
    expect(await codeAfter(20)).toBe('authorization_pending');
    expect(await codeAfter(19)).toBe('slow_down'); // 25 s now, it never shrinks
    expect(await codeAfter(25)).toBe('authorization_pending');
  });

  it('does not answer slow_down because the clock was set back between two polls', async () => {
    const sandbox = start();
    const { device_code } = await startDevice(sandbox);
    await refusal(poll(sandbox, device_code));
    sandbox.pass(-3600);
    expect((await refusal(poll(sandbox, device_code))).code).toBe('authorization_pending');
    sandbox.pass(4);
    expect((await refusal(poll(sandbox, device_code))).code).toBe('slow_down');
  });

  it('says how long to wait in slow_down', async () => {
    const sandbox = start();
    const { device_code } = await startDevice(sandbox);
    await refusal(poll(sandbox, device_code));
    sandbox.pass(2);
    expect(await refusal(poll(sandbox, device_code))).toMatchObject({
      code: 'slow_down',
      reason: 'polled_too_fast',
      description: 'polled too early: wait 10 s between polls from now on',
      details: { sent: 'a poll 2 s after the previous one', expected: '5 s between polls' },
    });
  });

  it('gives tokens to a device that polls too early, once the user has approved', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox);
    await refusal(poll(sandbox, device_code));
    await decideDevice(sandbox, await sandbox.login(), user_code);
    expect(await poll(sandbox, device_code)).toHaveProperty('access_token');
  });

  it('answers access_denied, as often as it is asked, when the user has denied', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox);
    await decideDevice(sandbox, await sandbox.login(), user_code, 'deny');
    for (let polls = 0; polls < 2; polls++) {
      expect(await refusal(poll(sandbox, device_code))).toMatchObject({ code: 'access_denied', reason: 'user_denied' });
    }
  });

  it.each(['pending', 'approved', 'denied'])(
    'answers expired_token when the code has expired, though it was %s',
    async state => {
      const sandbox = start();
      const { device_code, user_code } = await startDevice(sandbox);
      if (state !== 'pending') {
        await decideDevice(sandbox, await sandbox.login(), user_code, state === 'approved' ? 'allow' : 'deny');
      }
      sandbox.pass(299);
      if (state === 'pending') expect((await refusal(poll(sandbox, device_code))).code).toBe('authorization_pending');
      sandbox.pass(1);
      const expired = await refusal(poll(sandbox, device_code));
      expect(expired).toMatchObject({ code: 'expired_token', reason: 'device_code_expired' });
    },
  );

  // DEV-03
  it('gives tokens once', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox);
    await decideDevice(sandbox, await sandbox.login(), user_code);
    await poll(sandbox, device_code);
    expect(await refusal(poll(sandbox, device_code))).toMatchObject({
      code: 'invalid_grant',
      reason: 'device_code_used',
    });
  });

  it('gives tokens to one of many polls at the same moment', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox);
    await decideDevice(sandbox, await sandbox.login(), user_code);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => poll(sandbox, device_code)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses the code of another client', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox);
    await decideDevice(sandbox, await sandbox.login(), user_code);
    const refused = await refusal(poll(sandbox, device_code, 'radio'));
    expect(refused).toMatchObject({ code: 'invalid_grant', reason: 'device_code_of_another_client' });
    expect(await poll(sandbox, device_code)).toHaveProperty('access_token');
  });

  it('refuses a code it has never given, and the user code in its place', async () => {
    const sandbox = start();
    const { user_code } = await startDevice(sandbox);
    for (const device_code of ['nothing', user_code]) {
      const refused = await refusal(poll(sandbox, device_code));
      expect(refused).toMatchObject({ code: 'invalid_grant', reason: 'device_code_unknown' });
    }
    const missing = await refusal(sandbox.token({ grant_type: deviceGrant, client_id: 'tv' }));
    expect(missing).toMatchObject({ code: 'invalid_request', reason: 'parameter_missing' });
  });

  it('is no way to tokens for a client that is not registered for it', async () => {
    const sandbox = start();
    const { device_code } = await startDevice(sandbox);
    const refused = await refusal(poll(sandbox, device_code, 'frontend'));
    expect(refused).toMatchObject({ code: 'unauthorized_client', reason: 'grant_type_not_registered' });
  });

  it('leaves a trail from the request to the tokens under one authorization', async () => {
    const sandbox = start();
    const { device_code, user_code } = await startDevice(sandbox, { scope: 'openid' });
    await decideDevice(sandbox, await sandbox.login(), user_code);
    await poll(sandbox, device_code);
    const [requested] = eventsOf(sandbox.events, 'device.requested');
    const [approved] = eventsOf(sandbox.events, 'device.approved');
    const issued = eventsOf(sandbox.events, 'token.issued');
    expect(approved).toMatchObject({ authorizationId: requested?.authorizationId, client_id: 'tv', sub: 'alice' });
    expect(new Set(issued.map(token => token.authorizationId))).toEqual(new Set([requested?.authorizationId]));
    expect(issued).toMatchObject([
      { grant_type: deviceGrant },
      { grant_type: deviceGrant },
      { grant_type: deviceGrant },
    ]);
  });
});
