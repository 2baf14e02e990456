import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConnectedSandbox,
  connectSandbox,
  createSandbox,
  type EventType,
  type Sandbox,
} from '../../../src/index.ts';

const began = Date.now() / 1000;
let running: Sandbox;
let sandbox: ConnectedSandbox;
beforeAll(async () => {
  running = await createSandbox();
  sandbox = await connectSandbox(running.url);
});
afterAll(() => running.stop());
beforeEach(() => sandbox.reset());

const signIn = (user: string) => sandbox.login({ client: 'frontend', user, as: 'tokens', scope: 'openid' });

describe('events.list', () => {
  it('has what happened, oldest first', async () => {
    await signIn('alice');
    const events = await sandbox.events.list();
    const ended = Date.now() / 1000;
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['code.issued', 'token.issued']));
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(events.every(({ at, requestId }) => at >= began && at <= ended && requestId !== '')).toBe(true);
  });

  it('finds by type, one or several', async () => {
    await signIn('alice');
    const typesOf = async (type: EventType | readonly EventType[]) =>
      new Set((await sandbox.events.list({ type })).map(each => each.type));
    expect(await typesOf('code.issued')).toEqual(new Set(['code.issued']));
    expect(await typesOf(['code.issued', 'token.issued'])).toEqual(new Set(['code.issued', 'token.issued']));
  });

  it('finds by the search of the dashboard', async () => {
    await signIn('alice');
    await signIn('bob');
    const found = await sandbox.events.list({ q: 'user:bob', type: 'code.issued' });
    expect(found).toMatchObject([{ sub: 'bob', client_id: 'frontend' }]);
  });

  it('finds the newest, or what came after', async () => {
    await signIn('alice');
    const before = await sandbox.events.lastId();
    await signIn('bob');
    const newest = await sandbox.events.list({ type: 'code.issued', limit: 1 });
    expect(newest).toMatchObject([{ sub: 'bob' }]);
    expect(await sandbox.events.list({ type: 'code.issued', after: before })).toEqual(newest);
    expect(await sandbox.events.list({ type: 'code.issued', after: await sandbox.events.lastId() })).toEqual([]);
  });

  it('has headers and bodies where they are asked for', async () => {
    await (await fetch(`${running.url}/userinfo`, { headers: { 'x-mine': 'yes' } })).arrayBuffer();
    const query = { type: 'request.completed', q: 'path:/userinfo' } as const;
    expect(JSON.stringify(await sandbox.events.list(query))).not.toContain('x-mine');
    expect(JSON.stringify(await sandbox.events.list({ ...query, exchange: true }))).toContain('x-mine');
  });

  it.each([
    [{ q: 'clint:bob' }, 'clint'],
    [{ q: 'age:<soon' }, 'soon'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ after: -1 }, 'after'],
    [{ after: 1.5 }, 'after'],
  ])('refuses %j in a sentence', async (query, names) => {
    const refused = sandbox.events.list(query);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(/^events\.list: /);
    await expect(refused).rejects.toThrow(names);
  });
});

describe('events.waitFor', () => {
  it('gives the first that is kept', async () => {
    await signIn('alice');
    await signIn('bob');
    expect(await sandbox.events.waitFor({ type: 'code.issued' })).toMatchObject({ sub: 'alice' });
  });

  it('gives the first that is still to come', async () => {
    await signIn('alice');
    const after = await sandbox.events.lastId();
    const waited = sandbox.events.waitFor({ type: 'code.issued', after });
    await signIn('bob');
    expect(await waited).toMatchObject({ sub: 'bob' });
  });

  it('says what it waited for, and how long', async () => {
    const waited = sandbox.events.waitFor({ type: 'code.issued', q: 'user:bob', timeoutSeconds: 0 });
    await expect(waited).rejects.toThrow(
      'events.waitFor: no event matched {"type":"code.issued","q":"user:bob"} within 0 s',
    );
    await expect(waited).rejects.not.toThrow(TypeError);
  });

  it.each([[{ timeoutSeconds: 61 }], [{ timeoutSeconds: -1 }], [{ q: 'clint:bob' }]])('refuses %j', async query => {
    await expect(sandbox.events.waitFor(query)).rejects.toThrow(TypeError);
    await expect(sandbox.events.waitFor(query)).rejects.toThrow(/^events\.waitFor: /);
  });

  it('says that the sandbox was stopped meanwhile', async () => {
    const other = await createSandbox();
    const { events } = await connectSandbox(other.url);
    const refused = expect(events.waitFor({ type: 'code.issued' })).rejects.toThrow(/^events\.waitFor: /);
    await fetch(`${other.url}/health`); // the waiting has come, too
    await other.stop();
    await refused;
  });
});
