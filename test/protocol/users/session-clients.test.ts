import { beforeEach, describe, expect, it } from 'vitest';
import type { Authorization } from '../../../src/protocol/authorization.ts';
import { clientsOfSession, joinSession, takeSessionContents } from '../../../src/protocol/users/session.ts';
import { createTestServer, frontend, type TestServer, web } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const authorization = (id: string, changes: Partial<Authorization> = {}): Authorization => ({
  id,
  client_id: 'frontend',
  grant_type: 'authorization_code',
  sub: 'alice',
  scopes: ['openid'],
  resources: [],
  session: { sid: 'sid', auth_time: 1, acr: '0', amr: [] },
  ...changes,
});
const join = (client = frontend, of = authorization('a')) => joinSession(sandbox.server, client, of);
const clients = async (sid = 'sid') => [...(await clientsOfSession(sandbox.server, sid))].sort();
const take = () => takeSessionContents(sandbox.server, 'sid');

describe('a session', () => {
  it('knows each client that got something in it, once', async () => {
    await join();
    await join(web, authorization('b'));
    await join(frontend, authorization('c'));
    expect(await clients()).toEqual(['frontend', 'web']);
    expect(await clients('another')).toEqual([]);
  });

  it('knows nobody of an authorization without a session', async () => {
    const { session: _, ...alone } = authorization('a');
    await join(frontend, alone);
    expect(await clients()).toEqual([]);
  });

  it('loses none of many clients at the same moment', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ ...frontend, client_id: `client-${index}` }));
    await Promise.all(many.map(client => join(client, authorization(client.client_id))));
    expect(await clients()).toEqual(many.map(({ client_id }) => client_id).sort());
    expect((await take()).authorizations).toHaveLength(20);
  });

  it('is bounded, and the latest is never the one that is left out', async () => {
    for (let index = 0; index < 100; index++) {
      await join({ ...frontend, client_id: `client-${index}` }, authorization(`a-${index}`));
    }
    expect(await clients()).toHaveLength(32);
    expect(await clients()).toContain('client-99');
    const { authorizations } = await take();
    expect(authorizations).toHaveLength(64);
    expect(authorizations.map(({ id }) => id)).toContain('a-99');
  });

  it('remembers which refresh tokens end with it: those without offline_access', async () => {
    await join(frontend, authorization('short'));
    await join(frontend, authorization('long', { scopes: ['openid', 'offline_access'] }));
    await join({ ...frontend, client_id: 'none', grant_types: ['authorization_code'] }, authorization('none'));
    expect((await take()).authorizations).toEqual([{ id: 'short', client_id: 'frontend' }]);
  });

  it('gives all of it once, to the first of two logouts', async () => {
    await join();
    const [first, second] = await Promise.all([take(), take()]);
    expect(first).toEqual({ clients: ['frontend'], authorizations: [{ id: 'a', client_id: 'frontend' }] });
    expect(second).toEqual({ clients: [], authorizations: [] });
    expect(await clients()).toEqual([]);
  });

  it('keeps a client that comes again for as long as the session could last from then', async () => {
    await join();
    sandbox.pass(20_000);
    await join();
    sandbox.pass(20_000);
    expect(await clients()).toEqual(['frontend']);
    sandbox.pass(8800);
    expect(await clients()).toEqual([]);
  });
});
