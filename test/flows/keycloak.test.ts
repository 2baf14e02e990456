import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/keycloak/preset.ts';
import { observes } from '../observed.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { noticingErrors } from '../support/noticed-errors.ts';
import { decideDevice } from '../support/preset-login.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const { createSandbox, notProvoked } = noticingErrors();

const redirect_uri = 'http://localhost:3000/callback';
const machine = { grant_types: ['client_credentials' as const] };
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const onPage: SandboxConfig = {
  preset: { name: 'keycloak', realm: 'shop' },
  clients: [
    { client_id: 'spa', redirect_uris: [redirect_uri], grant_types: ['authorization_code', 'refresh_token'] },
    { client_id: 'other', redirect_uris: [redirect_uri], grant_types: ['authorization_code', 'refresh_token'] },
    {
      client_id: 'back-end',
      client_secret: 'back-end-secret',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
      scope: 'openid profile email products:read',
    },
    { client_id: 'device', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
    {
      client_id: 'rotating',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_rotation: true,
    },
    {
      client_id: 'basic',
      client_secret: 'basic-secret',
      ...machine,
      token_endpoint_auth_method: 'client_secret_basic',
    },
    {
      client_id: 'signed',
      ...machine,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'ES256' }] },
    },
  ],
  users: [
    {
      sub: 'alice',
      password: 'alice-password',
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        family_name: 'Archer',
        preferred_username: 'alice',
        email: 'alice@example.com',
        email_verified: true,
        roles: ['admin'],
        client_roles: { spa: ['editor'], billing: ['reader'] },
      },
    },
  ],
};

const config: SandboxConfig = { ...onPage, autoLogin: 'alice' };

let sandbox: Sandbox;
let protocol: string;
beforeAll(async () => {
  sandbox = await createSandbox(config);
  protocol = `${sandbox.issuer}/protocol/openid-connect`;
});
afterAll(() => sandbox.stop());

type Form = Readonly<Record<string, string>>;
const backEnd = { client_id: 'back-end', client_secret: 'back-end-secret' };

async function post(path: string, form: Form, headers: Form = {}): Promise<{ status: number; body: Members }> {
  const response = await fetch(path.startsWith('http') ? path : protocol + path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Members) };
}
type Members = Readonly<Record<string, unknown>>;

/** A code by `autoLogin`. */
async function code(client_id: string, more: Form = {}): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'openid',
    nonce: 'the-nonce',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  });
  const { headers } = await fetch(`${protocol}/auth?${query}`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

async function tokens(client_id = 'spa', more: Form = {}): Promise<Tokens> {
  const form = { grant_type: 'authorization_code', code: await code(client_id, more), redirect_uri, client_id };
  const { body } = await post('/token', { ...form, code_verifier: codeVerifier });
  return body as unknown as Tokens; // asserted by the tests that read it
}
interface Tokens extends Members {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const spaRefresh = async (refresh_token: string) =>
  post('/token', { grant_type: 'refresh_token', client_id: 'spa', refresh_token });

describe('the preset keycloak', () => {
  it('has the issuer, tokens and answers of the golden file', async () => {
    observes('setting preset');
    const metadata = await (await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).json();
    const answer = await tokens();
    const { body: machine } = await post('/token', { grant_type: 'client_credentials', ...backEnd });
    const userinfo = await fetch(`${protocol}/userinfo`, {
      headers: { authorization: `Bearer ${answer.access_token}` },
    });
    const parts = {
      metadata,
      tokenResponse: answer,
      accessTokenHeader: { ...decodeProtectedHeader(answer.access_token) },
      accessToken: decodeJwt(answer.access_token),
      idToken: decodeJwt(answer.id_token),
      refreshTokenHeader: decodeProtectedHeader(answer.refresh_token),
      refreshToken: decodeJwt(answer.refresh_token),
      userinfo: await userinfo.json(),
      serviceAccountResponse: machine,
      serviceAccountToken: decodeJwt(String(machine.access_token)),
    };
    const random = ['kid', 'jti', 'sid', 'session_state', 'at_hash'];
    expectGolden('keycloak', parts, { url: sandbox.url, random });
  });

  it('keeps every promise of its metadata', async () => {
    const promises = await metadataPromises({ ...config, keysFile: writeKeysFile() });
    expect(notKept(promises)).toEqual([]);
  });

  it('keeps an issuer that ends with the path of the realm, such as one below /auth', async () => {
    await using older = await createSandbox({ ...config, issuer: 'http://localhost:9000/auth/realms/shop' });
    expect(older.issuer).toBe('http://localhost:9000/auth/realms/shop');
    await using named = await createSandbox({ ...config, issuer: 'http://localhost:9000' });
    expect(named.issuer).toBe('http://localhost:9000/realms/shop');
  });

  it('runs beside other issuers, each with its own realm', async () => {
    await using several = await createSandbox({
      issuers: {
        '/realms/shop': { preset: { name: 'keycloak', realm: 'shop' } },
        '/kc': { preset: { name: 'keycloak', realm: 'desk' } },
      },
    });
    const issuers = [several.issuer, ...[...several.issuers.values()].map(({ issuer }) => issuer)];
    expect(issuers).toEqual([several.url, `${several.url}/realms/shop`, `${several.url}/kc/realms/desk`]);
    for (const issuer of issuers) {
      const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Members;
      expect(metadata.issuer).toBe(issuer);
      expect((await fetch(String(metadata.jwks_uri))).status).toBe(200);
    }
  });

  it('signs access and ID tokens by the published keys', async () => {
    const { access_token, id_token } = await tokens();
    const keys = createLocalJWKSet((await (await fetch(`${protocol}/certs`)).json()) as JSONWebKeySet);
    for (const token of [access_token, id_token]) await jwtVerify(token, keys, { issuer: sandbox.issuer });
  });

  it('shows its public key at the issuer', async () => {
    expect(await (await fetch(sandbox.issuer)).json()).toEqual({
      realm: 'shop',
      public_key: expect.stringMatching(/^MII[\w+/]+=*$/),
      'token-service': protocol,
      'account-service': `${sandbox.issuer}/account`,
      'tokens-not-before': 0,
    });
  });

  it('accepts its tokens at the sample backend, at introspection and at the account, and no ID token there', async () => {
    const { access_token, id_token } = await tokens('spa', { scope: 'openid products:read' });
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    for (const path of ['/api/products', '/account']) {
      expect((await fetch(sandbox.issuer + path, bearer(access_token))).status).toBe(200);
      expect((await fetch(sandbox.issuer + path, bearer(id_token))).status).toBe(401);
    }
    const { body } = await post('/token/introspect', { ...backEnd, token: access_token });
    expect(body).toEqual({
      ...decodeJwt(access_token),
      active: true,
      client_id: 'spa',
      username: 'alice',
      token_type: 'Bearer',
    });
    expect((await post('/token/introspect', { ...backEnd, token: id_token })).body).toEqual({ active: false });
  });

  it('mints tokens in the form of the realm, which its endpoints accept, also with a defect', async () => {
    const access = { client: 'spa', user: 'alice', scope: 'openid products:read' };
    const { token, header, claims } = await sandbox.issueToken(access);
    expect(header).toMatchObject({ typ: 'JWT' });
    expect(claims).toMatchObject({
      typ: 'Bearer',
      azp: 'spa',
      realm_access: { roles: expect.arrayContaining(['admin']) },
    });
    const statusOf = async (path: string, bearer: string) =>
      (await fetch(path, { headers: { authorization: `Bearer ${bearer}` } })).status;
    expect(await statusOf(`${protocol}/userinfo`, token)).toBe(200);
    expect(await statusOf(`${sandbox.issuer}/api/products`, token)).toBe(200);
    for (const missing of ['exp', 'sub'] as const) {
      const defective = await sandbox.issueToken({ ...access, defect: 'missing_claim', missing });
      expect(decodeJwt(defective.token)).not.toHaveProperty(missing);
      expect(await statusOf(`${protocol}/userinfo`, defective.token)).toBe(401);
      expect(await statusOf(`${sandbox.issuer}/api/products`, defective.token)).toBe(401);
    }
    const minted = await sandbox.issueToken({ ...access, type: 'id', claims: { email: 'other@example.com' } });
    expect(decodeJwt(minted.token)).toMatchObject({ typ: 'ID', azp: 'spa', email: 'other@example.com' });
    expect(await statusOf(`${sandbox.issuer}/api/products`, minted.token)).toBe(401);
  });

  it('previews tokens in the form of the realm', async () => {
    const preview = await fetch(`${sandbox.issuer}/_sandbox/users/alice/claims?client=spa&scope=openid`);
    const { access, id } = (await preview.json()) as Members;
    expect(access).toMatchObject({ typ: 'Bearer', azp: 'spa', aud: ['billing', 'account'] });
    expect(id).toMatchObject({ typ: 'ID', azp: 'spa', acr: '1' });
  });

  it('accepts a secret in the header and in the body at once, if it is the same', async () => {
    const authorization = `Basic ${Buffer.from('back-end:back-end-secret').toString('base64')}`;
    const ask = (form: Form) => post('/token', { grant_type: 'client_credentials', ...form }, { authorization });
    expect((await ask(backEnd)).status).toBe(200);
    for (const other of [{ client_secret: 'x' }, { client_id: 'basic' }])
      expect(await ask({ ...backEnd, ...other })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('lets a refresh token be used again', async () => {
    const { refresh_token } = await tokens();
    expect((await spaRefresh(refresh_token)).status).toBe(200);
    expect((await spaRefresh(refresh_token)).status).toBe(200);
  });

  it('ends a session for a back end that posts the refresh token, also twice', async () => {
    const { refresh_token, access_token } = await tokens();
    for (const _ of [1, 2]) {
      expect(await post('/logout', { client_id: 'spa', refresh_token })).toEqual({ status: 204, body: {} });
    }
    expect(await spaRefresh(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await fetch(`${protocol}/userinfo`, { headers })).status).toBe(401);
  });

  it('refuses a logout with a doubled or empty refresh token, or in JSON', async () => {
    const { refresh_token } = await tokens();
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${protocol}/logout`, { method: 'POST', headers: { 'content-type': type }, body, redirect: 'manual' });
    const twice = `client_id=spa&refresh_token=${refresh_token}&refresh_token=${refresh_token}`;
    expect((await send(twice)).status).toBe(400);
    expect((await send('client_id=spa&refresh_token=')).status).toBe(400);
    expect((await send(JSON.stringify({ client_id: 'spa', refresh_token }), 'application/json')).status).toBe(415);
    expect((await spaRefresh(refresh_token)).status).toBe(200);
  });

  it('continues the form of a browser as a GET, whose address has a limit', async () => {
    const send = (form: Form) =>
      fetch(`${protocol}/logout`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    const turned = await send({ client_id: 'spa', state: 'a b' });
    expect(turned.status).toBe(303);
    expect(turned.headers.get('location')).toMatch(/protocol\/openid-connect\/logout\?client_id=spa&state=a\+b$/);
    expect((await send({ client_id: 'spa', state: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('answers calls of Keycloak that it does not offer with 501 and the nearest offer', async () => {
    const response = await fetch(`${sandbox.issuer}/authz/protection/resource_set`);
    expect(response.status).toBe(501);
    const body: unknown = await response.json();
    expect(body).toMatchObject({
      error_description: 'this sandbox speaks like Keycloak, but does not offer Authorization Services (UMA)',
    });
    const { error_uri } = body as { error_uri: string };
    const page = await (await fetch(error_uri, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('>Give the user roles, and let the API read realm_access and resource_access.</');
    expect(page).not.toContain('Switch the feature on');
  });

  it('says in the dashboard which claims the preset has set, and finds nothing wrong with the token', async () => {
    const { access_token } = await tokens();
    const issued = sandbox.events.latest('token.issued', 20).find(({ token }) => token === access_token);
    const page = await fetch(`${sandbox.issuer}/dashboard/tokens/${issued?.tokenId}`, {
      headers: { accept: 'text/html' },
    });
    const text = (await page.text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toMatch(/realm_access \{.*?\} Not a registered claim\. Set by the preset keycloak ?\./s);
    expect(text).toContain('typ JWT: an access token of keycloak');
    expect(text).not.toContain('no longer has this claim');
  });

  it('shows on Connect what an application of this realm needs', async () => {
    const html = await (
      await fetch(`${sandbox.issuer}/dashboard/connect`, { headers: { accept: 'text/html' } })
    ).text();
    const text = html.replace(/<[^>]+>/g, '').replaceAll('&#39;', "'");
    expect(text).toContain(`url: '${sandbox.url}',\n  realm: 'shop',\n  clientId: 'spa',`);
    expect(text).toContain("typ: 'JWT'");
    expect(text).not.toContain('at+jwt');
  });

  it('has the ids of the login page that tests of applications select', async () => {
    await using typed = await createSandbox({ ...onPage, loginMode: 'password' });
    const query = new URLSearchParams({ response_type: 'code', client_id: 'back-end', redirect_uri, scope: 'openid' });
    const login = await fetch(`${typed.issuer}/protocol/openid-connect/auth?${query}`);
    const html = await login.text();
    for (const id of ['kc-form-login', 'username', 'password', 'kc-login']) expect(html).toContain(` id="${id}"`);
  });
});

const wrong = { error_description: 'Invalid client or Invalid client credentials' };
const device = 'urn:ietf:params:oauth:grant-type:device_code';

/** Each row provokes one error of the preset. */
const errors: readonly (readonly [
  name: string,
  ask: () => Promise<{ status: number; body: Members }>,
  status: number,
  body: Members,
])[] = [
  [
    'unknown client',
    () => post('/token', { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' }),
    401,
    { error: 'invalid_client', ...wrong },
  ],
  [
    'no client',
    () => post('/token', { grant_type: 'client_credentials' }),
    400,
    { error: 'invalid_client', error_description: 'Missing client_id parameter' },
  ],
  [
    'wrong secret',
    () => post('/token', { grant_type: 'client_credentials', client_id: 'back-end', client_secret: 'x' }),
    401,
    { error: 'unauthorized_client', ...wrong },
  ],
  [
    'no secret',
    () => post('/token', { grant_type: 'client_credentials', client_id: 'back-end' }),
    401,
    { error: 'unauthorized_client', ...wrong },
  ],
  [
    'unknown grant',
    () => post('/token', { grant_type: 'magic', ...backEnd }),
    400,
    { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' },
  ],
  [
    'no service account',
    () => post('/token', { grant_type: 'client_credentials', client_id: 'spa' }),
    401,
    { error: 'unauthorized_client', error_description: 'Client not enabled to retrieve service account' },
  ],
  [
    'no direct access grant',
    () => post('/token', { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'x' }),
    400,
    { error: 'unauthorized_client', error_description: 'Client not allowed for direct access grants' },
  ],
  [
    'no standard flow',
    () => post('/token', { grant_type: 'authorization_code', client_id: 'device', code: 'x' }),
    400,
    { error: 'invalid_grant', error_description: 'Client not allowed to exchange code' },
  ],
  [
    'no device grant',
    () => post('/token', { grant_type: device, client_id: 'spa', device_code: 'x' }),
    400,
    { error: 'invalid_grant', error_description: 'Client not allowed OAuth 2.0 Device Authorization Grant' },
  ],
  [
    'wrong password',
    () => post('/token', { grant_type: 'password', ...backEnd, username: 'alice', password: 'x' }),
    401,
    { error: 'invalid_grant', error_description: 'Invalid user credentials' },
  ],
  [
    'foreign scope',
    () => post('/token', { grant_type: 'client_credentials', ...backEnd, scope: 'products:write' }),
    400,
    { error: 'invalid_scope', error_description: 'Invalid scopes: products:write' },
  ],
  [
    'malformed scope',
    () => post('/token', { grant_type: 'client_credentials', ...backEnd, scope: 'a"b' }),
    400,
    { error: 'invalid_scope', error_description: "Invalid scopes: a'b" },
  ],
  [
    'repeated parameter',
    () => post(`${protocol}/token`, {}, {}).then(() => postTwice()),
    400,
    { error: 'invalid_request', error_description: 'duplicated parameter' },
  ],
  [
    'unknown code',
    () =>
      post('/token', {
        grant_type: 'authorization_code',
        client_id: 'spa',
        code: 'x',
        redirect_uri,
        code_verifier: codeVerifier,
      }),
    400,
    { error: 'invalid_grant', error_description: 'Code not valid' },
  ],
  ['code used twice', () => redeemTwice(), 400, { error: 'invalid_grant', error_description: 'Code not valid' }],
  [
    'code of another client',
    async () => redeem(await code('spa'), { client_id: 'other' }),
    400,
    { error: 'invalid_grant', error_description: 'Auth error: Found different client_id in clientSession' },
  ],
  [
    'other redirect URI',
    async () => redeem(await code('spa'), { redirect_uri: 'http://localhost:3000/' }),
    400,
    { error: 'invalid_grant', error_description: 'Incorrect redirect_uri' },
  ],
  [
    'no redirect URI',
    async () => redeem(await code('spa'), { redirect_uri: '' }),
    400,
    { error: 'invalid_grant', error_description: 'Incorrect redirect_uri' },
  ],
  [
    'wrong verifier',
    async () => redeem(await code('spa'), { code_verifier: 'x'.repeat(43) }),
    400,
    { error: 'invalid_grant', error_description: 'PKCE verification failed: Code mismatch' },
  ],
  [
    'verifier without challenge',
    async () => redeem(await code('back-end', { code_challenge: '', code_challenge_method: '' }), backEnd),
    400,
    {
      error: 'invalid_grant',
      error_description: 'PKCE code verifier specified but challenge not present in authorization',
    },
  ],
  [
    'unknown refresh token',
    () => spaRefresh('x'),
    400,
    { error: 'invalid_grant', error_description: 'Invalid refresh token' },
  ],
  [
    'refresh token of another client',
    async () =>
      post('/token', {
        grant_type: 'refresh_token',
        client_id: 'other',
        refresh_token: (await tokens()).refresh_token,
      }),
    400,
    {
      error: 'invalid_grant',
      error_description: "Invalid refresh token. Token client and authorized client don't match",
    },
  ],
  [
    'ended session',
    async () => afterLogout(),
    400,
    { error: 'invalid_grant', error_description: 'Session not active' },
  ],
  [
    'pending device',
    async () => poll(),
    400,
    { error: 'authorization_pending', error_description: 'The authorization request is still pending' },
  ],
  [
    'fast device',
    async () => {
      const again = await deviceCode();
      await poll(again);
      return poll(again);
    },
    400,
    { error: 'slow_down', error_description: 'Slow down' },
  ],
  [
    'unknown device code',
    async () => poll('x'),
    400,
    { error: 'invalid_grant', error_description: 'Device code not valid' },
  ],
  ['used device code', pollAfterUse, 400, { error: 'invalid_grant', error_description: 'Device code not valid' }],
  ['expired device code', pollLate, 400, { error: 'expired_token', error_description: 'Device code is expired' }],
  [
    'refresh token used twice',
    rotateTwice,
    400,
    { error: 'invalid_grant', error_description: 'Maximum allowed refresh token reuse exceeded' },
  ],
  ['ended refresh token', afterEnd, 400, { error: 'invalid_grant', error_description: 'Token is not active' }],
  [
    'secret in the body of a client that sends it in the header',
    () => post('/token', { grant_type: 'client_credentials', client_id: 'basic', client_secret: 'basic-secret' }),
    401,
    { error: 'invalid_client', ...wrong },
  ],
  ['assertion used twice', assertTwice, 401, { error: 'invalid_client', ...wrong }],
  [
    'assertion by another key',
    async () => post('/token', await assertion(foreignKey)),
    401,
    { error: 'invalid_client', ...wrong },
  ],
  [
    'expired assertion',
    async () => post('/token', await assertion(privateKey, 1)),
    401,
    { error: 'invalid_client', ...wrong },
  ],
];

const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

async function assertion(key = privateKey, exp = Math.floor(Date.now() / 1000) + 60): Promise<Form> {
  const claims = { iss: 'signed', sub: 'signed', aud: sandbox.issuer, exp, jti: randomUUID() };
  return {
    grant_type: 'client_credentials',
    client_id: 'signed',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'own' }).sign(key),
  };
}

async function assertTwice() {
  const form = await assertion();
  await post('/token', form);
  return post('/token', form);
}

async function rotateTwice() {
  const { refresh_token } = await tokens('rotating');
  const form = { grant_type: 'refresh_token', client_id: 'rotating', refresh_token };
  await post('/token', form);
  return post('/token', form);
}

async function afterEnd() {
  const { refresh_token } = await tokens();
  const issued = sandbox.events.latest('token.issued', 20).find(({ token }) => token === refresh_token);
  await fetch(`${sandbox.issuer}/_sandbox/tokens/${issued?.tokenId}/expire`, { method: 'POST' });
  return spaRefresh(refresh_token);
}

async function pollLate() {
  const late = await deviceCode();
  await sandbox.clock.advance('1h');
  const answer = await poll(late);
  await sandbox.clock.reset();
  return answer;
}

async function pollAfterUse() {
  const { body } = await post('/auth/device', { client_id: 'device' });
  await decideDevice(sandbox.issuer, '/device', String(body.user_code), 'allow');
  await poll(String(body.device_code));
  return poll(String(body.device_code));
}

async function redeem(sent: string, more: Form) {
  return post('/token', {
    grant_type: 'authorization_code',
    client_id: 'spa',
    code: sent,
    redirect_uri,
    code_verifier: codeVerifier,
    ...more,
  });
}
async function redeemTwice() {
  const once = await code('spa');
  await redeem(once, {});
  return redeem(once, {});
}
async function afterLogout() {
  const { refresh_token } = await tokens();
  await post('/logout', { client_id: 'spa', refresh_token });
  return spaRefresh(refresh_token);
}
async function deviceCode(): Promise<string> {
  return String((await post('/auth/device', { client_id: 'device' })).body.device_code);
}
async function poll(device_code?: string) {
  return post('/token', { grant_type: device, client_id: 'device', device_code: device_code ?? (await deviceCode()) });
}
async function postTwice() {
  const body =
    'grant_type=client_credentials&client_id=back-end&client_secret=back-end-secret&scope=openid&scope=email';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${protocol}/token`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Members };
}

describe('an error of the preset keycloak', () => {
  it.each(errors)('%s', async (_, ask, status, body) => {
    expect(await ask()).toMatchObject({ status, body });
  });
});

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
