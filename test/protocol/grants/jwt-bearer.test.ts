import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TrustedIssuer } from '../../../src/protocol/authorization-server.ts';
import { type OutboundAnswer, OutboundError } from '../../../src/protocol/outbound.ts';
import { type ClientKey, makeClientKey } from '../../support/keys-server.ts';
import { basic, createTestServer, eventsOf, issuer, now, refusal, type TestServer, web } from '../../support/server.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const idp = 'https://idp.example';
const asPartner = basic('partner', 'web-secret');
const partner = { ...web, client_id: 'partner', grant_types: [grant_type, 'refresh_token'] };

let key: ClientKey;
let foreign: ClientKey;
let published: ClientKey;
beforeAll(async () => {
  key = await makeClientKey('ES256', { kid: 'one' });
  foreign = await makeClientKey('ES256', { kid: 'one' });
  published = await makeClientKey('PS256', { kid: 'rsa' });
});

const trusted = (changes: Partial<TrustedIssuer> = {}): TrustedIssuer => ({
  issuer: idp,
  jwks: { keys: [{ ...key.publicJwk }] },
  audience: [],
  algorithms: [],
  subjectClaim: 'sub',
  users: {},
  createUsers: false,
  ...changes,
});

let answer: OutboundAnswer | OutboundError;
let asked: string[];

function start(changes: Partial<TrustedIssuer> = {}): TestServer {
  const { jwks, ...others } = trusted(changes);
  const keys = 'jwks_uri' in changes || jwks === undefined ? {} : { jwks };
  return createTestServer({
    clients: [partner],
    trustedIssuers: new Map([[idp, { ...others, ...keys }]]),
    outbound: {
      async get(url) {
        asked.push(url);
        if (answer instanceof OutboundError) throw answer;
        return answer;
      },
      post: () => Promise.reject(new Error('nobody posts')),
    },
  });
}

let sandbox: TestServer;
beforeEach(() => {
  asked = [];
  answer = { status: 200, headers: {}, body: JSON.stringify({ keys: [published.publicJwk] }), milliseconds: 1 };
  sandbox = start();
});

const claims: JWTPayload = { iss: idp, sub: 'alice', aud: issuer, exp: now + 60, iat: now };

/** A claim of `undefined` is left out. */
function assertion(
  changes: JWTPayload = {},
  by = key,
  header: { alg?: string; kid?: string; typ?: string } = {},
): Promise<string> {
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(by.privateKey);
}

const ask = (jwt: string, more: Record<string, string> = {}) =>
  sandbox.token({ grant_type, assertion: jwt, ...more }, asPartner);

describe('the JWT bearer grant (RFC 7523 §2.1)', () => {
  it('gives an access token of the user the JWT is about, and no refresh token', async () => {
    const response = await ask(await assertion(), { scope: 'bikes:read', resource: 'https://api.example' });
    expect(response).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'bikes:read',
    });
    expect(decodeJwt(response.access_token)).toMatchObject({
      iss: issuer,
      sub: 'alice',
      client_id: 'partner',
      aud: 'https://api.example',
    });
  });

  it('gives an ID token with openid', async () => {
    const { id_token = '' } = await ask(await assertion(), { scope: 'openid' });
    expect(decodeJwt(id_token)).toMatchObject({ sub: 'alice', aud: 'partner' });
  });

  it.each([
    ['the issuer', issuer],
    ['the token endpoint', `${issuer}/oauth2/token`],
    ['one of several', ['https://elsewhere.example', issuer]],
  ])('takes as audience %s', async (_what, aud) => {
    expect(await ask(await assertion({ aud }))).toMatchObject({ token_type: 'Bearer' });
  });

  it('takes an audience of the configuration', async () => {
    sandbox = start({ audience: ['urn:sandbox'] });
    expect(await ask(await assertion({ aud: 'urn:sandbox' }))).toMatchObject({ token_type: 'Bearer' });
  });

  it.each(['JWT', 'application/jwt', 'at+jwt', 'authorization-grant+jwt'])('takes the typ %s', async typ => {
    expect(await ask(await assertion({}, key, { typ }))).toMatchObject({ token_type: 'Bearer' });
  });

  it('takes a JWT without jti again, and one with jti once', async () => {
    const without = await assertion();
    await ask(without);
    expect(await ask(without)).toMatchObject({ token_type: 'Bearer' });
    const once = await assertion({ jti: 'once' });
    await ask(once);
    expect(await refusal(ask(once))).toMatchObject({ code: 'invalid_grant', reason: 'assertion_jti_replayed' });
  });

  it('does not use a JWT up in a request that is refused for something else', async () => {
    const once = await assertion({ jti: 'once' });
    expect(await refusal(ask(once, { scope: 'telemetry:write' }))).toMatchObject({ code: 'invalid_scope' });
    expect(await ask(once)).toMatchObject({ token_type: 'Bearer' });
  });

  it('is in the history under its grant type', async () => {
    await ask(await assertion());
    expect(eventsOf(sandbox.events, 'token.issued')).toMatchObject([
      { grant_type, sub: 'alice', client_id: 'partner' },
    ]);
  });
});

describe('the subject', () => {
  it('may be in another claim', async () => {
    sandbox = start({ subjectClaim: 'preferred_username' });
    const { access_token } = await ask(await assertion({ sub: 'x', preferred_username: 'bob' }));
    expect(decodeJwt(access_token).sub).toBe('bob');
  });

  it('may be mapped to a user', async () => {
    sandbox = start({ users: { 'a-42': 'alice' } });
    const { access_token } = await ask(await assertion({ sub: 'a-42' }));
    expect(decodeJwt(access_token).sub).toBe('alice');
  });

  it('becomes a new user where that is configured', async () => {
    sandbox = start({ createUsers: true });
    const { access_token } = await ask(await assertion({ sub: 'dora@example.com' }));
    expect(decodeJwt(access_token).sub).toBe('dora@example.com');
    expect(sandbox.users.get('dora@example.com')).toMatchObject({ claims: { email: 'dora@example.com' } });
  });

  it('does not become a new user under the name of a client', async () => {
    sandbox = start({ createUsers: true });
    expect(await refusal(ask(await assertion({ sub: 'sensor' })))).toMatchObject({
      reason: 'assertion_subject_unknown',
    });
  });
});

describe('keys at a jwks_uri', () => {
  const signed = () => assertion({}, published, { alg: 'PS256', kid: 'rsa' });

  it('are fetched once, and that is an event', async () => {
    sandbox = start({ jwks_uri: 'https://idp.example/jwks' });
    await ask(await signed());
    await ask(await signed());
    expect(asked).toEqual(['https://idp.example/jwks']);
    expect(eventsOf(sandbox.events, 'client_keys.fetched')).toMatchObject([
      { jwks_uri: 'https://idp.example/jwks', kids: ['rsa'] },
    ]);
  });

  it.each([
    ['nobody answers', new OutboundError('unreachable', 'nobody answers')],
    ['the answer is no JWK Set', { status: 200, headers: {}, body: '{}', milliseconds: 1 }],
    ['the answer is an error', { status: 404, headers: {}, body: '', milliseconds: 1 }],
  ])('are missing where %s', async (_what, outcome) => {
    answer = outcome;
    sandbox = start({ jwks_uri: 'https://idp.example/jwks' });
    const error = await refusal(ask(await signed()));
    expect(error).toMatchObject({ code: 'invalid_grant', reason: 'assertion_signature_wrong' });
    expect(error.description).toBe('the keys of https://idp.example cannot be read');
    expect(error.fullDescription).toMatch(/cannot be read: (nobody answers|there is no JWK Set|status 404)/);
  });
});

describe('a JWT is refused with invalid_grant', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['of an issuer nobody trusts', { iss: 'https://evil.example' }, 'assertion_issuer_untrusted'],
    ['of an issuer with a slash more', { iss: `${idp}/` }, 'assertion_issuer_untrusted'],
    ['without iss', { iss: undefined }, 'assertion_issuer_untrusted'],
    ['for somebody else', { aud: 'https://elsewhere.example' }, 'assertion_audience_mismatch'],
    ['without aud', { aud: undefined }, 'assertion_audience_mismatch'],
    ['without exp', { exp: undefined }, 'assertion_time_malformed'],
    ['that is expired', { exp: now }, 'assertion_expired'],
    ['that is not valid yet', { nbf: now + 11 }, 'assertion_not_yet_valid'],
    ['from the future', { iat: now + 11 }, 'assertion_not_yet_valid'],
    ['without sub', { sub: undefined }, 'assertion_subject_missing'],
    ['about somebody unknown', { sub: 'nobody' }, 'assertion_subject_unknown'],
    ['about a property of JavaScript', { sub: 'constructor' }, 'assertion_subject_unknown'],
  ])('%s', async (_what, changes, reason) => {
    expect(await refusal(ask(await assertion(changes)))).toMatchObject({ code: 'invalid_grant', reason });
    expect(eventsOf(sandbox.events, 'token.issued')).toEqual([]);
  });

  it('signed by another key', async () => {
    const jwt = await assertion({}, foreign);
    expect(await refusal(ask(jwt))).toMatchObject({ code: 'invalid_grant', reason: 'assertion_signature_wrong' });
  });

  it.each(['logout+jwt', 'dpop+jwt', 'application/secevent+jwt'])('of the type %s', async typ => {
    const jwt = await assertion({}, key, { typ });
    expect(await refusal(ask(jwt))).toMatchObject({ code: 'invalid_grant', reason: 'assertion_malformed' });
  });

  it('with the kid of no key', async () => {
    const jwt = await assertion({}, key, { kid: 'two' });
    expect(await refusal(ask(jwt))).toMatchObject({ reason: 'assertion_signature_wrong' });
  });

  it('with an algorithm its issuer is not trusted with', async () => {
    sandbox = start({ algorithms: ['PS256'] });
    expect(await refusal(ask(await assertion()))).toMatchObject({ reason: 'assertion_signature_wrong' });
  });

  it.each(['none', 'HS256'])('with the alg %s', async alg => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg, kid: 'one' })}.${part(claims)}.${Buffer.from('x').toString('base64url')}`;
    expect(await refusal(ask(jwt))).toMatchObject({ reason: 'assertion_signature_wrong' });
  });

  it.each(['nonsense', 'a.b.c', '..'])('that is none: %j', async jwt => {
    expect(await refusal(ask(jwt))).toMatchObject({ code: 'invalid_grant', reason: 'assertion_malformed' });
  });
});

it('needs an assertion, and a client that is registered for it', async () => {
  expect(await refusal(sandbox.token({ grant_type }, asPartner))).toMatchObject({ code: 'invalid_request' });
  const asWeb = sandbox.token({ grant_type, assertion: 'x' }, basic('web', 'web-secret'));
  expect(await refusal(asWeb)).toMatchObject({ code: 'unauthorized_client' });
});
