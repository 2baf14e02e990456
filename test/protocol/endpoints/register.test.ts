import { describe, expect, it } from 'vitest';
import { authenticateClient } from '../../../src/protocol/clients/client-authentication.ts';
import type { Reason } from '../../../src/protocol/errors.ts';
import { defaultFeatures } from '../../../src/protocol/feature.ts';
import { createDocuments, registerClient, spa } from '../../support/registration.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  issuer,
  now,
  type Parameters,
  refusal,
  type TestServer,
} from '../../support/server.ts';

const modern = () => createTestServer({ features: new Set(defaultFeatures) });

async function refused(metadata: unknown, server: TestServer = modern()): Promise<[string, Reason]> {
  const { code, reason } = await refusal(registerClient(server, metadata));
  return [code, reason];
}

/** By which method the server knows the client. */
async function authenticated(server: TestServer, parameters: Parameters, authorization?: string): Promise<string> {
  const request = server.request(parameters, authorization === undefined ? {} : { authorization });
  return (await authenticateClient(server.server, request)).method;
}

const web = { redirect_uris: ['https://shop.example/callback'] };
const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };

describe('a registration', () => {
  it('answers 201 with all that is registered, defaults filled in', async () => {
    const server = modern();
    const body = await registerClient(server, web);
    expect(body).toMatchObject({
      client_id: expect.stringMatching(/^[\w-]{20,}$/),
      client_id_issued_at: now,
      client_secret: expect.stringMatching(/^[\w-]{43,}$/),
      client_secret_expires_at: 0,
      registration_client_uri: `${issuer}/connect/register/${body.client_id}`,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uris: web.redirect_uris,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      application_type: 'web',
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      scope: [...server.server.scopes.keys()].join(' '),
    });
    expect(server.server.clients.get(body.client_id)).toMatchObject({ origin: 'registration', ...web });
  });

  it('that names no method says the default, and takes the secret by Basic and in the body', async () => {
    const server = modern();
    const { client_id, client_secret = '', token_endpoint_auth_method } = await registerClient(server, web);
    expect(token_endpoint_auth_method).toBe('client_secret_basic');
    expect(await authenticated(server, {}, basic(client_id, client_secret))).toBe('client_secret_basic');
    expect(await authenticated(server, { client_id, client_secret })).toBe('client_secret_post');
  });

  it('that names a method keeps to it', async () => {
    const server = modern();
    const named = { ...web, token_endpoint_auth_method: 'client_secret_basic' };
    const { client_id, client_secret = '' } = await registerClient(server, named);
    expect(await authenticated(server, {}, basic(client_id, client_secret))).toBe('client_secret_basic');
    await expect(authenticated(server, { client_id, client_secret })).rejects.toMatchObject({
      reason: 'authentication_method_not_registered',
    });
  });

  it('gives no secret to a client that has none', async () => {
    const body = await registerClient(modern(), spa);
    expect(body).not.toHaveProperty('client_secret');
    expect(body).not.toHaveProperty('client_secret_expires_at');
  });

  it('gives a secret that is long enough for every HMAC', async () => {
    const body = await registerClient(modern(), { ...web, token_endpoint_auth_method: 'client_secret_jwt' });
    expect(body.client_secret?.length).toBeGreaterThanOrEqual(64);
  });

  it('chooses client_id and secret itself', async () => {
    const chosen = { client_id: 'alice', client_secret: 'mine', client_id_issued_at: 1 };
    const body = await registerClient(modern(), { ...web, ...chosen });
    expect(body.client_id).not.toBe('alice');
    expect(body.client_secret).not.toBe('mine');
    expect(body.client_id_issued_at).toBe(now);
  });

  it('gives each client an id of its own', async () => {
    const server = modern();
    const ids = await Promise.all([1, 2, 3].map(async () => (await registerClient(server)).client_id));
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    'loopback_redirects',
    'require_pkce',
    'require_consent',
    'audience',
    'access_token_claims',
    'access_token_lifetime',
    'access_token_format',
    'refresh_token_rotation',
    'id_token_claims',
    'token_endpoint_auth_methods',
    'origin',
    'something_else',
  ])('ignores what is not client metadata: %s', async name => {
    const server = modern();
    const body = await registerClient(server, { ...spa, [name]: true });
    expect(body).not.toHaveProperty(name);
    expect(server.server.clients.get(body.client_id)).toMatchObject({
      loopback_redirects: false,
      require_pkce: true,
      audience: [],
      access_token_claims: {},
      access_token_lifetime: 300,
    });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])('is not confused by a member %s', async name => {
    const metadata = JSON.parse(`{"redirect_uris": ["https://shop.example/"], "${name}": {"client_name": "evil"}}`);
    const body = await registerClient(modern(), metadata);
    expect(body.client_name).toBe(body.client_id);
    expect(({} as Record<string, unknown>).client_name).toBeUndefined();
  });

  it('takes null for a member that is left out', async () => {
    const body = await registerClient(modern(), { ...web, client_name: null, logo_uri: null, scope: null });
    expect(body.client_name).toBe(body.client_id);
    expect(body).not.toHaveProperty('logo_uri');
  });

  it('keeps names and addresses in other languages', async () => {
    const localized = { 'client_name#de': 'Anwendung', 'client_uri#pt-BR': 'https://app.example/br' };
    expect(await registerClient(modern(), { ...spa, ...localized, 'scope#de': 'x' })).toMatchObject(localized);
    expect(await refused({ ...spa, 'logo_uri#de': 'javascript:alert(1)' })).toEqual([
      'invalid_client_metadata',
      'client_metadata_invalid',
    ]);
  });

  it('keeps those scopes that the issuer has', async () => {
    const body = await registerClient(modern(), { ...spa, scope: 'openid nonsense bikes:read' });
    expect(body.scope).toBe('openid bikes:read');
  });

  it('returns the registered values of all other members', async () => {
    const metadata = {
      ...web,
      request_uris: ['https://shop.example/request'],
      default_max_age: 3600,
      default_acr_values: ['1'],
      require_auth_time: true,
      contacts: ['dev@shop.example'],
      logo_uri: 'https://shop.example/logo.png',
      policy_uri: 'https://shop.example/policy',
      tos_uri: 'https://shop.example/tos',
      initiate_login_uri: 'https://shop.example/login',
      frontchannel_logout_uri: 'https://shop.example/out',
      software_id: 'shop',
      software_version: '1',
      post_logout_redirect_uris: ['https://shop.example/'],
    };
    expect(await registerClient(modern(), metadata)).toMatchObject(metadata);
  });

  it('is an event', async () => {
    const server = modern();
    const { client_id } = await registerClient(server, spa);
    expect(eventsOf(server.events, 'client.registered')).toEqual([
      expect.objectContaining({ client_id, client_name: 'An application', redirect_uris: spa.redirect_uris }),
    ]);
    expect(JSON.stringify(server.events)).not.toContain('registration_access_token');
  });

  it('gives a client that can authenticate', async () => {
    const server = modern();
    const { client_id, client_secret = '' } = await registerClient(server, {
      grant_types: ['client_credentials'],
      scope: 'bikes:read',
    });
    const tokens = await server.token({ grant_type: 'client_credentials' }, basic(client_id, client_secret));
    expect(tokens).toMatchObject({ token_type: 'Bearer' });
  });

  it('gives a client whose users are asked for consent', async () => {
    const server = modern();
    const { client_id } = await registerClient(server);
    const reply = await server.authorize({ client_id }, await server.login());
    expect(reply).toMatchObject({ kind: 'page', page: { name: 'consent' } });
  });

  it('takes the place of the oldest when there are a thousand', async () => {
    const server = modern();
    const first = await registerClient(server);
    for (let count = 0; count < 1000; count++) await registerClient(server);
    expect(server.server.clients.has(first.client_id)).toBe(false);
    expect(server.server.clients.has('frontend')).toBe(true);
  });
});

describe('redirect URIs of strangers', () => {
  it.each([
    ['https', 'https://app.example/cb?tenant=1'],
    ['http on localhost', 'http://localhost:5173/cb'],
    ['http on 127.0.0.1', 'http://127.0.0.1/cb'],
    ['http on [::1]', 'http://[::1]:4000/cb'],
  ])('may be %s', async (_what, uri) => {
    expect(await registerClient(modern(), { ...spa, redirect_uris: [uri] })).toMatchObject({ redirect_uris: [uri] });
  });

  it.each([
    ['http elsewhere', 'http://app.example/cb'],
    ['a fragment', 'https://app.example/cb#x'],
    ['an empty fragment', 'https://app.example/cb#'],
    ['a wildcard', 'https://*.app.example/cb'],
    ['javascript:', 'javascript:alert(1)'],
    ['data:', 'data:text/html,x'],
    ['vbscript:', 'vbscript:x'],
    ['file:', 'file:///etc/passwd'],
    ['a relative path', '/cb'],
    ['a user name', 'https://me@app.example/cb'],
    ['a space', 'https://app.example/a b'],
    ['a name like localhost', 'http://localhost.app.example/cb'],
  ])('may not be %s', async (_what, uri) => {
    expect(await refused({ ...spa, redirect_uris: [uri] })).toEqual(['invalid_redirect_uri', 'redirect_uri_unusable']);
  });

  it('may have a private scheme, which makes the application native', async () => {
    const uris = ['com.example.app:/callback', 'http://127.0.0.1/callback', 'https://app.example/callback'];
    const body = await registerClient(modern(), { ...spa, redirect_uris: uris });
    expect(body).toMatchObject({ application_type: 'native', redirect_uris: uris });
    expect(await refused({ ...spa, redirect_uris: uris, application_type: 'web' })).toEqual([
      'invalid_redirect_uri',
      'redirect_uri_unusable',
    ]);
  });

  it('of a native application may be loopback addresses', async () => {
    const uris = ['http://127.0.0.1:33418/', 'http://localhost:33418/'];
    const body = await registerClient(modern(), { ...spa, redirect_uris: uris, application_type: 'native' });
    expect(body).toMatchObject({ application_type: 'native', redirect_uris: uris });
  });

  it('of a web application with the implicit grant are https, and not on this machine', async () => {
    const implicit = { grant_types: ['implicit'], response_types: ['id_token'], token_endpoint_auth_method: 'none' };
    const server = createTestServer();
    for (const uri of ['http://localhost:3000/cb', 'https://localhost/cb']) {
      expect(await refused({ ...implicit, redirect_uris: [uri] }, server)).toEqual([
        'invalid_redirect_uri',
        'redirect_uri_unusable',
      ]);
    }
    expect(await registerClient(server, { ...implicit, redirect_uris: ['https://app.example/cb'] })).toMatchObject({
      response_types: ['id_token'],
    });
  });

  it('are needed for the authorization code grant', async () => {
    expect(await refused({ client_name: 'x' })).toEqual(['invalid_redirect_uri', 'redirect_uri_unusable']);
    const machine = { grant_types: ['client_credentials'] };
    expect(await registerClient(modern(), machine)).toMatchObject({ redirect_uris: [], response_types: [] });
  });
});

describe('metadata that is refused', () => {
  it.each([
    ['jwks and jwks_uri at once', { ...web, jwks, jwks_uri: 'https://shop.example/jwks' }],
    ['a private key in jwks', { ...web, jwks: { keys: [{ ...jwks.keys[0], d: 'secret' }] } }],
    ['private_key_jwt without keys', { ...web, token_endpoint_auth_method: 'private_key_jwt' }],
    ['an unknown method', { ...web, token_endpoint_auth_method: 'client_secret_rot13' }],
    ['an unknown grant type', { ...web, grant_types: ['telepathy'] }],
    ['a grant type OAuth 2.1 removed', { ...web, grant_types: ['authorization_code', 'password'] }],
    ['a response type OAuth 2.1 removed', { ...web, grant_types: ['implicit'], response_types: ['token'] }],
    ['a response type without its grant', { ...web, grant_types: ['refresh_token'], response_types: ['code'] }],
    ['a grant without its response type', { ...web, grant_types: ['authorization_code'], response_types: [] }],
    ['machine tokens for a public client', { ...spa, grant_types: ['client_credentials'] }],
    ['an unknown algorithm', { ...web, id_token_signed_response_alg: 'none' }],
    ['a symmetric algorithm', { ...web, id_token_signed_response_alg: 'HS256' }],
    ['encryption without keys', { ...web, id_token_encrypted_response_alg: 'RSA-OAEP' }],
    [
      'an algorithm of another method',
      { ...web, token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_signing_alg: 'RS256' },
    ],
    ['an unknown subject type', { ...web, subject_type: 'shared' }],
    ['an unknown type of authorization details', { ...web, authorization_details_types: ['payment'] }],
    ['a script as logo_uri', { ...web, logo_uri: 'javascript:alert(1)' }],
    ['a script as client_uri', { ...web, client_uri: 'javascript:alert(1)' }],
    ['data as policy_uri', { ...web, policy_uri: 'data:text/html,x' }],
    ['a script as tos_uri', { ...web, tos_uri: ' javascript:alert(1)' }],
    ['a logout frame of another host', { ...web, frontchannel_logout_uri: 'https://other.example/out' }],
    ['a logout frame of another port', { ...web, frontchannel_logout_uri: 'https://shop.example:8443/out' }],
    ['a logout frame without TLS', { ...web, frontchannel_logout_uri: 'http://shop.example/out' }],
    ['a login address without TLS', { ...web, initiate_login_uri: 'http://shop.example/login' }],
    ['a name that is no text', { ...web, client_name: { toString: 'x' } }],
    ['a scope that is no text', { ...web, scope: ['openid'] }],
    ['an age that is no number', { ...web, default_max_age: '3600' }],
  ])('is %s', async (_what, metadata) => {
    expect(await refused(metadata)).toEqual(['invalid_client_metadata', 'client_metadata_invalid']);
  });

  it.each([[[]], ['text'], [null], [42]])('is a body that is no object: %j', async body => {
    expect(await refused(body)).toEqual(['invalid_client_metadata', 'client_metadata_invalid']);
  });

  it('names the member, the sent value and the expected one', async () => {
    const { description, details } = await refusal(
      registerClient(modern(), { ...web, subject_type: 'shared', default_max_age: -1 }),
    );
    expect(description).toMatch(/subject_type: expected public or pairwise.*default_max_age: expected/);
    expect(details).toMatchObject({ sent: expect.stringContaining('shared'), expected: 'public or pairwise' });
  });

  it('names a method that needs a feature that is off, not the members that came with it', async () => {
    const off = createTestServer({ features: new Set(defaultFeatures.filter(name => name !== 'mtls')) });
    const robot = { ...web, token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=robot' };
    expect(await refusal(registerClient(off, robot))).toMatchObject({
      reason: 'client_metadata_invalid',
      description: expect.stringMatching(/^token_endpoint_auth_method: tls_client_auth is not supported/),
    });
  });

  it.each([
    ['dpop', { dpop_bound_access_tokens: true }],
    ['par', { require_pushed_authorization_requests: true }],
    ['backchannel-logout', { backchannel_logout_uri: 'https://shop.example/bye' }],
    ['jarm', { authorization_signed_response_alg: 'ES256' }],
    ['jar', { backchannel_authentication_request_signing_alg: 'ES256' }],
    ['ciba', { backchannel_authentication_request_signing_alg: 'ES256' }],
  ] as const)('is not what belongs to a feature that is off: %s is ignored', async (feature, member) => {
    const off = createTestServer({ features: new Set(defaultFeatures.filter(name => name !== feature)) });
    const [name = ''] = Object.keys(member);
    expect(await registerClient(off, { ...web, ...member })).not.toHaveProperty(name);
    expect(await registerClient(modern(), { ...web, ...member })).toMatchObject(member);
  });
});

describe('registration with an initial access token', () => {
  const guarded = () => {
    const { registration } = createTestServer().server;
    return createTestServer({ registration: { ...registration, mode: 'token', initialAccessToken: 'let me in' } });
  };

  it('is open to everybody who has it', async () => {
    expect(await registerClient(guarded(), spa, { authorization: 'Bearer let-me-in' }).catch(() => 'no')).toBe('no');
    const { registration } = createTestServer().server;
    const server = createTestServer({ registration: { ...registration, mode: 'token', initialAccessToken: 'abc' } });
    expect(await registerClient(server, spa, { authorization: 'Bearer abc' })).toHaveProperty('client_id');
  });

  it.each([
    ['no token', {}, 'initial_access_token_missing', `Bearer realm="${issuer}"`],
    [
      'another scheme',
      { authorization: 'Basic bGV0OmluCg==' },
      'access_token_scheme_wrong',
      `Bearer realm="${issuer}"`,
    ],
    ['a token alone', { authorization: 'abc.def.ghi' }, 'access_token_scheme_wrong', `Bearer realm="${issuer}"`],
    [
      'another token',
      { authorization: 'Bearer wrong' },
      'initial_access_token_wrong',
      expect.stringContaining('error="invalid_token"'),
    ],
  ])('refuses %s with 401 and a challenge', async (_what, sent, reason, challenge) => {
    const error = await refusal(registerClient(guarded(), spa, sent));
    expect([error.status, error.code, error.reason]).toEqual([401, 'invalid_token', reason]);
    expect(error.details.headers).toEqual({ 'WWW-Authenticate': challenge });
  });
});

describe('what a request has in place of the token of a registration', () => {
  it.each([
    [
      'Basic bGV0OmluCg==',
      'Basic',
      "the scheme of the Authorization header is 'Basic'; registration needs the initial",
    ],
    [
      'abc.def.ghi',
      '11 characters without a scheme',
      'the scheme of the Authorization header is missing; registration',
    ],
    ['undefined', 'the word undefined', 'the Authorization header is the word undefined; registration needs'],
    ['Bearer undefined', 'the word undefined', 'this is not the initial access token'],
  ])('is named: %s', async (authorization, sent, description) => {
    const { registration } = createTestServer().server;
    const server = createTestServer({ registration: { ...registration, mode: 'token', initialAccessToken: 'abc' } });
    const error = await refusal(registerClient(server, spa, { authorization }));
    expect(error.details.sent).toBe(sent);
    expect(error.description).toContain(description);
  });
});

describe('a sector', () => {
  const redirect_uris = ['https://a.example/cb', 'https://b.example/cb'];
  const sector_identifier_uri = 'https://sector.example/uris.json';
  const pairwise = { subject_type: 'pairwise', redirect_uris };

  it('of several hosts needs a sector document', async () => {
    expect(await refused(pairwise)).toEqual(['invalid_client_metadata', 'client_metadata_invalid']);
  });

  it('is accepted with a document that has all redirect URIs', async () => {
    const outbound = createDocuments({
      [sector_identifier_uri]: { body: JSON.stringify([...redirect_uris, 'https://c.example/']) },
    });
    const server = createTestServer({ outbound });
    expect(await registerClient(server, { ...pairwise, sector_identifier_uri })).toMatchObject({
      subject_type: 'pairwise',
      sector_identifier_uri,
    });
  });

  it.each([
    ['lacks one of them', { body: JSON.stringify(['https://a.example/cb']) }],
    ['is no list', { body: JSON.stringify({ uris: redirect_uris }) }],
    ['is no JSON', { body: '<html>' }],
    ['is not there', { status: 404, body: JSON.stringify(redirect_uris) }],
    ['is elsewhere', { status: 302, headers: { location: 'https://evil.example/' } }],
  ])('is refused with a document that %s', async (_what, answer) => {
    const server = createTestServer({ outbound: createDocuments({ [sector_identifier_uri]: answer }) });
    expect(await refused({ ...pairwise, sector_identifier_uri }, server)).toEqual([
      'invalid_client_metadata',
      'sector_document_unusable',
    ]);
  });

  it('is fetched a few times a second only', async () => {
    const outbound = createDocuments({ [sector_identifier_uri]: { status: 500 } });
    const server = createTestServer({ outbound });
    for (let count = 0; count < 10; count++) await refused({ ...pairwise, sector_identifier_uri }, server);
    expect(outbound.asked).toHaveLength(5);
  });

  it('is refused where nobody answers, or not over TLS', async () => {
    for (const uri of ['https://nobody.example/', 'http://sector.example/']) {
      expect(await refused({ ...pairwise, sector_identifier_uri: uri })).toEqual([
        'invalid_client_metadata',
        'sector_document_unusable',
      ]);
    }
  });
});
