import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { phcText } from '../../../src/base/text/phc.ts';
import { basic, createTestServer, eventsOf, now, refusal, web } from '../../support/server.ts';

const legacy = {
  ...web,
  client_id: 'legacy',
  client_secret: 'legacy-secret',
  grant_types: ['password', 'refresh_token'],
  scope: 'openid profile bikes:read',
};
const asLegacy = basic('legacy', 'legacy-secret');

function start() {
  const sandbox = createTestServer({ clients: [legacy] });
  return {
    ...sandbox,
    ask: (parameters: Readonly<Record<string, string>> = {}, as = asLegacy) =>
      sandbox.token({ grant_type: 'password', username: 'bobby', password: 'bob-password', ...parameters }, as),
  };
}

function claimsOf(jwt = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

describe('the password grant (RFC 6749 §4.3)', () => {
  it('gives tokens for the user whose password it is, and says that a password it was', async () => {
    const tokens = await start().ask({ scope: 'openid bikes:read' });
    expect(tokens).toMatchObject({ scope: 'openid bikes:read', refresh_token: expect.any(String) });
    const facts = { sub: 'bob', auth_time: now, amr: ['pwd'], acr: '1' };
    expect(claimsOf(tokens.access_token)).toMatchObject({ ...facts, client_id: 'legacy' });
    expect(claimsOf(tokens.id_token)).toMatchObject({ ...facts, aud: 'legacy' });
  });

  it('starts no session', async () => {
    const { ask, events } = start();
    expect(claimsOf((await ask()).access_token)).not.toHaveProperty('sid');
    expect(eventsOf(events, 'login.succeeded')).toEqual([]);
  });

  it('takes any password of a user without one, as the login does, but not none', async () => {
    const { ask } = start();
    expect(await ask({ username: 'alice', password: 'anything' })).toHaveProperty('access_token');
    const refused = await refusal(ask({ username: 'alice', password: '' }));
    expect(refused).toMatchObject({ code: 'invalid_request', reason: 'parameter_missing' });
  });

  it('compares with the hash of a user who has one', async () => {
    const hash = pbkdf2Sync('dora-password', 'salt', 1000, 32, 'sha256').toString('base64');
    const password_hash = phcText('pbkdf2-sha256', { i: 1000 }, 'c2FsdA==', hash);
    const dora = { sub: 'dora', username: 'dora', password_hash, claims: {}, access_token_claims: {} };
    const { ask, server } = start();
    server.users.save(dora);
    expect(await ask({ username: 'dora', password: 'dora-password' })).toHaveProperty('access_token');
    expect(await refusal(ask({ username: 'dora', password: 'guess' }))).toMatchObject({ reason: 'login_failed' });
  });

  it('answers a wrong password and an unknown user alike', async () => {
    const { ask } = start();
    const wrong = await refusal(ask({ password: 'guess' }));
    const nobody = await refusal(ask({ username: 'nobody' }));
    expect(wrong).toMatchObject({ code: 'invalid_grant', reason: 'login_failed', status: 400 });
    expect([nobody.code, nobody.reason, nobody.description]).toEqual([wrong.code, wrong.reason, wrong.description]);
    expect(JSON.stringify(wrong.details)).not.toContain('guess');
  });

  it.each([
    [{ scope: 'telemetry:write' }, 'invalid_scope'],
    [{ resource: 'nothing' }, 'invalid_target'],
    [{ username: '' }, 'invalid_request'],
  ])('refuses %j', async (parameters, code) => {
    expect(await refusal(start().ask(parameters))).toMatchObject({ code });
  });

  it('is refused to a client that is not registered for it', async () => {
    const refused = await refusal(start().ask({}, basic('web', 'web-secret')));
    expect(refused).toMatchObject({ code: 'unauthorized_client', reason: 'grant_type_not_registered' });
  });

  it('limits the guessing of a password, of this user by this client, for a while', async () => {
    const { ask, pass } = start();
    for (let guesses = 0; guesses < 20; guesses++) await refusal(ask({ password: `guess ${guesses}` }));
    expect(await refusal(ask())).toMatchObject({ code: 'temporarily_unavailable', status: 429 });
    expect(await ask({ username: 'carol', password: 'x' })).toHaveProperty('access_token');
    pass(30);
    expect(await ask()).toHaveProperty('access_token');
  });
});
