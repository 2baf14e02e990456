import { expect, it } from 'vitest';
import { verifySignature } from '../../../src/oauth/tokens/verify-signature.ts';
import { forgeries } from '../../support/forgeries.ts';
import { createTestServer } from '../../support/server.ts';

const sandbox = createTestServer();
const { access_token, id_token = '' } = await sandbox.tokens();
const key = await sandbox.server.keys.forAlg('ES256');

it.each([
  ['an access token', access_token],
  ['an ID Token', id_token],
])('finds the key that signed %s', async (_what, token) => {
  expect(await verifySignature(sandbox.server, token)).toEqual({ ok: true, kid: key.kid, alg: 'ES256' });
});

it('judges the signature only: an expired token has a good one', async () => {
  sandbox.pass(10_000);
  expect(await verifySignature(sandbox.server, access_token)).toMatchObject({ ok: true });
});

it.each(await forgeries(access_token, key))('says no to %s, and never throws', async (_what, forged) => {
  expect(await verifySignature(sandbox.server, forged)).toEqual({ ok: false, why: expect.any(String) });
});
