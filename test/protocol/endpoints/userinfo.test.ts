import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorize } from '../../../src/protocol/endpoints/authorize.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { forgeries, signed } from '../../support/forgeries.ts';
import {
  answerOf,
  basic,
  callback,
  challenge,
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  redemption,
  refusal,
  type Sent,
  sensor,
  type TestServer,
} from '../../support/server.ts';

const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const ask = (sent: Sent = {}, body = '') => userinfo(sandbox.server, sandbox.request(body, { method: 'GET', ...sent }));
const open = (access_token: string) => ask({ authorization: `Bearer ${access_token}` });

/** An access token of a login that asked for these (RFC 8707 §2). */
async function tokenFor(resources: readonly string[]): Promise<string> {
  const asked = new URLSearchParams({ client_id: 'frontend', redirect_uri: callback, response_type: 'code' });
  for (const [name, value] of Object.entries({ scope: 'openid', ...pkce })) asked.append(name, value);
  for (const resource of resources) asked.append('resource', resource);
  const { id: sessionId } = await sandbox.login();
  const reply = await authorize(sandbox.server, sandbox.request(asked.toString(), { method: 'GET', sessionId }));
  return (await sandbox.token({ ...redemption, code: answerOf(reply).get('code') ?? '' })).access_token;
}

async function claims(scope: string) {
  const reply = await open((await sandbox.tokens({ scope })).access_token);
  return reply.kind === 'json' ? reply.body : reply;
}

describe('UserInfo (OIDC Core §5.3)', () => {
  it.each([
    ['openid', { sub: 'alice' }],
    ['openid profile', { sub: 'alice', name: 'Alice Archer' }],
    ['openid email', { sub: 'alice', email: 'alice@example.com', email_verified: true }],
    ['email openid profile', { sub: 'alice', name: 'Alice Archer', email: 'alice@example.com', email_verified: true }],
  ])('releases for %s what its scopes release and nothing else', async (scope, expected) => {
    expect(await claims(scope)).toEqual(expected);
  });

  it('tells the log which token was used, and whose it is', async () => {
    const pairwise = { ...frontend, client_id: 'pairwise', subject_type: 'pairwise' } as const;
    sandbox = createTestServer({ clients: [pairwise] });
    const code = await sandbox.code({ client_id: 'pairwise' });
    const { access_token } = await sandbox.token({ ...redemption, client_id: 'pairwise', code });
    const { tokenId, authorizationId } = eventsOf(sandbox.events, 'token.issued').find(
      each => each.token === access_token,
    ) ?? { tokenId: 'none', authorizationId: 'none' };
    await open(access_token);
    expect(eventsOf(sandbox.events, 'token.used')).toEqual([
      { type: 'token.used', endpoint: 'userinfo', tokenId, authorizationId, client_id: 'pairwise', sub: 'alice' },
    ]);
  });

  it('does not count a token that was refused as used', async () => {
    const { access_token } = await sandbox.tokens({ scope: 'profile' });
    await refusal(open(access_token));
    expect(eventsOf(sandbox.events, 'token.used')).toEqual([]);
  });

  it('takes the token in the Authorization header of a POST', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await ask({ method: 'POST', authorization: `Bearer ${access_token}` })).toMatchObject({ status: 200 });
  });

  it('takes the token in the form body of a POST', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await ask({ method: 'POST' }, `access_token=${access_token}`)).toMatchObject({ status: 200 });
  });

  it('ignores a token in the query (OAuth 2.1 §5.1.1)', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await refusal(ask({}, `access_token=${access_token}`))).toMatchObject({ reason: 'access_token_in_query' });
  });

  it('takes an opaque token', async () => {
    sandbox = createTestServer({ clients: [{ ...frontend, access_token_format: 'opaque' }] });
    expect(await claims('openid profile')).toEqual({ sub: 'alice', name: 'Alice Archer' });
  });

  it.each([
    ['UserInfo', [`${issuer}/userinfo`]],
    ['UserInfo and an API', ['https://api.example/', `${issuer}/userinfo`]],
    ['this server', [issuer]],
  ])('takes a token that was asked for %s', async (_what, resources) => {
    expect(await open(await tokenFor(resources))).toMatchObject({ status: 200 });
  });

  it('takes a token whose audience nobody asked for, because it is the one of all tokens of its client', async () => {
    const api = { ...frontend, client_id: 'of-an-api', audience: ['https://api.example/'] };
    sandbox = createTestServer({ clients: [api] });
    const code = await sandbox.code({ client_id: 'of-an-api' });
    const { access_token } = await sandbox.token({ ...redemption, client_id: 'of-an-api', code });
    expect(decodeJwt(access_token).aud).toBe('https://api.example/');
    expect(await open(access_token)).toMatchObject({ status: 200 });
  });

  it('takes a token with the scope as an array', async () => {
    sandbox = createTestServer({ scopeClaim: 'array' });
    expect(await claims('openid profile')).toEqual({ sub: 'alice', name: 'Alice Archer' });
  });
});

describe('UserInfo refuses', () => {
  it('nobody, with a challenge of its own', async () => {
    expect(await refusal(ask())).toMatchObject({ code: 'invalid_token', reason: 'access_token_missing', status: 401 });
  });

  it('a token without openid', async () => {
    const { access_token } = await sandbox.tokens({ scope: 'profile' });
    expect(await refusal(open(access_token))).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
      details: { expected: 'openid' },
    });
  });

  it('a machine, even one with openid', async () => {
    const machine = { ...sensor, client_id: 'machine', scope: 'openid' };
    sandbox = createTestServer({ clients: [machine] });
    const request = { grant_type: 'client_credentials', scope: 'openid' };
    const { access_token } = await sandbox.token(request, basic('machine', 'sensor-secret'));
    expect(await refusal(open(access_token))).toMatchObject({
      code: 'invalid_token',
      reason: 'access_token_not_for_a_user',
    });
  });

  it.each(['jwt', 'opaque'] as const)('an expired token: %s', async access_token_format => {
    sandbox = createTestServer({ clients: [{ ...frontend, access_token_format }] });
    const { access_token } = await sandbox.tokens();
    sandbox.pass(299);
    expect(await open(access_token)).toMatchObject({ status: 200 });
    sandbox.pass(1);
    expect(await refusal(open(access_token))).toMatchObject({ code: 'invalid_token', status: 401 });
  });

  it('an ID token, and says so', async () => {
    const { id_token = '' } = await sandbox.tokens();
    const error = await refusal(open(id_token));
    expect(error.code).toBe('invalid_token');
    expect(error.description).toContain('typ is not at+jwt');
  });

  it('every forgery', async () => {
    const { access_token } = await sandbox.tokens();
    const key = await sandbox.server.keys.forAlg('ES256');
    for (const [name, forged] of await forgeries(access_token, key))
      expect(await refusal(open(forged)), name).toMatchObject({ code: 'invalid_token', status: 401 });
  });

  it.each([
    ['another issuer', { iss: 'http://localhost:9001' }, {}],
    ['no issuer', { iss: undefined }, {}],
    ['no expiry', { exp: undefined }, {}],
    ['no jti', { jti: undefined }, {}],
    ['an expiry in words', { exp: 'never' }, {}],
    ['a start in the future', { nbf: 1_800_000_000 }, {}],
    ['another typ', {}, { typ: 'logout+jwt' }],
    ['no typ', {}, { typ: undefined }],
  ])('our own signature over %s', async (_what, changes, header) => {
    const { access_token } = await sandbox.tokens();
    const token = await signed(sandbox.server, { ...decodeJwt(access_token), ...changes }, header);
    expect(await refusal(open(token))).toMatchObject({ code: 'invalid_token', status: 401 });
  });

  it.each([
    ['one', ['https://api.example/']],
    ['two', ['https://api.example/', 'urn:other']],
    ['the sample backend', [`${issuer}/api/products`]],
  ])('a token that was asked for %s other resource (RFC 8707 §2)', async (_what, resources) => {
    const error = await refusal(open(await tokenFor(resources)));
    expect(error).toMatchObject({ code: 'invalid_token', status: 401, reason: 'access_token_for_another_resource' });
    expect(error.details).toMatchObject({ sent: resources.join(' and '), client_id: 'frontend' });
  });

  it('a token by a key that was taken out of the JWK Set, as an expired one when it is expired', async () => {
    const { access_token } = await sandbox.tokens();
    const { keys, clock } = sandbox.server;
    await keys.rotate('ES256', clock() + 1000);
    expect(await open(access_token)).toMatchObject({ status: 200 });
    keys.unpublish();
    expect(await refusal(open(access_token))).toMatchObject({
      code: 'invalid_token',
      reason: 'access_token_key_unknown',
    });
    sandbox.pass(1000);
    expect(await refusal(open(access_token))).toMatchObject({ reason: 'access_token_expired' });
  });

  it('a token of a user who is gone', async () => {
    sandbox.users.create('dave');
    const { access_token } = await sandbox.tokens({}, await sandbox.login('dave'));
    sandbox.users.reset();
    expect(await refusal(open(access_token))).toMatchObject({ reason: 'access_token_not_for_a_user' });
  });
});
