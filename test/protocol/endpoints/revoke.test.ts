import { beforeEach, describe, expect, it } from 'vitest';
import { revoke } from '../../../src/protocol/endpoints/revoke.ts';
import { findToken } from '../../../src/protocol/tokens/find-token.ts';
import { verifyAccessToken } from '../../../src/protocol/tokens/verify-access-token.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  frontend,
  redemption,
  refusal,
  type TestServer,
} from '../../support/server.ts';

const asWeb = basic('web', 'web-secret');
const done = { kind: 'json', status: 200, body: {} };
const opaque = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' } as const;
const other = { ...frontend, client_id: 'other' };

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({ clients: [opaque, other] });
});

const ask = (token: string, parameters: Record<string, string> = { client_id: 'frontend' }, authorization?: string) =>
  revoke(
    sandbox.server,
    sandbox.request({ token, ...parameters }, authorization === undefined ? {} : { authorization }),
  );

const stateOf = async (token = '') => (await findToken(sandbox.server, token))?.state;

describe('revocation (RFC 7009)', () => {
  it.each(['access_token', 'refresh_token'] as const)('of the %s ends the whole authorization', async which => {
    const tokens = await sandbox.tokens({ scope: 'openid offline_access' });
    const another = await sandbox.tokens();
    expect(await ask(tokens[which] ?? '')).toEqual(done);
    expect([await stateOf(tokens.access_token), await stateOf(tokens.refresh_token)]).toEqual(['revoked', 'revoked']);
    expect([await stateOf(another.access_token), await stateOf(another.refresh_token)]).toEqual(['active', 'active']);
    expect(await refusal(verifyAccessToken(sandbox.server, tokens.access_token))).toMatchObject({
      reason: 'access_token_revoked',
    });
  });

  it('leaves no refresh token that could be used, and does not take a later use for theft', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    await ask(refresh_token);
    const refresh = sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    expect(await refusal(refresh)).toMatchObject({ code: 'invalid_grant', reason: 'authorization_revoked' });
    expect(eventsOf(sandbox.events, 'token.revoked')).toHaveLength(1);
    expect(await sandbox.server.store.get(['refresh_token', refresh_token])).toBeUndefined();
  });

  it('forgets an opaque access token', async () => {
    const code = await sandbox.code({ client_id: 'opaque' });
    const { access_token } = await sandbox.token({ ...redemption, client_id: 'opaque', code });
    await ask(access_token, { client_id: 'opaque' });
    expect(await sandbox.server.store.get(['access_token', access_token])).toBeUndefined();
    expect(await refusal(verifyAccessToken(sandbox.server, access_token))).toMatchObject({ code: 'invalid_token' });
  });

  it('of a rotated refresh token revokes its successor', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    const next = await sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    expect(await ask(refresh_token)).toEqual(done);
    expect(await stateOf(next.refresh_token)).toBe('revoked');
  });

  it.each(['access_token', 'refresh_token', 'id_token', 'nonsense', ''])(
    'finds the token with the hint %j',
    async token_type_hint => {
      const { access_token, refresh_token } = await sandbox.tokens();
      await ask(access_token, { client_id: 'frontend', token_type_hint });
      expect(await stateOf(refresh_token)).toBe('revoked');
    },
  );

  it.each(['unknown', 'a.b.c', 'tok_123'])('of the unknown %j is no error', async token => {
    expect(await ask(token)).toEqual(done);
    expect(eventsOf(sandbox.events, 'token.revoked')).toEqual([]);
  });

  it('of an expired or revoked token is neither an error nor an event', async () => {
    const expired = await sandbox.tokens();
    sandbox.pass(300);
    expect(await ask(expired.access_token)).toEqual(done);
    expect(await stateOf(expired.refresh_token)).toBe('active');
    const { access_token } = await sandbox.tokens();
    await ask(access_token);
    expect(await ask(access_token)).toEqual(done);
    expect(eventsOf(sandbox.events, 'token.revoked')).toHaveLength(1);
  });

  it('is in the log with its reason', async () => {
    const { access_token } = await sandbox.tokens();
    await ask(access_token);
    const [issued] = eventsOf(sandbox.events, 'token.issued');
    expect(eventsOf(sandbox.events, 'token.revoked')).toEqual([
      {
        type: 'token.revoked',
        authorizationId: issued?.authorizationId,
        client_id: 'frontend',
        reason: 'revoked_by_client',
      },
    ]);
  });
});

describe('who may revoke', () => {
  it('refuses a different confidential client, and the token stays valid', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await refusal(ask(access_token, {}, asWeb))).toMatchObject({
      code: 'invalid_request',
      reason: 'token_of_another_client',
    });
    expect(await stateOf(access_token)).toBe('active');
  });

  it('answers a different public client without telling whether the token is valid', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await ask(access_token, { client_id: 'other' })).toEqual(done);
    expect(await stateOf(access_token)).toBe('active');
  });

  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['nobody', {}, undefined, 'invalid_client'],
    ['a wrong secret', {}, basic('web', 'x'), 'invalid_client'],
    ['a confidential client without its secret', { client_id: 'web' }, undefined, 'invalid_client'],
  ])('is not %s', async (_who, parameters, authorization, code) => {
    const { access_token } = await sandbox.tokens();
    expect(await refusal(ask(access_token, parameters, authorization))).toMatchObject({ code });
    expect(await stateOf(access_token)).toBe('active');
  });

  it('must send a token, and once', async () => {
    expect(await refusal(revoke(sandbox.server, sandbox.request({ client_id: 'frontend' })))).toMatchObject({
      reason: 'parameter_missing',
    });
    const twice = sandbox.request('client_id=frontend&token=a&token=b');
    expect(await refusal(revoke(sandbox.server, twice))).toMatchObject({ reason: 'parameter_repeated' });
  });
});
