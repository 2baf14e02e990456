import { jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { introspect } from '../../../src/protocol/endpoints/introspect.ts';
import { revoke } from '../../../src/protocol/endpoints/revoke.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  now,
  redemption,
  refusal,
  type Sent,
  type TestServer,
  web,
} from '../../support/server.ts';

const asWeb = basic('web', 'web-secret');
const asSensor = basic('sensor', 'sensor-secret');
const jwtType = 'application/token-introspection+jwt';
const opaque = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' } as const;
const pairwise = { ...frontend, client_id: 'pairwise', subject_type: 'pairwise' } as const;
const sector = { ...web, client_id: 'sector', subject_type: 'pairwise' } as const;
const asSector = basic('sector', 'web-secret');
const atShop = { redirect_uri: 'https://shop.example/callback' };
const signing = { ...web, client_id: 'signing', introspection_signed_response_alg: 'ES256' };

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({ clients: [opaque, pairwise, sector, signing] });
});

const reply = (token: string, sent: Sent = {}, more: Record<string, string> = {}) =>
  introspect(sandbox.server, sandbox.request({ token, ...more }, { authorization: asWeb, ...sent }));

async function answer(token: string, authorization = asWeb, more: Record<string, string> = {}) {
  const it = await reply(token, { authorization }, more);
  if (it.kind !== 'json') throw new Error(`a ${it.kind}`);
  expect(it.status).toBe(200);
  return it.body as Record<string, unknown>;
}

describe('introspection of an active token (RFC 7662 §2.2)', () => {
  it('says everything a JWT access token says', async () => {
    const { access_token } = await sandbox.tokens({ scope: 'openid email' });
    expect(await answer(access_token)).toEqual({
      active: true,
      token_type: 'Bearer',
      username: 'alice',
      iss: issuer,
      sub: 'alice',
      aud: 'frontend',
      client_id: 'frontend',
      scope: 'openid email',
      iat: now,
      nbf: now,
      exp: now + 300,
      jti: expect.any(String),
      auth_time: now,
      acr: '0',
      amr: expect.any(Array),
      sid: expect.any(String),
      roles: ['admin', 'buyer'],
    });
  });

  it('says the same of an opaque one', async () => {
    const code = await sandbox.code({ client_id: 'opaque', scope: 'openid email' });
    const { access_token } = await sandbox.token({ ...redemption, client_id: 'opaque', code });
    expect(await answer(access_token)).toMatchObject({
      active: true,
      token_type: 'Bearer',
      sub: 'alice',
      client_id: 'opaque',
      scope: 'openid email',
      exp: now + 300,
    });
  });

  it('has the scope as text where tokens have it as a list', async () => {
    sandbox = createTestServer({ scopeClaim: 'array' });
    const { access_token } = await sandbox.tokens({ scope: 'openid email' });
    expect(await answer(access_token)).toMatchObject({ scope: 'openid email' });
  });

  it('has neither username nor user where a client acts for itself', async () => {
    const { access_token } = await sandbox.token({ grant_type: 'client_credentials' }, asSensor);
    const body = await answer(access_token);
    expect(body).toMatchObject({ active: true, sub: 'sensor', client_id: 'sensor' });
    expect(body).not.toHaveProperty('username');
    expect(body).not.toHaveProperty('scope');
  });

  it('does not see through a pairwise sub', async () => {
    const code = await sandbox.code({ client_id: 'pairwise' });
    const { access_token } = await sandbox.token({ ...redemption, client_id: 'pairwise', code });
    const body = await answer(access_token);
    expect(body).toMatchObject({ active: true, sub: expect.stringMatching(/^[\w-]{43}$/) });
    expect(JSON.stringify(body)).not.toContain('alice');
  });

  it('shows the client of a refresh token the pairwise sub it knows, and no username', async () => {
    const code = await sandbox.code({ client_id: 'sector', ...atShop });
    const given = await sandbox.token({ ...redemption, ...atShop, client_id: 'sector', code }, asSector);
    const [access, refresh] = [given.access_token, given.refresh_token ?? ''];
    const { sub } = await answer(access, asSector);
    const body = await answer(refresh, asSector);
    expect(body).toMatchObject({ active: true, client_id: 'sector', sub });
    expect(body).not.toHaveProperty('username');
    expect(JSON.stringify(body)).not.toContain('alice');
  });

  it('shows the key of a bound token, and DPoP as its type', async () => {
    const { accessTokenClaims } = await import('../../../src/protocol/tokens/access-token.ts');
    const authorization = { id: 'a', client_id: 'frontend', grant_type: 'x', sub: 'alice', scopes: [], resources: [] };
    const confirmation = { jkt: 'a thumbprint' };
    const redeemed = { authorization, scopes: [], resources: [] };
    const claims = accessTokenClaims(sandbox.server, frontend, redeemed, { tokenId: 'tok_1', confirmation });
    await sandbox.server.store.put(['access_token', 'bound'], claims, 300);
    expect(await answer('bound')).toMatchObject({ active: true, token_type: 'DPoP', cnf: confirmation });
  });

  it('tells a refresh token to its own client, without the type of an access token', async () => {
    const code = await sandbox.code({ ...{ client_id: 'web', redirect_uri: 'https://shop.example/callback' } });
    const { refresh_token = '' } = await sandbox.token(
      { ...redemption, client_id: 'web', redirect_uri: 'https://shop.example/callback', code },
      asWeb,
    );
    const body = await answer(refresh_token);
    expect(body).toMatchObject({ active: true, sub: 'alice', client_id: 'web', iat: now, exp: now + 86_400 });
    expect(body).not.toHaveProperty('token_type');
  });
});

describe('introspection says {"active":false} and nothing else of', () => {
  it.each(['unknown', 'a.b.c', 'x'.repeat(10_000)])('an unknown token %#', async token => {
    expect(await answer(token)).toEqual({ active: false });
  });

  it('an expired token', async () => {
    const { access_token } = await sandbox.tokens();
    sandbox.pass(300);
    expect(await answer(access_token)).toEqual({ active: false });
  });

  it('a token by a key that was taken out of the JWK Set', async () => {
    const { access_token } = await sandbox.tokens();
    const { keys, clock } = sandbox.server;
    await keys.rotate('ES256', clock() + 1000);
    expect(await answer(access_token)).toMatchObject({ active: true });
    keys.unpublish();
    expect(await answer(access_token)).toEqual({ active: false });
    expect(eventsOf(sandbox.events, 'token.introspected').at(-1)).toMatchObject({ state: 'key_withdrawn' });
  });

  it('a revoked token', async () => {
    const { access_token } = await sandbox.tokens();
    await revoke(sandbox.server, sandbox.request({ token: access_token, client_id: 'frontend' }));
    expect(await answer(access_token)).toEqual({ active: false });
  });

  it('a refresh token of another client, so that no API takes it for an access token', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    expect(await answer(refresh_token)).toEqual({ active: false });
    expect(eventsOf(sandbox.events, 'token.introspected')).toEqual([
      { type: 'token.introspected', client_id: 'web', state: 'unknown' },
    ]);
  });

  it('an ID token and a code', async () => {
    const { id_token = '' } = await sandbox.tokens();
    expect(await answer(id_token)).toEqual({ active: false });
    expect(await answer(await sandbox.code())).toEqual({ active: false });
  });
});

describe('the caller of introspection', () => {
  it.each<[string, string | undefined, Record<string, string>, string]>([
    ['nobody', undefined, {}, 'client_unidentified'],
    ['an unknown client', basic('nobody', 'x'), {}, 'client_unknown'],
    ['a wrong secret', basic('web', 'x'), {}, 'client_secret_wrong'],
    ['a public client by Basic', basic('frontend', ''), {}, 'client_is_public'],
    ['a public client, which proves nothing', undefined, { client_id: 'frontend' }, 'client_is_public'],
  ])('is refused: %s', async (_who, authorization, parameters, reason) => {
    const { access_token } = await sandbox.tokens();
    const request = sandbox.request(
      { token: access_token, ...parameters },
      authorization === undefined ? {} : { authorization },
    );
    const error = await refusal(introspect(sandbox.server, request));
    expect(error).toMatchObject({ code: 'invalid_client', reason });
    expect(error.details.headers?.['WWW-Authenticate']?.slice(0, 6)).toBe(authorization && 'Basic ');
  });

  it('must send a token', async () => {
    const request = sandbox.request({ token_type_hint: 'access_token' }, { authorization: asWeb });
    expect(await refusal(introspect(sandbox.server, request))).toMatchObject({ code: 'invalid_request' });
  });

  it('may guess the type of the token wrong', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await answer(access_token, asWeb, { token_type_hint: 'refresh_token' })).toMatchObject({ active: true });
  });

  it('is in the log, with the token and its state', async () => {
    const { access_token } = await sandbox.tokens();
    await answer(access_token);
    sandbox.pass(300);
    await answer(access_token);
    const [issued] = eventsOf(sandbox.events, 'token.issued');
    const about = { about: issued?.tokenId, issuedTo: 'frontend', client_id: 'web' };
    expect(eventsOf(sandbox.events, 'token.introspected')).toMatchObject([
      { ...about, state: 'active' },
      { ...about, state: 'expired' },
    ]);
  });
});

describe('the JWT response (RFC 9701 §5)', () => {
  it.each([
    ['web', 'RS256', asWeb],
    ['signing', 'ES256', basic('signing', 'web-secret')],
  ])('to %s is signed with %s, and for the caller', async (aud, alg, authorization) => {
    const { access_token } = await sandbox.tokens({ scope: 'openid' });
    const signed = await reply(access_token, { authorization, accept: jwtType });
    if (signed.kind !== 'text') throw new Error(`a ${signed.kind}`);
    expect(signed.type).toBe(jwtType);
    const key = await sandbox.server.keys.forAlg(alg);
    const { payload, protectedHeader } = await jwtVerify(signed.body, key.publicKey, {
      typ: 'token-introspection+jwt',
      issuer,
      audience: aud,
      currentDate: new Date(now * 1000),
    });
    expect(protectedHeader).toEqual({ alg, kid: key.kid, typ: 'token-introspection+jwt' });
    expect(Object.keys(payload).sort()).toEqual(['aud', 'iat', 'iss', 'token_introspection']);
    expect(payload.token_introspection).toEqual(await answer(access_token));
  });

  it('says of an unknown token that it is not active', async () => {
    const signed = await reply('unknown', { accept: jwtType });
    const [, payload = ''] = signed.kind === 'text' ? signed.body.split('.') : [];
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      token_introspection: { active: false },
    });
  });

  it.each([
    [jwtType, 'text'],
    [jwtType.toUpperCase(), 'text'],
    [`application/json;q=0.5, ${jwtType}`, 'text'],
    [`${jwtType};q=0.5, application/json`, 'json'],
    [`${jwtType};q=0`, 'json'],
    ['application/jwt', 'json'],
    ['application/json', 'json'],
    ['*/*', 'json'],
  ])('comes where it is asked for: Accept %j gives %s', async (accept, kind) => {
    expect((await reply('unknown', { accept })).kind).toBe(kind);
  });
});
