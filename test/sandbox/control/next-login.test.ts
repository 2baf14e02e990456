import { beforeEach, describe, expect, it } from 'vitest';
import { mostNextLogins, takeNextLogin } from '../../../src/protocol/users/next-login.ts';
import { addNextLogin, expectNextLogin } from '../../../src/sandbox/control/next-login.ts';
import { createTestServer, refusal, type TestServer } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});
const add = (said: unknown) => addNextLogin(sandbox.server, said);

describe('who signs in next', () => {
  it.each([
    [{ sub: 'alice' }, { sub: 'alice' }],
    [{ sub: 'bobby' }, { sub: 'bob' }],
    [
      { sub: 'carol@example.com', client: 'web' },
      { sub: 'carol', client: 'web' },
    ],
    [
      { sub: 'alice', claims: { roles: [], email: null } },
      { sub: 'alice', claims: { roles: [], email: null } },
    ],
    [
      { sub: 'alice', action: 'approve' },
      { sub: 'alice', action: 'approve' },
    ],
    [{ action: 'deny' }, { action: 'deny' }],
    [
      { action: 'wrong_state', client: 'https://app.example/client.json' },
      { action: 'wrong_state', client: 'https://app.example/client.json' },
    ],
  ])('is kept for the login: %j', async (said, kept) => {
    expect(await add(said)).toEqual(kept);
    expect(await takeNextLogin(sandbox.server, 'client' in kept ? kept.client : 'frontend')).toEqual(kept);
  });

  it.each([
    [undefined, 'the body is not a JSON object', 'undefined', '{'],
    [['alice'], 'the body is not a JSON object', 'a list', '{'],
    [{}, 'sub names no user of this sandbox', 'nothing', 'one of alice, bob, carol'],
    [{ sub: 'alicia' }, 'sub names no user of this sandbox', 'alicia', 'alice'],
    [{ sub: 7 }, 'sub names no user of this sandbox', '7', 'one of alice, bob, carol'],
    [{ action: 'approve' }, 'sub names no user of this sandbox', 'nothing', 'one of alice, bob, carol'],
    [{ sub: 'alice', client: 'fronted' }, 'client names no client of this sandbox', 'fronted', 'frontend'],
    [{ sub: 'alice', action: 'denny' }, 'action is not known', 'denny', 'deny'],
    [{ sub: 'alice', clams: {} }, 'clams is not a member', 'clams', 'claims'],
    [{ sub: 'alice', claims: ['roles'] }, 'claims is not a JSON object', 'a list', '{"roles": ["admin"]}'],
    [
      { sub: 'alice', claims: { exp: 1 } },
      'claims: exp cannot be set here: the server sets this claim itself',
      'exp',
      'claims that a sign-in can set',
    ],
    [
      { sub: 'alice', claims: { a: 'x'.repeat(9000) } },
      'claims: claims are 9008 characters long as JSON; the limit is 8192',
      'claims',
      'claims that a sign-in can set',
    ],
  ])('is refused with both values: %j', async (said, description, sent, expected) => {
    const error = await refusal(add(said));
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'next_login_invalid', status: 400 });
    expect(error.description).toContain(description);
    expect(error.details.sent).toBe(sent);
    expect(error.details.expected).toContain(expected);
    expect(await takeNextLogin(sandbox.server, 'frontend')).toBeUndefined();
  });

  it('is refused where a hundred wait', async () => {
    for (let count = 0; count < mostNextLogins; count++) await add({ sub: 'alice' });
    expect((await refusal(add({ sub: 'alice' }))).description).toBe('too many choices wait for a sign-in');
  });

  it('is refused in one sentence to a caller in this process', async () => {
    await expect(expectNextLogin(sandbox.server, { sub: 'alicia' })).rejects.toThrow(
      new TypeError('nextLogin: sub names no user of this sandbox: found alicia, expected alice'),
    );
  });
});
