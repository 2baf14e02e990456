import { createHmac } from 'node:crypto';
import { exportSPKI, FlattenedSign, importJWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { authenticateClient } from '../../../src/protocol/clients/client-authentication.ts';
import { createOutbound } from '../../../src/server/outbound/outbound.ts';
import { asserted, assertionClaims, assertionType } from '../../support/assertions.ts';
import { type KeysServer, makeClientKey, startKeysServer } from '../../support/keys-server.ts';
import {
  basic,
  createTestServer,
  issuer,
  now,
  type Parameters,
  redemption,
  refusal,
  type TestServer,
  web,
} from '../../support/server.ts';

const es256 = await makeClientKey('ES256', { kid: 'one' });
const other = await makeClientKey('ES256', { kid: 'other' });
const rsa = await makeClientKey('RS256', { kid: 'rsa' });
const ed25519 = await makeClientKey('Ed25519', { kid: 'ed' });
const secret = 'a-secret-of-32-bytes-or-more-0123456789';
const secretKey = new TextEncoder().encode(secret);
const base: RegisteredClient = { ...web, require_pkce: false };

const byKey: RegisteredClient = {
  ...base,
  client_id: 'by-key',
  token_endpoint_auth_methods: ['private_key_jwt'],
  jwks: { keys: [es256, rsa, ed25519].map(({ publicJwk }) => ({ ...publicJwk })) },
};
const bySecret: RegisteredClient = {
  ...base,
  client_id: 'by-secret',
  client_secret: secret,
  token_endpoint_auth_methods: ['client_secret_jwt'],
};
const pinned: RegisteredClient = { ...byKey, client_id: 'pinned', token_endpoint_auth_signing_alg: 'RS256' };

let it_: TestServer;
beforeEach(() => {
  it_ = createTestServer({ clients: [byKey, bySecret, pinned] });
});

async function authenticate(parameters: Parameters, authorization?: string): Promise<string> {
  const path = '/oauth2/par';
  const request = it_.request(parameters, authorization === undefined ? { path } : { path, authorization });
  const { client, method } = await authenticateClient(it_.server, request);
  return `${client.client_id} by ${method}`;
}

/** Undefined takes a claim away. */
type Claims = Readonly<Record<string, unknown>>;

const good = (claims: Claims = {}) =>
  asserted(es256.privateKey, { alg: 'ES256', kid: 'one' }, { ...assertionClaims('by-key'), ...claims });

describe('a client with a key', () => {
  it.each([
    ['ES256', es256],
    ['RS256', rsa],
    ['Ed25519', ed25519],
  ])('is known by a JWT it signed with %s (RFC 7523 §2.2)', async (alg, key) => {
    const kid = String(key.publicJwk.kid);
    const parameters = await asserted(key.privateKey, { alg, kid }, assertionClaims('by-key'));
    expect(await authenticate(parameters)).toBe('by-key by private_key_jwt');
  });

  it('may leave out kid, typ and iat, and repeat its client_id beside', async () => {
    const { iat, ...claims } = assertionClaims('by-key');
    expect(iat).toBe(now);
    const parameters = await asserted(es256.privateKey, { alg: 'ES256' }, claims);
    expect(await authenticate({ ...parameters, client_id: 'by-key' })).toMatch('by-key');
  });

  it.each(['JWT', 'jwt', 'client-authentication+jwt', 'application/client-authentication+jwt'])(
    'may say that its type is %s',
    async typ => {
      const parameters = await asserted(es256.privateKey, { alg: 'ES256', typ }, assertionClaims('by-key'));
      expect(await authenticate(parameters)).toMatch('by-key');
    },
  );

  it.each<[string, string | string[]]>([
    ['the issuer', issuer],
    ['the token endpoint', `${issuer}/oauth2/token`],
    ['the endpoint that is asked', `${issuer}/oauth2/par`],
    ['a list with the issuer', ['https://other.example', issuer]],
  ])('may name as audience %s', async (_what, aud) => {
    expect(await authenticate(await good({ aud }))).toMatch('by-key');
  });

  it.each([
    ['nbf 8 s ahead', { nbf: now + 8 }],
    ['iat 10 s ahead', { iat: now + 10 }],
    ['exp in an hour', { exp: now + 3600 }],
    ['exp in a second', { exp: now + 1 }],
    ['iat long ago', { iat: now - 86_400 }],
  ])('may have a clock that is a little off: %s', async (_what, claims) => {
    expect(await authenticate(await good(claims))).toMatch('by-key');
  });
});

describe('a client with a secret', () => {
  it.each(['HS256', 'HS384', 'HS512'])('is known by a JWT with %s (OIDC Core §9)', async alg => {
    const parameters = await asserted(secretKey, { alg }, assertionClaims('by-secret'));
    expect(await authenticate(parameters)).toBe('by-secret by client_secret_jwt');
  });

  it('is refused with another secret', async () => {
    const wrong = new TextEncoder().encode('another-secret-of-32-bytes-or-more-0123');
    const error = await refusal(authenticate(await asserted(wrong, { alg: 'HS256' }, assertionClaims('by-secret'))));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'client_assertion_signature_wrong', status: 401 });
    expect(JSON.stringify(error.details)).not.toContain(secret);
  });
});

describe('invalid_client is answered to', () => {
  async function reasonOf(parameters: Parameters): Promise<string> {
    const { code, status, reason, details } = await refusal(authenticate(parameters));
    expect({ code, status, expected: details.expected }).toEqual({
      code: 'invalid_client',
      status: 401,
      expected: expect.any(String),
    });
    return reason;
  }

  const claimRows: [string, Claims, string][] = [
    ['no iss', { iss: undefined }, 'client_assertion_issuer_mismatch'],
    ['no sub', { sub: undefined }, 'client_assertion_issuer_mismatch'],
    ['another iss', { iss: 'by-secret' }, 'client_assertion_issuer_mismatch'],
    ['an unknown client', { iss: 'nobody', sub: 'nobody' }, 'client_unknown'],
    ['no aud', { aud: undefined }, 'client_assertion_audience_mismatch'],
    ['another aud', { aud: 'https://other.example' }, 'client_assertion_audience_mismatch'],
    ['an aud that only begins like the issuer', { aud: `${issuer}/` }, 'client_assertion_audience_mismatch'],
    ['an empty list as aud', { aud: [] }, 'client_assertion_audience_mismatch'],
    ['no exp', { exp: undefined }, 'client_assertion_time_malformed'],
    ['an exp now', { exp: now }, 'client_assertion_expired'],
    ['an exp five minutes ago', { exp: now - 300 }, 'client_assertion_expired'],
    ['an exp in more than an hour', { exp: now + 3601 }, 'client_assertion_lives_too_long'],
    ['an exp in milliseconds', { exp: now * 1000 }, 'client_assertion_lives_too_long'],
    ['an nbf a minute ahead', { nbf: now + 61 }, 'client_assertion_not_yet_valid'],
    ['an iat a minute ahead', { iat: now + 61 }, 'client_assertion_not_yet_valid'],
    ['no jti', { jti: undefined }, 'client_assertion_jti_missing'],
    ['an empty jti', { jti: '' }, 'client_assertion_jti_missing'],
  ];
  it.each(claimRows)('%s', async (_what, claims, reason) => {
    expect(await reasonOf(await good(claims))).toBe(reason);
  });

  it.each([
    ['exp', '1700000060'],
    ['nbf', 'now'],
    ['iat', null],
  ])('a %s that is no number', async (claim, value) => {
    // the library would refuse to make it
    expect(await reasonOf(await good({ [claim]: value }))).toBe('client_assertion_time_malformed');
  });

  it('a second use of the same jti', async () => {
    const parameters = await good();
    expect(await authenticate(parameters)).toMatch('by-key');
    expect(await reasonOf(parameters)).toBe('client_assertion_replayed');
  });

  it('all but one of many uses at once', async () => {
    const parameters = await good();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => authenticate(parameters)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  it('not to the same jti of another client', async () => {
    await authenticate(await good({ jti: 'shared' }));
    const parameters = await asserted(
      rsa.privateKey,
      { alg: 'RS256' },
      { ...assertionClaims('pinned'), jti: 'shared' },
    );
    expect(await authenticate(parameters)).toMatch('pinned');
  });

  it('a client_id beside it that is another (RFC 7521 §4.2)', async () => {
    expect(await reasonOf({ ...(await good()), client_id: 'by-secret' })).toBe('client_assertion_client_mismatch');
  });

  it.each([
    ['none', ''],
    ['that of SAML', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'],
    ['that of the grant', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
  ])('another client_assertion_type: %s', async (_what, client_assertion_type) => {
    expect(await reasonOf({ ...(await good()), client_assertion_type })).toBe('client_assertion_type_unsupported');
  });

  it('a client_assertion_type without an assertion', async () => {
    expect(await reasonOf({ client_id: 'by-key', client_assertion_type: assertionType })).toBe(
      'client_assertion_missing',
    );
  });

  it.each([
    'x',
    'a.b.c',
    'a.b',
    '..',
    `${btoa('{"alg":"ES256"}')}.${btoa('[]')}.AA`,
    `${btoa('[]')}.${btoa('{}')}.AA`,
    `${btoa('{"alg":"dir","enc":"A128GCM"}')}.a.b.c.d`,
  ])('what is no signed JWT: %j', async client_assertion => {
    const parameters = { client_assertion, client_assertion_type: assertionType };
    expect(await reasonOf(parameters)).toMatch(/client_assertion_(malformed|issuer_mismatch)/);
  });

  it('a payload that is not encoded (RFC 7797 §7), though its signature is good', async () => {
    const header = { alg: 'ES256', kid: 'one', crit: ['b64'], b64: false };
    const claims = Buffer.from(JSON.stringify(assertionClaims('by-key')));
    const { protected: head, signature } = await new FlattenedSign(claims)
      .setProtectedHeader(header)
      .sign(es256.privateKey);
    const client_assertion = [head, claims.toString('base64url'), signature].join('.');
    const error = await refusal(authenticate({ client_assertion, client_assertion_type: assertionType }));
    expect(error).toMatchObject({ reason: 'client_assertion_malformed', description: expect.stringContaining('crit') });
  });

  it.each(['==', '=', ' '])('what has %j behind it', async more => {
    const parameters = await good();
    const client_assertion = parameters.client_assertion + more;
    expect(await reasonOf({ ...parameters, client_assertion })).toBe('client_assertion_malformed');
  });

  it.each(['at+jwt', 'dpop+jwt', 'logout+jwt', 'oauth-authz-req+jwt'])('a JWT of the type %s', async typ => {
    const parameters = await asserted(es256.privateKey, { alg: 'ES256', typ }, assertionClaims('by-key'));
    expect(await reasonOf(parameters)).toBe('client_assertion_malformed');
  });

  it('a key that is not registered', async () => {
    const named = await asserted(other.privateKey, { alg: 'ES256', kid: 'other' }, assertionClaims('by-key'));
    expect(await reasonOf(named)).toBe('client_assertion_key_unknown');
    const unnamed = await asserted(other.privateKey, { alg: 'ES256' }, assertionClaims('by-key'));
    expect(await reasonOf(unnamed)).toBe('client_assertion_signature_wrong');
    const disguised = await asserted(other.privateKey, { alg: 'ES256', kid: 'one' }, assertionClaims('by-key'));
    expect(await reasonOf(disguised)).toBe('client_assertion_signature_wrong');
  });

  it('changed claims', async () => {
    const { client_assertion } = await good();
    const [header, , signature] = client_assertion.split('.');
    const payload = Buffer.from(JSON.stringify({ ...assertionClaims('by-key'), jti: 'new' })).toString('base64url');
    const parameters = { client_assertion: `${header}.${payload}.${signature}`, client_assertion_type: assertionType };
    expect(await reasonOf(parameters)).toBe('client_assertion_signature_wrong');
  });

  it.each(['none', 'None', 'HS1', 'constructor'])('the algorithm %s', async alg => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const client_assertion = `${encode({ alg })}.${encode(assertionClaims('by-key'))}.`;
    expect(await reasonOf({ client_assertion, client_assertion_type: assertionType })).toBe(
      'client_assertion_alg_refused',
    );
  });

  it('an HMAC keyed with the public key (RFC 8725 §2.1)', async () => {
    const publicKey = await importJWK(rsa.publicJwk, 'RS256', { extractable: true });
    if (publicKey instanceof Uint8Array) throw new Error('a secret');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${encode({ alg: 'HS256', kid: 'rsa' })}.${encode(assertionClaims('by-key'))}`;
    const signature = createHmac('sha256', await exportSPKI(publicKey))
      .update(input)
      .digest('base64url');
    const parameters = { client_assertion: `${input}.${signature}`, client_assertion_type: assertionType };
    expect(await reasonOf(parameters)).toBe('authentication_method_not_registered');
  });

  it('another algorithm than token_endpoint_auth_signing_alg', async () => {
    const parameters = await asserted(es256.privateKey, { alg: 'ES256' }, assertionClaims('pinned'));
    expect(await reasonOf(parameters)).toBe('client_assertion_alg_refused');
  });

  it('a method the client is not registered for', async () => {
    const parameters = await asserted(secretKey, { alg: 'HS256' }, assertionClaims('web'));
    expect(await reasonOf(parameters)).toBe('authentication_method_not_registered');
    expect(await reasonOf({ client_id: 'by-key', client_secret: 'x' })).toBe('authentication_method_not_registered');
  });

  it('a client of this method that sends no assertion', async () => {
    expect(await reasonOf({ client_id: 'by-key' })).toBe('client_secret_missing');
  });
});

describe('two methods at once (RFC 6749 §2.3)', () => {
  it.each([
    ['a client_secret', { client_secret: 'x' }, undefined],
    ['Basic', {}, basic('web', 'web-secret')],
  ])('are invalid_request: an assertion beside %s', async (_what, parameters, header) => {
    const error = await refusal(authenticate({ ...(await good()), ...parameters }, header));
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'authentication_methods_combined', status: 400 });
  });
});

it('is only for the issuer, as a string, with ASSERTION_AUDIENCE=issuer (draft-ietf-oauth-rfc7523bis)', async () => {
  it_ = createTestServer({ clients: [byKey], assertionAudience: 'issuer' });
  expect(await authenticate(await good())).toMatch('by-key');
  for (const aud of [[issuer], `${issuer}/oauth2/token`, [issuer, 'https://other.example']]) {
    const error = await refusal(authenticate(await good({ aud })));
    expect(error).toMatchObject({
      reason: 'client_assertion_audience_mismatch',
      details: { expected: `${issuer}, as a single string` },
    });
  }
});

describe('under FAPI 2.0', () => {
  beforeEach(() => {
    it_ = createTestServer({ clients: [byKey, bySecret], profile: 'fapi2' });
  });

  it('the audience is the issuer, as a string (§5.3.2.1)', async () => {
    expect(await authenticate(await good())).toMatch('by-key');
    for (const aud of [[issuer], `${issuer}/oauth2/token`, [issuer, 'https://other.example']]) {
      expect((await refusal(authenticate(await good({ aud })))).reason).toBe('client_assertion_audience_mismatch');
    }
  });

  it('RS256 and secrets sign nothing (§5.4)', async () => {
    const byRsa = await asserted(rsa.privateKey, { alg: 'RS256' }, assertionClaims('by-key'));
    expect((await refusal(authenticate(byRsa))).reason).toBe('client_assertion_alg_refused');
    const byHmac = await asserted(secretKey, { alg: 'HS256' }, assertionClaims('by-secret'));
    expect((await refusal(authenticate(byHmac))).reason).toBe('client_assertion_alg_refused');
  });
});

describe('a client with a jwks_uri', () => {
  let site: KeysServer;
  beforeEach(async () => {
    site = await startKeysServer(es256);
    const { jwks, ...rest } = byKey;
    expect(jwks).toBeDefined();
    const remote = { ...rest, client_id: 'remote', jwks_uri: site.url };
    it_ = createTestServer({ clients: [remote], outbound: createOutbound({ reach: 'loopback' }) });
  });
  afterEach(() => site[Symbol.asyncDispose]());

  const by = (key: typeof es256, kid: string) =>
    asserted(key.privateKey, { alg: 'ES256', kid }, assertionClaims('remote'));

  it('is known by the key published there', async () => {
    expect(await authenticate(await by(es256, 'one'))).toBe('remote by private_key_jwt');
  });

  it('may change its key', async () => {
    await authenticate(await by(es256, 'one'));
    site.publish(other);
    it_.pass(6);
    expect(await authenticate(await by(other, 'other'))).toMatch('remote');
  });

  it('is refused while its keys cannot be read, and only the log is told why', async () => {
    site.status = 500;
    const error = await refusal(authenticate(await by(es256, 'one')));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'client_keys_unavailable' });
    expect(error.description).toBe('the jwks_uri of the client cannot be read');
    expect(error.fullDescription).toMatch('status 500');
  });
});

it('a failed assertion does not burn the code', async () => {
  const frontend = { ...byKey, client_id: 'app', redirect_uris: [redemption.redirect_uri] };
  it_ = createTestServer({ clients: [frontend] });
  const code = await it_.code({ client_id: 'app' });
  const form = { ...redemption, client_id: 'app', code };
  const stale = await asserted(es256.privateKey, { alg: 'ES256' }, { ...assertionClaims('app'), exp: now - 1 });
  expect((await refusal(it_.token({ ...form, ...stale }))).reason).toBe('client_assertion_expired');
  const fresh = await asserted(es256.privateKey, { alg: 'ES256' }, assertionClaims('app'));
  expect(await it_.token({ ...form, ...fresh })).toHaveProperty('id_token');
});
