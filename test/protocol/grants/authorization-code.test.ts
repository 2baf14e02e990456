import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorize } from '../../../src/protocol/endpoints/authorize.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { revokeAuthorization } from '../../../src/protocol/kept-authorizations.ts';
import {
  answerOf,
  basic,
  callback,
  challenge,
  createTestServer,
  eventsOf,
  redemption,
  refusal,
  type TestServer,
  web,
  webRequest,
} from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const redeem = (code: string, changes: Record<string, string> = {}, authorization?: string) =>
  sandbox.token({ ...redemption, code, ...changes }, authorization);

const asWeb = basic('web', 'web-secret');
const redeemWeb = (code: string, changes: Record<string, string> = {}) =>
  sandbox.token({ grant_type: 'authorization_code', code, redirect_uri: webRequest.redirect_uri, ...changes }, asWeb);

const openUserinfo = (access_token: string) =>
  userinfo(sandbox.server, sandbox.request({}, { method: 'GET', authorization: `Bearer ${access_token}` }));

describe('a code', () => {
  it('gives tokens once', async () => {
    const code = await sandbox.code();
    await redeem(code);
    expect(await refusal(redeem(code))).toMatchObject({ code: 'invalid_grant', reason: 'code_replayed' });
  });

  it('used a second time revokes what the first use gave (RFC 6749 §4.1.2)', async () => {
    const code = await sandbox.code();
    const { access_token, refresh_token = '' } = await redeem(code);
    await openUserinfo(access_token);
    await refusal(redeem(code));
    expect(await refusal(openUserinfo(access_token))).toMatchObject({
      code: 'invalid_token',
      reason: 'access_token_revoked',
    });
    const refresh = sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    expect(await refusal(refresh)).toMatchObject({ code: 'invalid_grant', reason: 'authorization_revoked' });
    expect(eventsOf(sandbox.events, 'token.revoked')).toMatchObject([
      { client_id: 'frontend', reason: 'code_replayed' },
    ]);
  });

  it('gives nothing after the authorization it stands for was revoked, by a logout for one', async () => {
    const code = await sandbox.code();
    const [issued] = eventsOf(sandbox.events, 'code.issued');
    await revokeAuthorization(sandbox.server, issued?.authorizationId ?? '');
    expect(await refusal(redeem(code))).toMatchObject({ code: 'invalid_grant', reason: 'authorization_revoked' });
  });

  it('is still recognised as used long after it expired', async () => {
    const code = await sandbox.code();
    const { refresh_token = '' } = await redeem(code);
    sandbox.pass(3000);
    expect(await refusal(redeem(code))).toMatchObject({ reason: 'code_replayed' });
    const refresh = sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    expect((await refusal(refresh)).code).toBe('invalid_grant');
  });

  it.each([
    ['another client', { client_id: 'web', client_secret: 'web-secret' }, 'code_of_another_client'],
    ['a wrong verifier', { code_verifier: 'b'.repeat(43) }, 'pkce_mismatch'],
    ['no verifier', { code_verifier: '' }, 'pkce_missing'],
    ['another redirect_uri', { redirect_uri: 'http://localhost:5173/other' }, 'redirect_uri_mismatch'],
  ])('replayed by %s revokes nothing, because nothing but the code was right', async (_what, changes, reason) => {
    const code = await sandbox.code();
    const { access_token } = await redeem(code);
    expect(await refusal(redeem(code, changes))).toMatchObject({ code: 'invalid_grant', reason });
    await expect(openUserinfo(access_token)).resolves.toMatchObject({ status: 200 });
  });

  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['a wrong verifier', { code_verifier: 'b'.repeat(43) }, undefined, 'invalid_grant'],
    ['a malformed verifier', { code_verifier: 'short' }, undefined, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, undefined, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: 'http://localhost:5173/callback/' }, undefined, 'invalid_grant'],
    ['another client', { client_id: 'web', client_secret: 'web-secret' }, undefined, 'invalid_grant'],
    ['a failed client authentication', { client_id: '' }, basic('frontend', 'x'), 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, undefined, 'invalid_client'],
    ['a bad resource', { resource: 'x#y' }, undefined, 'invalid_target'],
  ])('is not burnt by %s', async (_what, changes, authorization, code) => {
    const issued = await sandbox.code();
    expect((await refusal(redeem(issued, changes, authorization))).code).toBe(code);
    expect(await redeem(issued)).toHaveProperty('access_token');
  });

  it.each(['unknown', 'x'.repeat(5000), '__proto__', '../../code'])(
    'is refused when it never was issued',
    async code => {
      expect(await refusal(redeem(code))).toMatchObject({ code: 'invalid_grant', reason: 'code_expired_or_unknown' });
    },
  );

  it('lives 60 seconds, and its refusal says when it expired', async () => {
    const [early, late] = [await sandbox.code(), await sandbox.code()];
    sandbox.pass(59);
    expect(await redeem(early)).toHaveProperty('access_token');
    sandbox.pass(6);
    const error = await refusal(redeem(late));
    expect(error).toMatchObject({ code: 'invalid_grant', reason: 'code_expired_or_unknown' });
    expect(error.description).toBe('the code expired 5 s ago: a code lasts 60 s');
    expect(eventsOf(sandbox.events, 'token.revoked')).toEqual([]);
  });

  it('does not live at the second it expires', async () => {
    const code = await sandbox.code();
    sandbox.pass(60);
    expect((await refusal(redeem(code))).code).toBe('invalid_grant');
  });

  it.each([2, 10])('redeemed %i times at once gives exactly one success', async count => {
    const code = await sandbox.code();
    const outcomes = await Promise.allSettled(Array.from({ length: count }, () => redeem(code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('redirect_uri at the token endpoint', () => {
  it('may be left out where a code_challenge was sent (OAuth 2.1 §10.2)', async () => {
    expect(await redeem(await sandbox.code(), { redirect_uri: '' })).toHaveProperty('access_token');
  });

  it('is demanded where none was (RFC 6749 §4.1.3)', async () => {
    const code = await sandbox.code(webRequest);
    expect(await refusal(redeemWeb(code, { redirect_uri: '' }))).toMatchObject({
      code: 'invalid_request',
      reason: 'redirect_uri_missing',
    });
    expect(await redeemWeb(code)).toHaveProperty('access_token');
  });

  it('may be left out if the authorization request had none (RFC 6749 §4.1.3), and is compared if it is sent', async () => {
    const { redirect_uri } = webRequest;
    const asked = { ...webRequest, redirect_uri: '', scope: 'email' };
    sandbox = createTestServer({ clients: [{ ...web, redirect_uris: [redirect_uri] }] });
    for (const sent of ['', redirect_uri])
      expect(await redeemWeb(await sandbox.code(asked), { redirect_uri: sent })).toHaveProperty('access_token');
    const other = redeemWeb(await sandbox.code(asked), { redirect_uri: 'https://evil.example/callback' });
    expect(await refusal(other)).toMatchObject({ reason: 'redirect_uri_mismatch' });
  });

  it.each([
    'https://shop.example/callback/',
    'https://shop.example/Callback',
    'https://shop.example/callback?x=1',
    'https://shop.example/callback#x',
    'https://shop.example/other?tenant=1',
    'https://evil.example/callback',
  ])('is compared when it is sent: %s', async redirect_uri => {
    const code = await sandbox.code(webRequest);
    expect(await refusal(redeemWeb(code, { redirect_uri }))).toMatchObject({
      code: 'invalid_grant',
      reason: 'redirect_uri_mismatch',
      details: { sent: redirect_uri, expected: webRequest.redirect_uri },
    });
  });

  it('is the only registered one where none was in the authorization request', async () => {
    const code = await sandbox.code({ redirect_uri: '', scope: 'email' });
    expect(await redeem(code)).toHaveProperty('access_token');
  });
});

describe('PKCE', () => {
  it('is not replaced by a verifier where no challenge was sent (downgrade)', async () => {
    const code = await sandbox.code(webRequest);
    expect(await refusal(redeemWeb(code, { code_verifier: 'a'.repeat(43) }))).toMatchObject({
      reason: 'pkce_unexpected',
    });
  });
});

describe('resource (RFC 8707 §2.2)', () => {
  const aud = (access_token: string) => decodeJwt(access_token).aud;

  it('of the authorization request is in aud', async () => {
    expect(aud((await sandbox.tokens({ resource: 'https://api.example' })).access_token)).toBe('https://api.example');
  });

  it('may be narrowed at the token endpoint, and the refresh token keeps the others', async () => {
    const code = await codeFor('urn:a', 'urn:b');
    const { access_token, refresh_token = '' } = await redeem(code, { resource: 'urn:a' });
    expect(aud(access_token)).toBe('urn:a');
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    const second = await sandbox.token({ ...refresh, resource: 'urn:b' });
    expect(aud(second.access_token)).toBe('urn:b');
    const third = await sandbox.token({ ...refresh, refresh_token: second.refresh_token ?? '' });
    expect(aud(third.access_token)).toEqual(['urn:a', 'urn:b']);
  });

  it('is not widened', async () => {
    const code = await sandbox.code({ resource: 'urn:a' });
    expect((await refusal(redeem(code, { resource: 'urn:b' }))).code).toBe('invalid_target');
  });

  async function codeFor(...resources: readonly string[]): Promise<string> {
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const query = new URLSearchParams({
      client_id: 'frontend',
      redirect_uri: callback,
      response_type: 'code',
      ...pkce,
    });
    for (const resource of resources) query.append('resource', resource);
    const { id: sessionId } = await sandbox.login();
    const reply = await authorize(sandbox.server, sandbox.request(query.toString(), { method: 'GET', sessionId }));
    return answerOf(reply).get('code') ?? '';
  }
});
