import { expect, it } from 'vitest';
import { verifySignature } from '../../../src/protocol/tokens/verify-signature.ts';
import { forgeries } from '../../support/forgeries.ts';
import { createTestServer } from '../../support/server.ts';

const sandbox = createTestServer();
const { access_token, id_token = '' } = await sandbox.tokens();
const key = await sandbox.server.keys.forAlg('ES256');

it.each([
  ['an access token', access_token],
  ['an ID token', id_token],
])('finds the key that signed %s', async (_what, token) => {
  expect(await verifySignature(sandbox.server, token)).toEqual({
    ok: true,
    kid: key.kid,
    alg: 'ES256',
    key: 'signing',
  });
});

it('judges the signature only: an expired token has a good one', async () => {
  sandbox.pass(10_000);
  expect(await verifySignature(sandbox.server, access_token)).toMatchObject({ ok: true });
});

it.each(await forgeries(access_token, key))('says no to %s, and never throws', async (_what, forged) => {
  expect(await verifySignature(sandbox.server, forged)).toEqual({ ok: false, why: expect.any(String) });
});

it('says what became of the key: it signs, it is still published, or it is not even that', async () => {
  const own = createTestServer();
  const { access_token: token } = await own.tokens();
  const stateOfKey = async () => {
    const result = await verifySignature(own.server, token);
    return result.ok ? result.key : result.why;
  };
  expect(await stateOfKey()).toBe('signing');
  await own.server.keys.rotate('ES256', own.server.clock() + 60);
  expect(await stateOfKey()).toBe('published');
  own.pass(60);
  expect(await stateOfKey()).toBe('withdrawn');
});

it.each([
  ['no JWT', 'random', 'it is not a JWT with a readable header'],
  ['a shared secret', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA', 'alg is HS256, but this server never signs with it'],
  ['no signature', 'eyJhbGciOiJub25lIn0.e30.', 'it is not signed at all'],
  ['no kid', 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA', 'its header has no kid to identify the key'],
])('says what is wrong with %s', async (_what, token, why) => {
  expect(await verifySignature(sandbox.server, token)).toEqual({ ok: false, why });
});
