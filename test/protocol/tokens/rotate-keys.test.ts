import { decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { rotateKeys } from '../../../src/protocol/tokens/rotate-keys.ts';
import { verifyAccessToken } from '../../../src/protocol/tokens/verify-access-token.ts';
import { createTestServer, eventsOf, frontend, now, type TestServer } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const rotate = (it = sandbox) => rotateKeys(it.server, fact => void it.events.push(fact));
const kids = async () => (await sandbox.server.keys.jwks()).keys.map(({ kid }) => kid);

describe('a rotation of keys', () => {
  it('has new tokens signed with the new key, and old ones still verified', async () => {
    const before = await sandbox.tokens();
    await rotate();
    const after = await sandbox.tokens();
    const [old, fresh] = [before, after].map(({ access_token }) => decodeProtectedHeader(access_token).kid);
    expect(fresh).not.toBe(old);
    expect(await kids()).toEqual([fresh, old]);
    expect(await verifyAccessToken(sandbox.server, before.access_token)).toMatchObject({ sub: 'alice' });
    expect(await verifyAccessToken(sandbox.server, after.access_token)).toMatchObject({ sub: 'alice' });
  });

  it('is logged with the end of the overlap', async () => {
    const [old] = await kids();
    await rotate();
    const [kid] = await kids();
    expect(eventsOf(sandbox.events, 'key.rotated')).toEqual([
      { type: 'key.rotated', alg: 'ES256', kid, replaced: old, publishedUntil: now + 600 },
    ]);
  });

  it.each([
    ['access_token_lifetime', { access_token_lifetime: 7200 }],
    ['id_token_lifetime', { id_token_lifetime: 7200 }],
  ])('keeps the old key published until a token with the longest %s has expired', async (_member, members) => {
    sandbox = createTestServer({ clients: [{ ...frontend, client_id: 'patient', ...members }] });
    const [old] = await kids();
    await rotate();
    sandbox.pass(7199);
    expect(await kids()).toContain(old);
    sandbox.pass(1);
    expect(await kids()).not.toContain(old);
    expect(await kids()).toHaveLength(1);
  });

  it('keeps it as long for clients that are in no directory, as their metadata documents are', async () => {
    const { lifetimes } = sandbox.server;
    sandbox = createTestServer({ lifetimes: { ...lifetimes, accessToken: 7200 } });
    const [old] = await kids();
    await rotate();
    sandbox.pass(7199);
    expect(await kids()).toContain(old);
    sandbox.pass(1);
    expect(await kids()).not.toContain(old);
  });

  it('says of a token of a key that is gone that it is expired, not that it is unknown', async () => {
    const { access_token } = await sandbox.tokens();
    await rotate();
    sandbox.pass(10_000);
    await expect(verifyAccessToken(sandbox.server, access_token)).rejects.toMatchObject({
      reason: 'access_token_expired',
    });
  });

  it('replaces the key of each algorithm', async () => {
    await sandbox.server.keys.forAlg('EdDSA');
    const before = await kids();
    await rotate();
    expect(
      eventsOf(sandbox.events, 'key.rotated')
        .map(({ alg }) => alg)
        .sort(),
    ).toEqual(['ES256', 'EdDSA']);
    expect(await kids()).toHaveLength(4);
    expect(await kids()).toEqual(expect.arrayContaining(before));
  });
});
