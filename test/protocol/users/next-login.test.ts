import { beforeEach, describe, expect, it } from 'vitest';
import {
  mostNextLogins,
  nextLoginLifetime,
  putNextLogin,
  takeNextLogin,
} from '../../../src/protocol/users/next-login.ts';
import { createTestServer, type TestServer } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});
const take = (client = 'frontend') => takeNextLogin(sandbox.server, client);
const put = (sub: string, client?: string) =>
  putNextLogin(sandbox.server, { sub, ...(client === undefined ? {} : { client }) });

describe('who signs in next', () => {
  it('is used once', async () => {
    await put('alice');
    expect(await take()).toEqual({ sub: 'alice' });
    expect(await take()).toBeUndefined();
  });

  it('is used in the order of the calls', async () => {
    for (const sub of ['alice', 'bob', 'carol']) await put(sub);
    expect([await take(), await take(), await take()].map(login => login?.sub)).toEqual(['alice', 'bob', 'carol']);
    await put('bob');
    expect((await take())?.sub).toBe('bob');
  });

  it('waits for its client, and has priority over one for any client', async () => {
    await put('alice');
    await put('bob', 'web');
    expect((await take('web'))?.sub).toBe('bob');
    expect((await take('web'))?.sub).toBe('alice');
    await put('carol', 'web');
    expect(await take('frontend')).toBeUndefined();
  });

  it('gives each of two logins at once its own', async () => {
    await put('alice');
    await put('bob');
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.map(login => login?.sub ?? 'nobody').sort()).toEqual(['alice', 'bob', 'nobody']);
  });

  it('keeps both of two simultaneous calls', async () => {
    await Promise.all([put('alice'), put('bob'), put('carol')]);
    const taken = [await take(), await take(), await take()];
    expect(taken.map(login => login?.sub).sort()).toEqual(['alice', 'bob', 'carol']);
  });

  it('is forgotten after a while, and does not hold up later ones', async () => {
    for (let count = 0; count < mostNextLogins; count++) await put('alice');
    expect(await put('bob')).toBe(false);
    sandbox.pass(nextLoginLifetime);
    expect(await take()).toBeUndefined();
    expect(await put('bob')).toBe(true);
    expect((await take())?.sub).toBe('bob');
  });

  it('is forgotten with a reset', async () => {
    await put('alice');
    await sandbox.server.store.clear();
    expect(await take()).toBeUndefined();
  });
});
