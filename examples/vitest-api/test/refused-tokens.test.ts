import { describe, expect } from 'vitest';
import { test } from './test.ts';

/** What is wrong with the token, and what jose says of it. */
const defects = [
  { defect: 'expired', code: 'ERR_JWT_EXPIRED', says: '"exp" claim timestamp check failed' },
  { defect: 'not_yet_valid', code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', says: '"nbf" claim timestamp check failed' },
  { defect: 'wrong_audience', code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', says: 'unexpected "aud" claim value' },
  { defect: 'wrong_issuer', code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', says: 'unexpected "iss" claim value' },
  { defect: 'wrong_type', code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', says: 'unexpected "typ" JWT header value' },
  { defect: 'bad_signature', code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED', says: 'signature verification failed' },
  { defect: 'unknown_kid', code: 'ERR_JWKS_NO_MATCHING_KEY', says: 'no applicable key found in the JSON Web Key Set' },
] as const;

describe('a token is refused', () => {
  for (const { defect, code, says } of defects) {
    test(`that is ${defect}`, async ({ issuer, api }) => {
      const { token } = await issuer.issueToken({ client: 'web', user: 'ana', defect });
      const response = await api('GET', '/bookings', token);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ code, message: says });
    });
  }

  test('that has the wrong scope, with 403', async ({ issuer, api }) => {
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', scope: 'bookings:read', as: 'tokens' });
    const response = await api('POST', '/bookings', access_token, { product: 1 });
    expect(response.status).toBe(403);
    expect(response.headers.get('WWW-Authenticate')).toContain('scope="bookings:write"');
  });
});

describe('the clock of the issuer', () => {
  test('may be ten seconds off', async ({ issuer, api }) => {
    await issuer.clock.advance(-310); // its tokens live 300 s, so this one has ended 10 s ago
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    expect((await api('GET', '/bookings', access_token)).status).toBe(200);
  });

  test('may not be an hour off', async ({ issuer, api }) => {
    await issuer.clock.advance(-3600);
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    const response = await api('GET', '/bookings', access_token);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  });
});
