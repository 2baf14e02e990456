import { beforeEach, describe, expect, it } from 'vitest';
import { endSession, findSession, type LoginFacts, startSession } from '../../../src/protocol/users/session.ts';
import { createTestServer, now, type TestServer } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const start = (sub: string, facts: Partial<LoginFacts> = {}) => {
  const user = sandbox.users.get(sub) ?? sandbox.users.create(sub);
  if (user === undefined) throw new Error(`no ${sub}`);
  return startSession(sandbox.server, { user, method: 'click', ...facts });
};

describe('a session', () => {
  it('has new ids at each login of a browser that had none (session fixation)', async () => {
    const sessions = [await start('alice'), await start('alice'), await start('bob')];
    expect(new Set(sessions.flatMap(({ id, sid }) => [id, sid])).size).toBe(6);
  });

  it('keeps the sid where the same user logs in again, under a new id', async () => {
    const previous = await start('alice');
    const session = await start('alice', { previous });
    expect(session.sid).toBe(previous.sid);
    expect(session.id).not.toBe(previous.id);
  });

  it('never gives the sid to another user', async () => {
    const previous = await start('alice');
    expect((await start('bob', { previous })).sid).not.toBe(previous.sid);
  });

  it.each(['alice', 'bob'])('ends when %s logs in over it', async sub => {
    const previous = await start('alice');
    const session = await start(sub, { previous });
    expect(await findSession(sandbox.server, previous.id)).toBeUndefined();
    expect(await findSession(sandbox.server, session.id)).toMatchObject({ sub });
  });

  it('has an id of at least 256 bits, which is not the sid that clients see', async () => {
    const { id, sid } = await start('alice');
    expect(Buffer.from(id, 'base64url').length).toBeGreaterThanOrEqual(32);
    expect(sid).not.toContain(id);
  });

  it.each([
    ['a click', { method: 'click' }, '0', ['user']],
    ['a password', { method: 'password' }, '1', ['pwd']],
    ['the acr that was asked for', { method: 'click', acr: 'urn:gold' }, 'urn:gold', ['user']],
  ] as const)('says honestly what it is worth: %s', async (_what, facts, acr, amr) => {
    expect(await start('alice', facts)).toMatchObject({ sub: 'alice', auth_time: now, acr, amr });
  });

  it('is found by its id and nothing else', async () => {
    const session = await start('alice');
    expect(await findSession(sandbox.server, session.id)).toEqual(session);
    for (const id of [undefined, '', session.sid, 'x', '__proto__'])
      expect(await findSession(sandbox.server, id)).toBeUndefined();
  });

  it('ends after its lifetime', async () => {
    const { id } = await start('alice');
    sandbox.pass(28_799);
    expect(await findSession(sandbox.server, id)).toBeDefined();
    sandbox.pass(1);
    expect(await findSession(sandbox.server, id)).toBeUndefined();
  });

  it('ends with a logout', async () => {
    const session = await start('alice');
    await endSession(sandbox.server, session);
    expect(await findSession(sandbox.server, session.id)).toBeUndefined();
  });

  it('is nothing without its user', async () => {
    const { id } = await start('dave');
    sandbox.users.reset();
    expect(await findSession(sandbox.server, id)).toBeUndefined();
  });
});
