import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { tokenHash } from '../../../src/protocol/tokens/id-token.ts';
import { createTestServer, frontend, issuer, now, type TestServer, verifier } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const claims = async (parameters: Record<string, string> = {}) =>
  decodeJwt((await sandbox.tokens(parameters)).id_token ?? '');

describe('an ID token (OIDC Core §2)', () => {
  it('says who, by whom, for whom and when, and nothing of the profile', async () => {
    const session = await sandbox.login();
    const { id_token = '', access_token } = await sandbox.tokens(
      { scope: 'openid profile email', nonce: 'n-0S6_WzA2Mj' },
      session,
    );
    expect(decodeJwt(id_token)).toEqual({
      iss: issuer,
      sub: 'alice',
      aud: 'frontend',
      azp: 'frontend',
      exp: now + 300,
      iat: now,
      auth_time: now,
      nonce: 'n-0S6_WzA2Mj',
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
      sid: session.sid,
      acr: '0',
      amr: ['user'],
    });
  });

  it.each(['x'.repeat(300), 'a b+c%20', 'ünïcödé', '"\\<>'])('returns the nonce %j unchanged', async nonce => {
    expect((await claims({ nonce })).nonce).toBe(nonce);
  });

  it('has no nonce when none was sent', async () => {
    expect(await claims()).not.toHaveProperty('nonce');
  });

  it('has the claims of the granted scopes too with id_token_claims: all', async () => {
    sandbox = createTestServer({ clients: [{ ...frontend, id_token_claims: 'all' }] });
    expect(await claims({ scope: 'openid email' })).toMatchObject({ email: 'alice@example.com', email_verified: true });
    expect(await claims({ scope: 'openid email' })).not.toHaveProperty('name');
  });

  it('lets no user claim replace one of the protocol', async () => {
    const open = { ...frontend, id_token_claims: 'all' as const };
    const scopes = new Map(sandbox.server.scopes).set('profile', {
      ...{ name: 'profile', description: '', access_token_claims: {} },
      claims: ['iss', 'sub', 'aud', 'nonce', 'name'],
    });
    sandbox = createTestServer({ clients: [open], scopes });
    expect(await claims({ scope: 'openid profile' })).toMatchObject({ iss: issuer, sub: 'alice', aud: 'frontend' });
  });

  it('has typ JWT and the alg the client registered, RS256 unless it asks otherwise', async () => {
    const rs256 = { ...frontend, client_id: 'rs256', id_token_signed_response_alg: 'RS256' };
    sandbox = createTestServer({ clients: [rs256] });
    const code = await sandbox.code({ client_id: 'rs256' });
    const { id_token = '' } = await sandbox.token({
      ...{ grant_type: 'authorization_code', client_id: 'rs256', code, code_verifier: verifier },
    });
    const jwks = await sandbox.server.keys.jwks();
    const { protectedHeader } = await jwtVerify(id_token, createLocalJWKSet({ keys: [...jwks.keys] }), {
      ...{ issuer, audience: 'rs256', currentDate: new Date(now * 1000) },
    });
    expect(protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'JWT' });
  });

  it('has kid in its header', async () => {
    const { id_token = '' } = await sandbox.tokens();
    const { keys } = await sandbox.server.keys.jwks();
    expect(keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(id_token).kid);
  });

  it('lives as long as is set', async () => {
    sandbox = createTestServer({ lifetimes: { ...sandbox.server.lifetimes, idToken: 5 } });
    expect((await claims()).exp).toBe(now + 5);
  });

  it('lives as long as its client says, where it says so', async () => {
    const brief = { ...frontend, client_id: 'brief', id_token_lifetime: 7 };
    sandbox = createTestServer({ clients: [brief] });
    const code = await sandbox.code({ client_id: 'brief', scope: 'openid' });
    const grant = { grant_type: 'authorization_code', client_id: 'brief', code, code_verifier: verifier };
    const { id_token = '' } = await sandbox.token(grant);
    expect(decodeJwt(id_token).exp).toBe(now + 7);
  });

  it('says when the user signed in, not when the code was asked for', async () => {
    const session = await sandbox.login();
    sandbox.pass(1000);
    const { id_token = '' } = await sandbox.tokens({ max_age: '10000' }, session);
    expect(decodeJwt(id_token)).toMatchObject({ auth_time: now, iat: now + 1000 });
  });
});

describe('at_hash (OIDC Core §3.1.3.6)', () => {
  it.each([
    ['RS256', 'sha256', 16],
    ['PS384', 'sha384', 24],
    ['ES512', 'sha512', 32],
    ['EdDSA', 'sha512', 32],
    ['Ed25519', 'sha512', 32],
  ])('of %s is the left half of %s', (alg, digest, bytes) => {
    const expected = createHash(digest).update('token').digest().subarray(0, bytes).toString('base64url');
    expect(tokenHash('token', alg)).toBe(expected);
  });

  it('is the one of the OIDC conformance example', () => {
    // OIDC Core Appendix A.3
    const token = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';
    expect(tokenHash(token, 'RS256')).toBe('77QmUPtjPfzWtF2AnpK9RQ');
  });
});
