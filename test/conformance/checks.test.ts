import { generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { makeClientKey } from '../support/keys-server.ts';
import {
  checkAuthorizationError,
  checkAuthorizationResponse,
  checkClaims,
  checkDeletion,
  checkDiscovery,
  checkIdToken,
  checkKeys,
  checkRegistration,
  checkSecret,
  checkTokenError,
  checkTokenResponse,
  checkUserInfo,
} from './checks.ts';

/** The checks would be worth nothing if they let everything pass. */

const issuer = 'https://op.example';
const now = 1_700_000_000;
const secret = 'YmKXYM94rWGVJQwdq1T_Jn4ckWJ2k7mVZxKrNvUk5sU';
const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const unkept = { 'cache-control': 'no-store' };

const metadata = {
  ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
  jwks_uri: `${issuer}/jwks`,
};
const key = await makeClientKey('RS256', { kid: 'one', alg: 'RS256' });

describe('the check of discovery', () => {
  it('takes a good document', async () => {
    expect(await checkDiscovery(json(metadata))).toEqual(metadata);
  });

  it.each([
    ['another status', json(metadata, 201)],
    ['HTML', json(metadata, 200, { 'content-type': 'text/html' })],
    ['no token endpoint', json({ ...metadata, token_endpoint: undefined })],
    ['a relative issuer', json({ ...metadata, issuer: '/' })],
  ])('refuses %s', async (_what, response) => {
    await expect(checkDiscovery(response)).rejects.toThrow();
  });
});

describe('the check of keys', () => {
  const { publicJwk } = key;
  it.each([
    ['no key', []],
    ['a private key', [{ ...publicJwk, d: 'AQAB' }]],
    ['a symmetric key', [{ kty: 'oct', k: 'AAAA', kid: 'x' }]],
    ['a key without kid', [{ ...publicJwk, kid: undefined }]],
    ['a kid twice', [publicJwk, publicJwk]],
    ['half a key', [{ ...publicJwk, n: undefined }]],
  ])('refuses %s', async (_what, keys) => {
    await expect(checkKeys(json({ keys }))).rejects.toThrow();
  });
});

describe('the check of a registration', () => {
  const registration = { client_id: 'a', registration_access_token: 't', registration_client_uri: issuer };
  it.each([
    ['another status', json(registration, 200)],
    ['a secret without an end', json({ ...registration, client_secret: 's' }, 201)],
    ['half of RFC 7592', json({ client_id: 'a', registration_access_token: 't' }, 201)],
  ])('refuses %s', async (_what, response) => {
    await expect(checkRegistration(response)).rejects.toThrow();
  });

  it('refuses a deletion that leaves the client', () => {
    expect(() => checkDeletion(new Response(null, { status: 401 }))).toThrow();
  });
});

describe('the check of secrets', () => {
  it.each(['short', 'a'.repeat(60), `${secret}\u0007`, '0101010101010101010101010101010101010101010101010101010101'])(
    'refuses %j',
    text => {
      expect(() => checkSecret(text)).toThrow();
    },
  );
});

describe('the check of an authorization response', () => {
  const sent = { issuer, redirect_uri: 'https://rp.example/callback', state: 'the state' };
  const good = { code: secret, state: 'the state', iss: issuer };
  const bad = { error: 'access_denied', state: 'the state', iss: issuer };

  it('takes good ones', () => {
    checkAuthorizationResponse(sent.redirect_uri, new URLSearchParams(good), sent);
    checkAuthorizationError(sent.redirect_uri, new URLSearchParams(bad), sent);
  });

  it.each([
    ['another address', 'https://rp.example/', good],
    ['another state', sent.redirect_uri, { ...good, state: 'another' }],
    ['another issuer', sent.redirect_uri, { ...good, iss: 'https://other.example' }],
    ['a guessable code', sent.redirect_uri, { ...good, code: '1' }],
    ['an error beside the code', sent.redirect_uri, { ...good, error: 'x' }],
    ['a parameter nobody knows', sent.redirect_uri, { ...good, extra: 'x' }],
  ])('refuses %s', (_what, to, parameters) => {
    expect(() => checkAuthorizationResponse(to, new URLSearchParams(parameters), sent)).toThrow();
  });

  it.each([
    ['no state', { error: 'access_denied', iss: issuer }],
    ['a code beside the error', { ...bad, code: secret }],
    ['a description with a quote', { ...bad, error_description: 'say "no"' }],
    ['a description with a section sign', { ...bad, error_description: '§ 5' }],
    ['an error_uri that is none', { ...bad, error_uri: 'there' }],
  ])('refuses an error with %s', (_what, parameters) => {
    expect(() => checkAuthorizationError(sent.redirect_uri, new URLSearchParams(parameters), sent)).toThrow();
  });
});

describe('the check of a token response', () => {
  const tokens = { access_token: secret, token_type: 'Bearer', expires_in: 300 };
  it.each([
    ['one that is kept', json(tokens)],
    ['no type', json({ ...tokens, token_type: undefined }, 200, unkept)],
    ['a lifetime in words', json({ ...tokens, expires_in: '300' }, 200, unkept)],
    ['a lifetime in milliseconds', json({ ...tokens, expires_in: 3e9 }, 200, unkept)],
    ['a guessable refresh token', json({ ...tokens, refresh_token: '1' }, 200, unkept)],
    ['an error', json({ error: 'invalid_grant' }, 400, unkept)],
  ])('refuses %s', async (_what, response) => {
    await expect(checkTokenResponse(response)).rejects.toThrow();
  });

  it.each([
    ['401 for a grant', json({ error: 'invalid_grant' }, 401)],
    ['500', json({ error: 'server_error' }, 500)],
    ['HTML', json({ error: 'invalid_grant' }, 400, { 'content-type': 'text/html' })],
    ['a description in other characters', json({ error: 'invalid_grant', error_description: 'nö' }, 400)],
  ])('refuses an error that is %s', async (_what, response) => {
    await expect(checkTokenError(response)).rejects.toThrow();
  });
});

describe('the check of an ID token', () => {
  const claims = { iss: issuer, sub: 'alice', aud: 'rp', iat: now, exp: now + 300, nonce: 'n' };
  const expected = { issuer, client_id: 'rp', keys: { keys: [key.publicJwk] }, now, nonce: 'n' };
  const sign = (changes: JWTPayload, header: Partial<JWTHeaderParameters> = {}, by = key.privateKey) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(by);

  it('takes a good one', async () => {
    expect(await checkIdToken(await sign({}), expected)).toMatchObject(claims);
  });

  it.each<[string, JWTPayload]>([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['another nonce', { nonce: 'm' }],
    ['an end in the past', { exp: now - 1 }],
    ['times in milliseconds', { iat: now * 1000, exp: (now + 300) * 1000 }],
    ['an empty sub', { sub: '' }],
    ['a login in the future', { auth_time: now + 3600 }],
    ['a login of long ago', { auth_time: now - 400 * 24 * 3600 }],
    ['an empty acr', { acr: '' }],
    ['another authorized party', { azp: 'other' }],
    ['a claim of the wrong type', { email_verified: 'true' }],
  ])('refuses %s', async (_what, changes) => {
    await expect(checkIdToken(await sign(changes), expected)).rejects.toThrow();
  });

  it('refuses an unknown kid, and another key', async () => {
    await expect(checkIdToken(await sign({}, { kid: 'two' }), expected)).rejects.toThrow();
    const { privateKey } = await generateKeyPair('RS256');
    await expect(checkIdToken(await sign({}, {}, privateKey), expected)).rejects.toThrow();
  });
});

describe('the check of claims', () => {
  it.each([
    { name: '' },
    { name: 'null' },
    { email_verified: 'true' },
    { phone_number_verified: 1 },
    { updated_at: '2026-01-01' },
    { updated_at: 1_700_000_000_000 },
    { address: 'Orchard Lane' },
    { address: { country: '' } },
    { birthdate: '12.4.1985' },
  ])('refuses %j', claims => {
    expect(() => checkClaims(claims)).toThrow();
  });

  it('refuses UserInfo about somebody else', async () => {
    await expect(checkUserInfo(json({ sub: 'bob' }), 'alice')).rejects.toThrow();
  });
});
