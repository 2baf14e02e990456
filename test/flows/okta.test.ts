import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/okta/preset.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const redirect_uri = 'http://localhost:3000/callback';
const onPage: SandboxConfig = {
  preset: 'okta',
  scopes: { groups: { description: 'Your groups', claims: ['groups'] } },
  clients: [
    {
      client_id: 'spa',
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: ['http://localhost:3000/'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    { client_id: 'other', redirect_uris: [redirect_uri], grant_types: ['authorization_code', 'refresh_token'] },
    {
      client_id: 'back-end',
      client_secret: 'back-end-secret',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
      scope: 'openid profile email products:read',
    },
    {
      client_id: 'job',
      client_secret: 'job-secret',
      grant_types: ['client_credentials'],
      scope: 'products:read products:write',
      default_scope: 'products:read',
    },
    { client_id: 'old', redirect_uris: [redirect_uri], grant_types: ['implicit'], response_types: ['id_token token'] },
    { client_id: 'device', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
  ],
  users: [
    {
      sub: '00ualice0000000000d7',
      username: 'alice@example.com',
      password: 'alice-password',
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        family_name: 'Archer',
        email: 'alice@example.com',
        email_verified: true,
        locale: 'en-US',
        zoneinfo: 'Europe/Berlin',
        groups: ['/admins', '/acme/engineering'],
      },
    },
  ],
};

const config: SandboxConfig = { ...onPage, autoLogin: 'alice@example.com' };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
afterAll(() => sandbox.stop());

type Form = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;
const backEnd = { client_id: 'back-end', client_secret: 'back-end-secret' };

async function post(path: string, form: Form, headers: Form = {}): Promise<{ status: number; body: Members }> {
  const body = new URLSearchParams(form);
  const response = await fetch(sandbox.issuer + path, { method: 'POST', headers, body, redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Members) };
}

function authorizeUrl(client_id: string, more: Form = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'openid profile email groups',
    nonce: 'the-nonce',
    state: 'the-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  });
  for (const [name, value] of Object.entries(more)) if (value === '') query.delete(name);
  return `${sandbox.issuer}/v1/authorize?${query}`;
}

/** The parameters of the answer, by `autoLogin`. */
async function answered(client_id: string, more: Form = {}): Promise<URLSearchParams> {
  const { headers } = await fetch(authorizeUrl(client_id, more), { redirect: 'manual' });
  const { search, hash } = new URL(headers.get('location') ?? 'http://nowhere/');
  return new URLSearchParams(search || hash.slice(1));
}

const code = async (client_id: string, more: Form = {}) => (await answered(client_id, more)).get('code') ?? '';

async function redeem(sent: string, more: Form = {}) {
  const form = { grant_type: 'authorization_code', code: sent, redirect_uri, client_id: 'spa' };
  return post('/v1/token', { ...form, code_verifier: codeVerifier, ...more });
}

interface Tokens extends Members {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}
// asserted by the tests that read it
const tokens = async () => (await redeem(await code('spa'))).body as unknown as Tokens;
const refresh = (refresh_token: string, client_id = 'spa') =>
  post('/v1/token', { grant_type: 'refresh_token', client_id, refresh_token });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe('the preset okta', () => {
  it('has the issuer, tokens and answers of the golden file', async () => {
    const metadata = (await (await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).json()) as Members;
    const answer = await tokens();
    const { body: machine } = await post('/v1/token', {
      grant_type: 'client_credentials',
      ...backEnd,
      scope: 'products:read',
    });
    const userinfo = await fetch(`${sandbox.issuer}/v1/userinfo`, bearer(answer.access_token));
    const { body: introspection } = await post('/v1/introspect', { ...backEnd, token: answer.access_token });
    const parts = {
      metadata,
      tokenResponse: answer,
      accessTokenHeader: { ...decodeProtectedHeader(answer.access_token) },
      accessToken: decodeJwt(answer.access_token),
      idToken: decodeJwt(answer.id_token),
      userinfo: (await userinfo.json()) as Members,
      introspection,
      machineResponse: machine,
      machineToken: decodeJwt(String(machine.access_token)),
    };
    const random = ['jti', 'at_hash', 'kid', 'refresh_token'];
    expectGolden('okta', parts, { url: sandbox.url, random });
  });

  it('has jti with the prefixes of Okta, each only once', async () => {
    const [one, two] = [await tokens(), await tokens()];
    const ids = [one.access_token, one.id_token, two.access_token, two.id_token].map(token => decodeJwt(token).jti);
    expect(ids).toEqual(['AT.', 'ID.', 'AT.', 'ID.'].map(prefix => expect.stringMatching(`^${prefix}\\S{8,}$`)));
    expect(new Set(ids).size).toBe(4);
  });

  it('signs access and ID tokens by the published keys', async () => {
    const { access_token, id_token } = await tokens();
    const keys = createLocalJWKSet((await (await fetch(`${sandbox.issuer}/v1/keys`)).json()) as JSONWebKeySet);
    for (const token of [access_token, id_token]) await jwtVerify(token, keys, { issuer: sandbox.issuer });
  });

  it('keeps every promise of its metadata, also as the server of the org', async () => {
    for (const server of ['default', 'org']) {
      const preset = { name: 'okta', server } as const;
      expect(notKept(await metadataPromises({ ...config, preset, keysFile: writeKeysFile() }))).toEqual([]);
    }
  });

  it('has the org itself as an issuer, with its endpoints below /oauth2/v1', async () => {
    await using org = await createSandbox({ ...config, preset: { name: 'okta', server: 'org' } });
    expect(org.issuer).toBe(org.url);
    const metadata = (await (await fetch(`${org.url}/.well-known/openid-configuration`)).json()) as Members;
    expect(metadata).toMatchObject({
      issuer: org.url,
      authorization_endpoint: `${org.url}/oauth2/v1/authorize`,
      token_endpoint: `${org.url}/oauth2/v1/token`,
      jwks_uri: `${org.url}/oauth2/v1/keys`,
      registration_endpoint: `${org.url}/oauth2/v1/clients`,
    });
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...backEnd, scope: 'products:read' });
    const answer = (await (await fetch(`${org.url}/oauth2/v1/token`, { method: 'POST', body })).json()) as Tokens;
    expect(decodeJwt(answer.access_token)).toMatchObject({ iss: org.url, aud: org.url, cid: 'back-end' });
  });

  it('runs beside other issuers, also below a path that endpoints of the first one have in common', async () => {
    await using several = await createSandbox({
      issuers: {
        '/oauth2/default': { preset: 'okta' },
        '/oauth2/shop': { preset: { name: 'okta', server: 'shop' } },
        '/acme': { preset: 'okta' },
      },
    });
    const { url } = several;
    const issuers = [several.issuer, ...[...several.issuers.values()].map(({ issuer }) => issuer)];
    expect(issuers).toEqual([url, `${url}/oauth2/default`, `${url}/oauth2/shop`, `${url}/acme/oauth2/default`]);
    for (const issuer of issuers) {
      for (const name of ['openid-configuration', 'oauth-authorization-server']) {
        const metadata = (await (await fetch(`${issuer}/.well-known/${name}`)).json()) as Members;
        expect(metadata.issuer).toBe(issuer);
        expect((await fetch(String(metadata.jwks_uri))).status).toBe(200);
      }
    }
  });

  it('accepts its tokens at the sample backend, and no ID token there', async () => {
    const { access_token, id_token } = (await redeem(await code('spa', { scope: 'openid products:read' })))
      .body as unknown as Tokens;
    expect((await fetch(`${sandbox.issuer}/api/products`, bearer(access_token))).status).toBe(200);
    expect((await fetch(`${sandbox.issuer}/api/products`, bearer(id_token))).status).toBe(401);
    expect((await fetch(`${sandbox.issuer}/v1/userinfo`, bearer(id_token))).status).toBe(401);
  });

  it('grants the default scopes of a client only to a request without scope', async () => {
    const job = { grant_type: 'client_credentials', client_id: 'job', client_secret: 'job-secret' };
    expect((await post('/v1/token', job)).body).toMatchObject({ scope: 'products:read' });
    expect((await post('/v1/token', { ...job, scope: 'products:write' })).body).toMatchObject({
      scope: 'products:write',
    });
  });

  it('revokes for a client that sends its id alone in the Authorization header', async () => {
    const { access_token, refresh_token } = await tokens();
    expect((await post('/v1/revoke', { token: refresh_token }, basic('other'))).status).not.toBe(500);
    expect((await refresh(refresh_token)).status).toBe(200);
    expect(await post('/v1/revoke', { token: access_token }, basic('spa'))).toEqual({ status: 200, body: {} });
    expect((await fetch(`${sandbox.issuer}/v1/userinfo`, bearer(access_token))).status).toBe(401);
    // a confidential client is not a public one without its secret
    expect((await post('/v1/revoke', { token: access_token }, basic('back-end'))).status).toBe(401);
  });

  it('has the headers of Okta in each answer', async () => {
    const paths = [
      `${sandbox.issuer}/v1/keys`,
      `${sandbox.issuer}/.well-known/openid-configuration`,
      `${sandbox.issuer}/nowhere`,
    ];
    const seen = [];
    for (const path of paths) {
      const { headers } = await fetch(path);
      expect(headers.get('x-okta-request-id')).toBe(headers.get('x-request-id'));
      expect(headers.get('x-rate-limit-limit')).toBe('600');
      expect(Number(headers.get('x-rate-limit-reset')) % 60).toBe(0);
      seen.push(Number(headers.get('x-rate-limit-remaining')));
    }
    expect(Math.max(...seen)).toBeLessThan(600);
    expect(new Set(seen).size).toBe(3);
  });

  it('posts the answer of okta_post_message to the page that asked', async () => {
    const page = await fetch(authorizeUrl('spa', { response_mode: 'okta_post_message' }));
    const html = await page.text();
    expect(html).toContain('data-origin="http://localhost:3000"');
    expect(html).toMatch(/data-message="\{&#34;code&#34;:&#34;[^&]+&#34;,[^"]*state&#34;:&#34;the-state&#34;/);
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:3000');
  });

  it('lets a browser of any origin send the user agent of an Okta SDK', async () => {
    for (const [path, method] of [
      ['/.well-known/openid-configuration', 'GET'],
      ['/v1/token', 'POST'],
      ['/v1/userinfo', 'GET'],
      ['/v1/revoke', 'POST'],
    ] as const) {
      const headers = {
        origin: 'http://localhost:3000',
        'access-control-request-method': method,
        'access-control-request-headers': 'x-okta-user-agent-extended',
      };
      const preflight = await fetch(sandbox.issuer + path, { method: 'OPTIONS', headers });
      expect(preflight.headers.get('access-control-allow-headers')).toBe('x-okta-user-agent-extended');
    }
  });

  it('shows on Connect what an application and an API with the SDKs of Okta need', async () => {
    const headers = { accept: 'text/html' };
    const html = await (await fetch(`${sandbox.issuer}/dashboard/connect`, { headers })).text();
    const text = html.replace(/<[^>]+>/g, '').replaceAll('&#39;', "'");
    expect(text).toContain(`new OktaAuth({\n  issuer: '${sandbox.issuer}',\n  clientId: 'spa',`);
    expect(text).toContain("verifier.verifyAccessToken(token, 'api://default')");
    expect(text).not.toContain("typ: ''");
    expect(text).not.toContain('at+jwt');
  });

  it('has the ids of the login page that tests of applications select', async () => {
    await using typed = await createSandbox({ ...onPage, loginMode: 'password' });
    const html = await (await fetch(authorizeUrl('spa').replace(sandbox.issuer, typed.issuer))).text();
    for (const id of ['username', 'password', 'submit']) expect(html).toContain(`id="okta-signin-${id}"`);
  });

  it('registers clients at the org', async () => {
    await using open = await createSandbox({ ...config, registration: 'open' });
    const metadata = (await (await fetch(`${open.issuer}/.well-known/openid-configuration`)).json()) as Members;
    expect(metadata.registration_endpoint).toBe(`${open.url}/oauth2/v1/clients`);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ redirect_uris: [redirect_uri] });
    const registered = await fetch(`${open.url}/oauth2/v1/clients`, { method: 'POST', headers, body });
    const client = (await registered.json()) as Members;
    expect(client.registration_client_uri).toBe(`${open.url}/oauth2/v1/clients/${client.client_id}`);
    const read = await fetch(String(client.registration_client_uri), bearer(String(client.registration_access_token)));
    expect(await read.json()).toMatchObject({ client_id: client.client_id });
  });
});

describe('a session token of the preset okta', () => {
  const authn = (username: string, password: string) =>
    fetch(`${sandbox.url}/api/v1/authn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://localhost:3000' },
      body: JSON.stringify({ username, password }),
    });
  const silent = { prompt: 'none', login_hint: '' };

  it('signs its user in without a page, once', async () => {
    const answer = await authn('alice@example.com', 'alice-password');
    const { status, sessionToken, _embedded } = (await answer.json()) as Members;
    expect([status, _embedded]).toMatchObject([
      'SUCCESS',
      { user: { id: '00ualice0000000000d7', profile: { login: 'alice@example.com', firstName: 'Alice' } } },
    ]);
    const token = String(sessionToken);
    const signedIn = await answered('spa', { ...silent, sessionToken: token });
    const { body } = await redeem(signedIn.get('code') ?? '');
    expect(decodeJwt(String(body.id_token))).toMatchObject({ amr: ['pwd'], sub: '00ualice0000000000d7' });
    expect((await answered('spa', { ...silent, sessionToken: token })).get('error')).toBe('login_required');
  });

  it('begins a session, which the browser can read and end', async () => {
    const { sessionToken } = (await (await authn('alice@example.com', 'alice-password')).json()) as Members;
    const { headers } = await fetch(authorizeUrl('spa', { sessionToken: String(sessionToken) }), {
      redirect: 'manual',
    });
    const cookie = headers
      .getSetCookie()
      .map(line => line.split(';', 1)[0])
      .join('; ');
    const me = (method: string, path = '') =>
      fetch(`${sandbox.url}/api/v1/sessions/me${path}`, {
        method,
        headers: { cookie, origin: 'http://localhost:3000' },
      });
    const session = await me('GET');
    expect(session.headers.get('access-control-allow-credentials')).toBe('true');
    expect(await session.json()).toMatchObject({ status: 'ACTIVE', login: 'alice@example.com', amr: ['pwd'] });
    expect((await me('POST', '/lifecycle/refresh')).status).toBe(200);
    const user = await fetch(`${sandbox.url}/api/v1/users/me`, { headers: { cookie } });
    expect(await user.json()).toMatchObject({ id: '00ualice0000000000d7', profile: { login: 'alice@example.com' } });
    expect((await fetch(`${sandbox.url}/api/v1/users/me`)).status).toBe(401);
    expect((await me('DELETE')).status).toBe(204);
    const ended = await me('GET');
    expect([ended.status, await ended.json()]).toMatchObject([
      404,
      { errorCode: 'E0000007', errorSummary: 'Not found: Resource not found: me (Session)', errorCauses: [] },
    ]);
  });

  it('is not for a wrong password, an unknown user or a malformed body', async () => {
    for (const [username, password] of [
      ['alice@example.com', 'x'],
      ['nobody', 'x'],
      ['alice@example.com', ''],
    ] as const) {
      const refused = await authn(username, password);
      expect([refused.status, await refused.json()]).toMatchObject([
        401,
        { errorCode: 'E0000004', errorSummary: 'Authentication failed', errorLink: 'E0000004' },
      ]);
    }
    const headers = { 'content-type': 'application/json' };
    const malformed = await fetch(`${sandbox.url}/api/v1/authn`, { method: 'POST', headers, body: '{"username":{}}' });
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { errorCode: 'E0000003' }]);
  });
});

type Answer = Promise<{ status: number; body: Members }>;
const device = 'urn:ietf:params:oauth:grant-type:device_code';
const invalidCode = { error: 'invalid_grant', error_description: 'The authorization code is invalid or has expired.' };
const invalidRefresh = { error: 'invalid_grant', error_description: 'The refresh token is invalid or expired.' };
const invalidToken = { error: 'invalid_token', error_description: 'The access token is invalid.' };
const unknownScopes = {
  error: 'invalid_scope',
  error_description: 'One or more scopes are not configured for the authorization server resource.',
};
const machine = { grant_type: 'client_credentials', scope: 'products:read' };

/** Each row provokes one error of the preset. */
const errors: readonly (readonly [name: string, ask: () => Answer, status: number, body: Members])[] = [
  [
    'unknown client, in the form of the APIs',
    () => post('/v1/token', { ...machine, client_id: 'nobody', client_secret: 'x' }),
    400,
    {
      errorCode: 'invalid_client',
      errorSummary: "Invalid value for 'client_id' parameter.",
      errorLink: 'invalid_client',
      errorId: expect.stringMatching(/^oae[\w]{18}$/),
      errorCauses: [],
    },
  ],
  [
    'no client',
    () => post('/v1/token', machine),
    401,
    { error: 'invalid_client', error_description: 'No client credentials found.' },
  ],
  [
    'no secret',
    () => post('/v1/token', { ...machine, client_id: 'back-end' }),
    401,
    { error: 'invalid_client', error_description: 'No client credentials found.' },
  ],
  [
    'wrong secret',
    () => post('/v1/token', { ...machine, client_id: 'back-end', client_secret: 'x' }),
    401,
    { error: 'invalid_client', error_description: 'The client secret supplied for a confidential client is invalid.' },
  ],
  [
    'two credentials',
    () => post('/v1/token', { ...machine, ...backEnd }, basic('back-end:back-end-secret')),
    400,
    {
      error: 'invalid_request',
      error_description: expect.stringMatching(/^Cannot supply multiple client credentials/),
    },
  ],
  [
    'unknown grant',
    () => post('/v1/token', { grant_type: 'magic', ...backEnd }),
    400,
    {
      error: 'unsupported_grant_type',
      error_description: 'The authorization grant type is not supported by the authorization server.',
    },
  ],
  [
    'other grant',
    () => post('/v1/token', { ...machine, client_id: 'job', client_secret: 'job-secret', grant_type: 'password' }),
    400,
    {
      error: 'unauthorized_client',
      error_description:
        'The client is not authorized to use the provided grant type. Configured grant types: [client_credentials].',
    },
  ],
  [
    'no scope',
    () => post('/v1/token', { grant_type: 'client_credentials', ...backEnd }),
    400,
    {
      error: 'invalid_scope',
      error_description:
        "The authorization server resource does not have any configured default scopes, 'scope' must be provided.",
    },
  ],
  ['foreign scope', () => post('/v1/token', { ...machine, ...backEnd, scope: 'magic' }), 400, unknownScopes],
  ['malformed scope', () => post('/v1/token', { ...machine, ...backEnd, scope: 'a"b' }), 400, unknownScopes],
  [
    'wrong password',
    () => post('/v1/token', { grant_type: 'password', ...backEnd, username: 'alice', password: 'x', scope: 'openid' }),
    400,
    { error: 'invalid_grant', error_description: 'The credentials provided were invalid.' },
  ],
  ['unknown code', () => redeem('x'), 400, invalidCode],
  ['code used twice', () => redeemTwice(), 400, invalidCode],
  ['code of another client', async () => redeem(await code('spa'), { client_id: 'other' }), 400, invalidCode],
  ['no redirect URI', async () => redeem(await code('spa'), { redirect_uri: '' }), 400, { error: 'invalid_request' }],
  [
    'other redirect URI',
    async () => redeem(await code('spa'), { redirect_uri: 'http://localhost:3000/' }),
    400,
    {
      error: 'invalid_grant',
      error_description: "The 'redirect_uri' does not match the redirection URI used in the authorization request.",
    },
  ],
  [
    'wrong verifier',
    async () => redeem(await code('spa'), { code_verifier: 'x'.repeat(43) }),
    400,
    { error: 'invalid_grant', error_description: 'PKCE verification failed.' },
  ],
  ['unknown refresh token', () => refresh('x'), 400, invalidRefresh],
  [
    'refresh token of another client',
    async () => refresh((await tokens()).refresh_token, 'other'),
    400,
    invalidRefresh,
  ],
  ['refresh token used twice', () => refreshTwice(), 400, invalidRefresh],
  ['revoked refresh token', () => refreshRevoked(), 400, invalidRefresh],
  [
    'pending device',
    () => poll(),
    400,
    {
      error: 'authorization_pending',
      error_description: 'The device authorization is pending. Please try again later.',
    },
  ],
  ['unreadable access token', () => userinfo('x'), 401, invalidToken],
  [
    'expired access token',
    () => afterwards(id => sandbox.issueToken({ client: 'spa', user: id, defect: 'expired' })),
    401,
    invalidToken,
  ],
  ['revoked access token', () => userinfoRevoked(), 401, invalidToken],
  [
    'wrong method',
    async () => jsonOf(await fetch(`${sandbox.issuer}/v1/token`)),
    405,
    { errorCode: 'E0000022', errorSummary: 'The endpoint does not support the provided HTTP method' },
  ],
  [
    'unknown path',
    async () => jsonOf(await fetch(`${sandbox.issuer}/nowhere`)),
    404,
    { errorCode: 'E0000007', errorSummary: 'Not found: Resource not found: /oauth2/default/nowhere' },
  ],
  [
    'call of the org that is not served',
    async () => jsonOf(await fetch(`${new URL(sandbox.issuer).origin}/idp/idx/introspect`, { method: 'POST' })),
    501,
    { errorCode: 'E0000060', errorCauses: [{ errorSummary: expect.stringMatching(/Identity Engine/) }] },
  ],
  [
    'call that is not served',
    async () => jsonOf(await fetch(`${sandbox.issuer}/v1/interact`, { method: 'POST' })),
    501,
    {
      errorCode: 'E0000060',
      errorSummary: 'Unsupported operation.',
      errorCauses: [{ errorSummary: expect.stringMatching(/Identity Engine.*sessionToken/) }],
    },
  ],
];

async function jsonOf(response: Response): Answer {
  return { status: response.status, body: (await response.json()) as Members };
}
const userinfo = async (token: string) => jsonOf(await fetch(`${sandbox.issuer}/v1/userinfo`, bearer(token)));
async function redeemTwice() {
  const once = await code('spa');
  await redeem(once);
  return redeem(once);
}
async function refreshTwice() {
  const { refresh_token } = await tokens();
  await refresh(refresh_token);
  return refresh(refresh_token);
}
async function refreshRevoked() {
  const { refresh_token } = await tokens();
  await post('/v1/revoke', { token: refresh_token }, basic('spa'));
  return refresh(refresh_token);
}
async function userinfoRevoked() {
  const { access_token } = await tokens();
  await post('/v1/revoke', { token: access_token }, basic('spa'));
  return userinfo(access_token);
}
async function afterwards(mint: (user: string) => Promise<{ readonly token: string }>) {
  return userinfo((await mint('alice@example.com')).token);
}
async function poll() {
  const { device_code } = (await post('/v1/device/authorize', { client_id: 'device', scope: 'openid' })).body;
  return post('/v1/token', { grant_type: device, client_id: 'device', device_code: String(device_code) });
}

describe('an error of the preset okta', () => {
  it.each(errors)('%s', async (_, ask, status, body) => {
    expect(await ask()).toMatchObject({ status, body });
  });

  it.each([
    [{ prompt: 'none' }, 'login_required', 'The client specified not to prompt, but the user is not logged in.'],
    [
      { scope: '' },
      'invalid_scope',
      "The authorization server resource does not have any configured default scopes, 'scope' must be provided.",
    ],
    [
      { scope: 'openid magic' },
      'invalid_scope',
      'One or more scopes are not configured for the authorization server resource.',
    ],
    [
      { code_challenge: '', code_challenge_method: '' },
      'invalid_request',
      "PKCE code challenge is required when the token endpoint authentication method is 'NONE'.",
    ],
    [
      { response_type: 'magic' },
      'unsupported_response_type',
      expect.stringMatching(
        /^The response type is not supported by the authorization server. Configured response types: \[code/,
      ),
    ],
  ])('%o goes to the redirect URI', async (sent, error, description) => {
    const answer = await answered('spa', sent);
    expect([answer.get('error'), answer.get('error_description')]).toEqual([error, description]);
  });

  it('names the response types of a client that asks for another one', async () => {
    const answer = await answered('old', { response_type: 'id_token' });
    expect([answer.get('error'), answer.get('error_description')]).toEqual([
      'unsupported_response_type',
      'The response type is not supported by the authorization server. Configured response types: [id_token token]',
    ]);
  });

  it('goes to the redirect URI for a user who denies', async () => {
    await sandbox.nextLogin({ action: 'deny' });
    const answer = await answered('spa');
    expect([answer.get('error'), answer.get('error_description')]).toEqual([
      'access_denied',
      'The resource owner or authorization server denied the request.',
    ]);
  });

  it('is a page with status 400 for a redirect URI that is not registered, and JSON for a program', async () => {
    const sent = authorizeUrl('spa', { redirect_uri: 'https://evil.example/' });
    const page = await fetch(sent, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([400, expect.stringContaining('text/html')]);
    const text = (await page.text()).replaceAll('&#39;', "'");
    expect(text).toContain("The 'redirect_uri' parameter must be a Login redirect URI in the client app settings.");
    const unknown = await fetch(authorizeUrl('nobody'), { headers: { accept: 'application/json' } });
    expect([unknown.status, await unknown.json()]).toMatchObject([400, { errorCode: 'invalid_client' }]);
  });

  it('of each row of the table was provoked above', () => {
    const provoked = new Set(sandbox.events.latest('error.returned', 1000).map(({ reason }) => reason));
    expect(Object.keys(errorTable).filter(reason => !provoked.has(reason as never))).toEqual([]);
  });
});
