import OktaJwtVerifier from '@okta/jwt-verifier';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

// The unmodified @okta/jwt-verifier, as an API uses it.
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    preset: 'okta',
    clients: [
      { client_id: 'spa', redirect_uris: ['http://localhost:3000/callback'], grant_types: ['authorization_code'] },
    ],
    users: [{ sub: '00ualice0000000000d7', username: 'alice@example.com', claims: { name: 'Alice' } }],
  });
});
afterAll(() => sandbox.stop());

const verifier = (more: object = {}) =>
  new OktaJwtVerifier({ issuer: sandbox.issuer, testing: { disableHttpsCheck: true }, ...more });
const mint = async (more: object = {}) =>
  (await sandbox.issueToken({ client: 'spa', user: 'alice@example.com', scope: 'openid profile', ...more })).token;

it('verifies an access token by the published keys, its audience and asserted claims', async () => {
  const strict = verifier({ assertClaims: { cid: 'spa', 'scp.includes': ['openid'] } });
  const { header, claims } = await strict.verifyAccessToken(await mint(), 'api://default');
  expect(header).toEqual({ alg: 'RS256', kid: expect.any(String) });
  expect(claims).toMatchObject({ sub: 'alice@example.com', uid: '00ualice0000000000d7', ver: 1 });
});

it('verifies an ID token for its client and its nonce', async () => {
  const token = await mint({ type: 'id', claims: { nonce: 'the-nonce' } });
  expect((await verifier().verifyIdToken(token, 'spa', 'the-nonce')).claims.sub).toBe('00ualice0000000000d7');
  await expect(verifier().verifyIdToken(token, 'other', 'the-nonce')).rejects.toThrow(
    /does not match expected client id/,
  );
  await expect(verifier().verifyIdToken(token, 'spa', 'x')).rejects.toThrow(/does not match expected nonce/);
});

it('refuses a token for another audience or issuer, one that has expired, and one with a broken signature', async () => {
  const refused = async (options: object, audience = 'api://default') =>
    verifier()
      .verifyAccessToken(await mint(options), audience)
      .catch(({ userMessage, message }) => userMessage ?? message);
  expect(await refused({}, 'api://other')).toMatch(/does not match expected audience/);
  expect(await refused({ defect: 'expired' })).toBe('Jwt is expired');
  expect(await refused({ defect: 'wrong_issuer' })).toMatch(/does not match expected issuer/);
  expect(await refused({ defect: 'bad_signature' })).toBe('Signature verification failed');
});
