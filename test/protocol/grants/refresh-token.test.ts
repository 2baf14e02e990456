import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  frontend,
  refusal,
  type TestServer,
  verifier,
  webRequest,
} from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const refresh = (refresh_token: string | undefined, changes: Record<string, string> = {}) =>
  sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token: refresh_token ?? '', ...changes });

const openUserinfo = (access_token: string) =>
  userinfo(sandbox.server, sandbox.request({}, { method: 'GET', authorization: `Bearer ${access_token}` }));

describe('a refresh token', () => {
  it('rotates on every use, of a public client too (RFC 9700 §2.2.2)', async () => {
    const first = await sandbox.tokens();
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    expect(new Set([first, second, third].map(each => each.refresh_token)).size).toBe(3);
    expect(new Set([first, second, third].map(each => each.access_token)).size).toBe(3);
  });

  it('is in the log as the grant of all that a refresh issues, with the grant that the login began with', async () => {
    const { refresh_token } = await sandbox.tokens({ scope: 'openid' });
    sandbox.events.length = 0;
    const again = await refresh(refresh_token);
    await refresh(again.refresh_token);
    const grantsOf = eventsOf(sandbox.events, 'token.issued').map(each => [each.grant_type, each.began]);
    expect(grantsOf).toEqual(Array(6).fill(['refresh_token', 'authorization_code']));
  });

  it('has at least 256 bits', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    expect(Buffer.from(refresh_token, 'base64url').length).toBeGreaterThanOrEqual(32);
  });

  it('is given without offline_access to each client that is registered for it', async () => {
    expect(await sandbox.tokens({ scope: '' })).toHaveProperty('refresh_token');
    const without = { ...frontend, client_id: 'no-refresh', grant_types: ['authorization_code'] };
    sandbox = createTestServer({ clients: [without] });
    const code = await sandbox.code({ client_id: 'no-refresh' });
    const request = { grant_type: 'authorization_code', client_id: 'no-refresh', code };
    expect(await sandbox.token({ ...request, code_verifier: verifier })).not.toHaveProperty('refresh_token');
  });

  it.each([
    ['is set', {}, 86_400],
    ['its client says', { refresh_token_lifetime: 90 }, 90],
  ])('lives as long as %s', async (_who, members, seconds) => {
    sandbox = createTestServer({ clients: [{ ...frontend, client_id: 'other', ...members }] });
    const code = await sandbox.code({ client_id: 'other' });
    const grant = { grant_type: 'authorization_code', client_id: 'other', code, code_verifier: verifier };
    const { refresh_token } = await sandbox.token(grant);
    sandbox.pass(seconds - 1);
    const { refresh_token: next } = await refresh(refresh_token, { client_id: 'other' });
    sandbox.pass(seconds);
    expect(await refusal(refresh(next, { client_id: 'other' }))).toMatchObject({ code: 'invalid_grant' });
  });

  it('presented again revokes the whole family and says so in the log (RFC 9700 §4.14.2)', async () => {
    const first = await sandbox.tokens();
    const second = await refresh(first.refresh_token);
    expect(await refusal(refresh(first.refresh_token))).toMatchObject({
      code: 'invalid_grant',
      reason: 'refresh_token_reused',
    });
    for (const { access_token } of [first, second])
      expect(await refusal(openUserinfo(access_token))).toMatchObject({
        code: 'invalid_token',
        reason: 'access_token_revoked',
      });
    expect(await refusal(refresh(second.refresh_token))).toMatchObject({ reason: 'authorization_revoked' });
    expect(eventsOf(sandbox.events, 'token.revoked')).toMatchObject([
      { client_id: 'frontend', reason: 'refresh_token_reused' },
    ]);
  });

  it('presented again does not touch another login of the same user', async () => {
    const [one, other] = [await sandbox.tokens(), await sandbox.tokens()];
    await refresh(one.refresh_token);
    await refusal(refresh(one.refresh_token));
    expect(await refresh(other.refresh_token)).toHaveProperty('access_token');
    expect(await openUserinfo(other.access_token)).toMatchObject({ status: 200 });
  });

  it('used ten times at once gives exactly one success', async () => {
    const { refresh_token } = await sandbox.tokens();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => refresh(refresh_token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each(['unused', 'used'])('of another client is refused and revokes nothing, %s', async state => {
    const first = await sandbox.tokens();
    const live = state === 'used' ? await refresh(first.refresh_token) : first;
    const stolen = { client_id: 'web', client_secret: 'web-secret' };
    expect(await refusal(refresh(first.refresh_token, stolen))).toMatchObject({
      code: 'invalid_grant',
      reason: 'refresh_token_of_another_client',
    });
    expect(await refresh(live.refresh_token)).toHaveProperty('access_token');
  });

  it('lives a day', async () => {
    const { refresh_token } = await sandbox.tokens();
    sandbox.pass(86_400);
    expect(await refusal(refresh(refresh_token))).toMatchObject({ reason: 'refresh_token_expired_or_unknown' });
  });

  it.each(['unknown', '__proto__'])('is refused when it never was issued: %s', async token => {
    expect(await refusal(refresh(token))).toMatchObject({ code: 'invalid_grant' });
  });

  it.each([
    ['a failed client authentication', { client_id: 'nobody' }],
    ['a foreign scope', { scope: 'telemetry:write' }],
    ['a foreign resource', { resource: '/x' }],
  ])('is not burnt by %s', async (_what, changes) => {
    const { refresh_token } = await sandbox.tokens();
    await refusal(refresh(refresh_token, changes));
    expect(await refresh(refresh_token)).toHaveProperty('access_token');
  });

  it('is not an access token', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    expect(await refusal(openUserinfo(refresh_token))).toMatchObject({ code: 'invalid_token' });
  });
});

describe('scope at refresh (RFC 6749 §6)', () => {
  const granted = 'openid profile offline_access bikes:read';

  it.each([
    ['left out', undefined, granted],
    ['repeated, offline_access included', granted, granted],
    ['in another order', 'offline_access bikes:read profile openid', 'offline_access bikes:read profile openid'],
    ['narrowed', 'bikes:read', 'bikes:read'],
  ])('may be %s', async (_how, scope, given) => {
    const { refresh_token } = await sandbox.tokens({ scope: granted });
    const response = await refresh(refresh_token, scope === undefined ? {} : { scope });
    expect(response.scope).toBe(given);
    expect(decodeJwt(response.access_token).scope).toBe(given);
  });

  it('narrowed once keeps the granted scope', async () => {
    const first = await sandbox.tokens({ scope: granted });
    const narrow = await refresh(first.refresh_token, { scope: 'bikes:read' });
    expect(narrow).not.toHaveProperty('id_token');
    expect((await refresh(narrow.refresh_token)).scope).toBe(granted);
  });

  it.each(['openid email', 'products:write', 'telemetry:write', 'made:up', 'Openid'])(
    'is never widened: %s',
    async scope => {
      const { refresh_token } = await sandbox.tokens({ scope: granted });
      expect(await refusal(refresh(refresh_token, { scope }))).toMatchObject({
        code: 'invalid_scope',
        reason: 'scope_widened',
      });
    },
  );

  it('cannot be added where none was granted', async () => {
    const { refresh_token } = await sandbox.tokens({ scope: '' });
    expect((await refusal(refresh(refresh_token, { scope: 'openid' }))).code).toBe('invalid_scope');
  });
});

describe('the ID token of a refresh (OIDC Core §12.2)', () => {
  it('keeps iss, sub, aud, azp and auth_time, and has a new iat and no nonce', async () => {
    const first = await sandbox.tokens({ nonce: 'n' });
    sandbox.pass(100);
    const second = await refresh(first.refresh_token);
    const [before, after] = [first, second].map(({ id_token = '' }) => decodeJwt(id_token));
    for (const claim of ['iss', 'sub', 'aud', 'azp', 'auth_time', 'sid', 'acr', 'amr'])
      expect(after?.[claim], claim).toEqual(before?.[claim]);
    expect(after?.iat).toBe((before?.iat ?? 0) + 100);
    expect(before?.nonce).toBe('n');
    expect(after).not.toHaveProperty('nonce');
  });
});

describe('refresh_token_rotation: false', () => {
  beforeEach(() => {
    sandbox = createTestServer({ clients: [{ ...frontend, refresh_token_rotation: false }] });
  });

  it('gives the same refresh token again and again', async () => {
    const first = await sandbox.tokens();
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    expect([second.refresh_token, third.refresh_token]).toEqual([first.refresh_token, first.refresh_token]);
    expect(await openUserinfo(third.access_token)).toMatchObject({ status: 200 });
  });

  it('lets many refresh at once', async () => {
    const { refresh_token } = await sandbox.tokens();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => refresh(refresh_token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('does not prolong its life', async () => {
    const { refresh_token } = await sandbox.tokens();
    sandbox.pass(86_399);
    await refresh(refresh_token);
    sandbox.pass(1);
    expect((await refusal(refresh(refresh_token))).code).toBe('invalid_grant');
  });
});

it('a confidential client must authenticate to refresh', async () => {
  const code = await sandbox.code(webRequest);
  const asWeb = basic('web', 'web-secret');
  const { redirect_uri } = webRequest;
  const { refresh_token = '' } = await sandbox.token({ grant_type: 'authorization_code', code, redirect_uri }, asWeb);
  expect((await refusal(refresh(refresh_token, { client_id: 'web' }))).code).toBe('invalid_client');
  expect(await sandbox.token({ grant_type: 'refresh_token', refresh_token }, asWeb)).toHaveProperty('access_token');
});
