import { createHash, X509Certificate } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/auth0/preset.ts';
import { observes } from '../observed.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { noticingErrors } from '../support/noticed-errors.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const { createSandbox, notProvoked } = noticingErrors();

const redirect_uri = 'http://localhost:3000/callback';
const api = 'https://api.example';
const withUser = ['authorization_code', 'refresh_token'] as const;
const config: SandboxConfig = {
  preset: 'auth0',
  autoLogin: 'alice',
  clients: [
    {
      client_id: 'spa',
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: ['http://localhost:3000/', 'http://localhost:3000/bye'],
      grant_types: [...withUser, 'password'],
      scope: 'openid profile email offline_access read:bikes',
      audience: [api],
    },
    { client_id: 'fixed', redirect_uris: [redirect_uri], grant_types: [...withUser], refresh_token_rotation: false },
    {
      client_id: 'back-end',
      client_secret: 'back-end-secret',
      redirect_uris: [redirect_uri],
      grant_types: ['client_credentials', 'password', 'authorization_code'],
      scope: 'openid profile email read:bikes',
      audience: [api],
    },
    { client_id: 'device', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
    {
      client_id: 'basic',
      client_secret: 'basic-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
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
        nickname: 'alice',
        picture: 'https://img.example/alice.png',
        email: 'alice@example.com',
        email_verified: true,
        updated_at: 1735689600,
        permissions: ['read:bikes'],
        organizations: [{ id: 'org_acme', name: 'acme', permissions: ['ride:bikes'] }, { name: 'other' }],
      },
    },
    {
      sub: 'google-oauth2|1',
      username: 'mia',
      password: 'mia-password',
      claims: {
        email: 'mia@example.com',
        organizations: [{ name: 'elsewhere' }],
        factors: [
          { type: 'otp', code: '123456' },
          { type: 'oob', code: '654321' },
          { type: 'recovery-code', code: 'ABCDEF' },
        ],
      },
    },
  ],
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
afterAll(() => sandbox.stop());

type Form = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;
const backEnd = { client_id: 'back-end', client_secret: 'back-end-secret' };

async function send(path: string, body: string | URLSearchParams, headers: Form = {}) {
  const response = await fetch(sandbox.issuer + path, { method: 'POST', headers, body, redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Members };
}
const post = (path: string, form: Form) => send(path, new URLSearchParams(form));
const postJson = (path: string, body: unknown) =>
  send(path, JSON.stringify(body), { 'content-type': 'application/json' });
const ask = (form: Form) => post('/oauth/token', form);

/** The answer of the authorization endpoint, by `autoLogin`. */
async function authorize(client_id: string, more: Form = {}): Promise<Response> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'openid profile email',
    nonce: 'the-nonce',
    state: 'the-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  });
  return fetch(`${sandbox.issuer}/authorize?${query}`, { redirect: 'manual', headers: { accept: 'text/html' } });
}

async function answer(client_id: string, more: Form = {}): Promise<URLSearchParams> {
  const { headers } = await authorize(client_id, more);
  return new URL(headers.get('location') ?? 'about:blank').searchParams;
}

async function redemption(client_id: string, more: Form = {}): Promise<Form> {
  const code = (await answer(client_id, more)).get('code') ?? '';
  return { grant_type: 'authorization_code', code, redirect_uri, client_id, code_verifier: codeVerifier };
}

async function tokens(client_id = 'spa', more: Form = {}): Promise<Tokens> {
  const { status, body } = await ask(await redemption(client_id, more));
  expect([status, body]).toEqual([200, body]);
  return body as unknown as Tokens; // asserted by the tests that read it
}
interface Tokens extends Members {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const bearer = (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } });

describe('the preset auth0', () => {
  it('has the issuer, tokens and answers of the golden file', async () => {
    const metadata = (await (await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).json()) as Members;
    const answered = await tokens('spa', { audience: api, scope: 'openid profile email offline_access read:bikes' });
    const { body: machine } = await ask({ grant_type: 'client_credentials', audience: api, ...backEnd });
    const userinfo = await fetch(`${sandbox.issuer}/userinfo`, bearer(answered.access_token));
    const { body: refused } = await ask({ ...backEnd, client_secret: 'wrong', grant_type: 'client_credentials' });
    const parts = {
      metadata,
      tokenResponse: answered,
      accessTokenHeader: { ...decodeProtectedHeader(answered.access_token) },
      accessToken: decodeJwt(answered.access_token),
      idToken: decodeJwt(answered.id_token),
      userinfo: (await userinfo.json()) as Members,
      machineResponse: machine,
      machineToken: decodeJwt(String(machine.access_token)),
      errorResponse: refused,
    };
    const random = ['kid', 'sid', 'jti', 'refresh_token', 'error_uri'];
    expectGolden('auth0', parts, { url: sandbox.url, random });
  });

  it('keeps every promise of its metadata', async () => {
    observes('setting preset');
    const promises = await metadataPromises(
      { ...config, keysFile: writeKeysFile() },
      {
        identifier: address => `${address}/`,
        resource: api,
      },
    );
    expect(notKept(promises)).toEqual([]);
  });

  it('has an issuer with a slash at the end in both documents and in tokens, also below a path', async () => {
    await using several = await createSandbox({ issuers: { '/tenant': { preset: 'auth0' } } });
    const [tenant] = [...several.issuers.values()];
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const response = await fetch(`${tenant?.issuer}/.well-known/${name}`);
      expect(await response.json()).toMatchObject({ issuer: `${several.url}/tenant/` });
    }
    const keys = createLocalJWKSet(
      (await (await fetch(`${sandbox.issuer}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
    );
    const { access_token, id_token } = await tokens('spa', { audience: api });
    for (const token of [access_token, id_token]) await jwtVerify(token, keys, { issuer: `${sandbox.issuer}/` });
  });
});

it('publishes its RSA keys with certificates that they signed themselves', async () => {
  const read = async () => (await fetch(`${sandbox.issuer}/.well-known/jwks.json`)).json();
  const { keys } = (await read()) as { keys: { kty: string; x5c?: string[]; x5t?: string }[] };
  for (const { kty, x5c = [], x5t } of keys.filter(key => key.kty === 'RSA')) {
    const certificate = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'));
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.export({ format: 'jwk' }).kty).toBe(kty);
    expect(createHash('sha1').update(certificate.raw).digest('base64url')).toBe(x5t);
  }
  expect(keys.filter(({ x5c }) => x5c !== undefined)).not.toEqual([]);
  expect(await read()).toEqual({ keys });
});

describe('access tokens', () => {
  it('are opaque without an audience, and good for UserInfo alone', async () => {
    const { access_token } = await tokens();
    expect(access_token).not.toContain('.');
    expect(await (await fetch(`${sandbox.issuer}/userinfo`, bearer(access_token))).json()).toMatchObject({
      sub: 'auth0|alice',
      updated_at: '2025-01-01T00:00:00.000Z',
    });
    expect((await fetch(`${sandbox.issuer}/api/products`, bearer(access_token))).status).toBe(401);
  });

  it('name the API, and UserInfo with the scope openid', async () => {
    const { access_token } = await tokens('spa', { audience: api });
    expect(decodeJwt(access_token)).toMatchObject({ aud: [api, `${sandbox.issuer}/userinfo`], azp: 'spa' });
    expect((await fetch(`${sandbox.issuer}/userinfo`, bearer(access_token))).status).toBe(200);
    const { body } = await ask({ grant_type: 'client_credentials', audience: api, ...backEnd });
    expect(decodeJwt(String(body.access_token)).aud).toBe(api);
  });

  it('of a refresh are for the same API', async () => {
    const { refresh_token } = await tokens('spa', { audience: api, scope: 'openid offline_access' });
    const { body } = await ask({ grant_type: 'refresh_token', client_id: 'spa', refresh_token });
    expect(decodeJwt(String(body.access_token))).toMatchObject({ aud: [api, `${sandbox.issuer}/userinfo`] });
  });

  it.each(['access_token_authz', 'rfc9068_profile', 'rfc9068_profile_authz'])('have the form %s', async dialect => {
    await using other = await createSandbox({ ...config, preset: { name: 'auth0', token_dialect: dialect } });
    const hasPermissions = dialect.endsWith('authz');
    const { header, claims } = await other.issueToken({ client: 'spa', user: 'alice', scope: 'openid', audience: api });
    const isRfc = dialect.startsWith('rfc');
    expect(header?.typ).toBe(isRfc ? 'at+jwt' : 'JWT');
    expect(claims).toMatchObject(isRfc ? { client_id: 'spa', jti: expect.any(String) } : { azp: 'spa' });
    expect(claims?.permissions).toEqual(hasPermissions ? ['read:bikes'] : undefined);
    const response = await fetch(`${other.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', audience: api, ...backEnd }),
    });
    const { access_token } = (await response.json()) as Members;
    expect(decodeJwt(String(access_token)).permissions).toEqual(hasPermissions ? ['read:bikes'] : undefined);
    expect(decodeJwt(String(access_token)).gty).toBe(isRfc ? undefined : 'client-credentials');
  });
});

describe('refresh tokens', () => {
  it('need the scope offline_access, and are sent again only with rotation', async () => {
    expect(await tokens()).not.toHaveProperty('refresh_token');
    const { refresh_token } = await tokens('fixed', { scope: 'openid offline_access' });
    const { status, body } = await ask({ grant_type: 'refresh_token', client_id: 'fixed', refresh_token });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('refresh_token');
  });
});

describe('JSON in place of a form', () => {
  it('works at the token endpoint and at the revocation endpoint', async () => {
    const { refresh_token } = await tokens('spa', { scope: 'openid offline_access' });
    const refresh = { grant_type: 'refresh_token', client_id: 'spa', refresh_token };
    const { status, body } = await postJson('/oauth/token', { ...refresh, unused: null, number: 1 });
    expect(status).toBe(200);
    const { refresh_token: token } = body;
    expect((await postJson('/oauth/revoke', { client_id: 'spa', token })).status).toBe(200);
    expect((await postJson('/oauth/token', { ...refresh, refresh_token: token })).status).toBe(403);
  });

  it.each([
    ['a list', '[]'],
    ['text', '"grant_type"'],
    ['a value that is an object', '{"grant_type":{}}'],
    ['broken JSON', '{"grant_type":'],
    ['a prototype', '{"__proto__":{"grant_type":"password"}}'],
  ])('is refused if it is %s', async (_, body) => {
    const refused = await send('/oauth/token', body, { 'content-type': 'application/json' });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(refused.body).toMatchObject({ error: expect.any(String) });
  });
});

describe('organizations', () => {
  it.each(['acme', 'org_acme'])('are in both tokens, asked for as %s', async organization => {
    const { access_token, id_token } = await tokens('spa', { audience: api, organization });
    const named = { org_id: 'org_acme', org_name: 'acme' };
    expect(decodeJwt(access_token)).toMatchObject(named);
    expect(decodeJwt(id_token)).toMatchObject(named);
  });

  it('have made-up ids, the same in each run', async () => {
    const { id_token } = await tokens('spa', { organization: 'other' });
    expect(decodeJwt(id_token)).toMatchObject({ org_id: 'org_2SmKENGwc1g33EvY', org_name: 'other' });
  });

  it('refuse a user who is no member, and a name that nobody has', async () => {
    const foreign = await answer('spa', { organization: 'elsewhere' });
    expect(Object.fromEntries(foreign)).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/^user auth0\|alice is not part of the org_\w+ organization$/),
    });
    expect((await answer('spa', { organization: 'nowhere' })).get('error')).toBe('invalid_request');
  });
});

describe('logout', () => {
  const logOut = (query: Form) =>
    fetch(`${sandbox.issuer}/v2/logout?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });

  it.each([
    [{ client_id: 'spa', returnTo: 'http://localhost:3000/bye' }, 'http://localhost:3000/bye'],
    [{ returnTo: 'http://localhost:3000/bye' }, 'http://localhost:3000/bye'],
    [{ client_id: 'spa' }, 'http://localhost:3000/'],
  ])('by /v2/logout goes back without a question: %j', async (query, location) => {
    const { status, headers } = await logOut(query);
    expect([status, headers.get('location')]).toEqual([302, location]);
  });

  it.each<Record<string, string>>([
    { client_id: 'spa', returnTo: 'http://evil.example/' },
    { returnTo: 'http://evil.example/' },
  ])('does not go to an address that is not registered: %j', async query => {
    const response = await logOut(query);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Allowed Logout URLs');
  });
});

describe('a second factor', () => {
  const mia = { grant_type: 'password', username: 'mia', password: 'mia-password', client_id: 'spa', scope: 'openid' };
  const mfa = (name: string) => `http://auth0.com/oauth/grant-type/${name}`;

  async function mfaToken(): Promise<string> {
    const { status, body } = await ask(mia);
    expect([status, body]).toMatchObject([403, { error: 'mfa_required', mfa_token: expect.any(String) }]);
    return String(body.mfa_token);
  }

  it('is demanded after the password, and completes the login', async () => {
    const mfa_token = await mfaToken();
    const challenged = await post('/mfa/challenge', { client_id: 'spa', mfa_token, challenge_type: 'otp' });
    expect(challenged).toEqual({ status: 200, body: { challenge_type: 'otp' } });
    const sent = { grant_type: mfa('mfa-otp'), client_id: 'spa', mfa_token };
    expect(await ask({ ...sent, otp: '000000' })).toMatchObject({
      status: 403,
      body: { error: 'invalid_grant', error_description: 'Invalid otp_code.' },
    });
    const { body } = await ask({ ...sent, otp: '123456' });
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: 'google-oauth2|1' });
    expect((await ask({ ...sent, otp: '123456' })).body).toMatchObject({ error_description: 'Malformed mfa_token' });
  });

  it('may be a code on another channel', async () => {
    const mfa_token = await mfaToken();
    const { body } = await postJson('/mfa/challenge', { client_id: 'spa', mfa_token, challenge_type: 'oob' });
    expect(body).toMatchObject({ challenge_type: 'oob', binding_method: 'prompt' });
    const sent = { grant_type: mfa('mfa-oob'), client_id: 'spa', mfa_token, oob_code: String(body.oob_code) };
    expect((await ask({ ...sent, binding_code: '000000' })).body.error_description).toBe('Invalid binding_code.');
    expect((await ask({ ...sent, binding_code: '654321' })).status).toBe(200);
  });

  it('may be a recovery code, which works once', async () => {
    const sent = { grant_type: mfa('mfa-recovery-code'), client_id: 'spa' };
    const { body } = await ask({ ...sent, mfa_token: await mfaToken(), recovery_code: 'ABCDEF' });
    expect(body).toMatchObject({ recovery_code: expect.stringMatching(/^[A-Z0-9]{20,24}$/) });
    const again = { ...sent, mfa_token: await mfaToken() };
    expect((await ask({ ...again, recovery_code: 'ABCDEF' })).body.error_description).toBe(
      'MFA Authorization rejected.',
    );
    expect((await ask({ ...again, recovery_code: String(body.recovery_code) })).status).toBe(200);
  });

  it('is listed for the token of the first step, and only for that', async () => {
    const list = await fetch(`${sandbox.issuer}/mfa/authenticators`, bearer(await mfaToken()));
    const kinds = ((await list.json()) as Members[]).map(each => each.authenticator_type);
    expect(kinds).toEqual(['otp', 'oob', 'recovery-code']);
    expect((await fetch(`${sandbox.issuer}/mfa/authenticators`, bearer('unknown'))).status).toBe(403);
    expect((await fetch(`${sandbox.issuer}/mfa/authenticators`)).status).toBe(401);
  });

  it('is refused for a kind that the user does not have, and for another client', async () => {
    const mfa_token = await mfaToken();
    expect((await post('/mfa/challenge', { client_id: 'spa', mfa_token, challenge_type: 'push' })).status).toBe(400);
    expect((await post('/mfa/challenge', { client_id: 'fixed', mfa_token })).status).toBe(403);
  });
});

describe('the calls of a database connection', () => {
  const signUp = (more: Members = {}) =>
    postJson('/dbconnections/signup', {
      client_id: 'spa',
      connection: 'Username-Password-Authentication',
      email: 'new@example.com',
      password: 'new-password',
      ...more,
    });

  it('create a user, who can log in', async () => {
    const { status, body } = await signUp();
    expect([status, body]).toEqual([
      200,
      { _id: expect.stringMatching(/^[0-9a-f]{24}$/), email: 'new@example.com', email_verified: false },
    ]);
    const realm = 'Username-Password-Authentication';
    const login = { username: 'new@example.com', password: 'new-password', realm, client_id: 'spa', scope: 'openid' };
    const grant_type = 'http://auth0.com/oauth/grant-type/password-realm';
    const { body: answered } = await ask({ grant_type, ...login });
    expect(decodeJwt(String(answered.id_token)).sub).toBe(`auth0|${body._id}`);
    expect((await signUp()).body).toEqual({
      name: 'BadRequestError',
      code: 'invalid_signup',
      description: 'Invalid sign up',
      statusCode: 400,
    });
  });

  it('keep the metadata of a new user', async () => {
    const user_metadata = { plan: 'gold' };
    const { body } = await signUp({ email: 'gold@example.com', user_metadata });
    expect((await sandbox.users.list()).find(({ sub }) => sub === `auth0|${body._id}`)?.claims).toMatchObject({
      user_metadata,
    });
  });

  it.each([
    { client_id: 'nobody' },
    { email: 'no-address' },
    { email: { a: 1 } },
    { password: '' },
    { user_metadata: 'gold' },
    { user_metadata: [1] },
  ])('refuse %j', async more => {
    expect(await signUp({ email: 'x@example.com', ...more })).toMatchObject({
      status: 400,
      body: { name: 'BadRequestError', statusCode: 400 },
    });
  });

  it.each([
    ['https://evil.example', 403],
    ['http://localhost:5173', 200],
    [undefined, 200],
  ])('create a user for a page at %s: %i', async (page, status) => {
    const email = `${Math.random()}@example.com`;
    const form = { client_id: 'spa', connection: 'c', email, password: 'p' };
    const headers: Record<string, string> = page === undefined ? {} : { origin: page };
    const answer = await fetch(`${sandbox.issuer}/dbconnections/signup`, {
      ...{ method: 'POST', headers, body: new URLSearchParams(form) },
    });
    expect(answer.status).toBe(status);
    expect((await sandbox.users.list()).some(({ claims }) => claims?.email === email)).toBe(status === 200);
  });

  it('accept the wish for a new password for any address', async () => {
    const { status, body } = await post('/dbconnections/change_password', { client_id: 'spa', email: 'a@b.example' });
    expect([status, body.text]).toEqual([200, "We've just sent you an email to reset your password."]);
  });
});

describe('errors have the status, code and text of a tenant', () => {
  const machine = { grant_type: 'client_credentials', ...backEnd, audience: api };
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
  const refresh = (refresh_token: unknown, client_id = 'spa') =>
    ask({ grant_type: 'refresh_token', client_id, refresh_token: String(refresh_token) });
  const offline = { scope: 'openid offline_access' };

  /** The request, and the reason, status, code and text of its refusal. */
  const rows: Readonly<
    Record<string, readonly [() => Promise<{ status: number; body: Members }>, number, string, string]>
  > = {
    client_unknown: [() => ask({ ...machine, client_id: 'nobody' }), 401, 'access_denied', 'Unauthorized'],
    client_secret_missing: [() => ask({ ...machine, client_secret: '' }), 401, 'access_denied', 'Unauthorized'],
    client_secret_wrong: [() => ask({ ...machine, client_secret: 'x' }), 401, 'access_denied', 'Unauthorized'],
    authentication_method_not_registered: [
      () => ask({ ...machine, client_id: 'basic', client_secret: 'basic-secret' }),
      ...([401, 'access_denied', 'Unauthorized'] as const),
    ],
    parameter_missing: [() => ask(backEnd), 400, 'invalid_request', 'Missing required parameter: grant_type'],
    grant_type_unsupported: [
      () => ask({ ...machine, grant_type: 'made-up' }),
      ...([403, 'unsupported_grant_type', 'Unsupported grant type: made-up'] as const),
    ],
    grant_type_not_registered: [
      () => ask({ grant_type: 'client_credentials', client_id: 'spa' }),
      ...([403, 'unauthorized_client', "Grant type 'client_credentials' not allowed for the client."] as const),
    ],
    code_expired_or_unknown: [
      async () => ask({ ...(await redemption('spa')), code: 'unknown' }),
      ...([403, 'invalid_grant', 'Invalid authorization code'] as const),
    ],
    code_replayed: [
      async () => {
        const form = await redemption('spa');
        await ask(form);
        return ask(form);
      },
      ...([403, 'invalid_grant', 'Invalid authorization code'] as const),
    ],
    code_of_another_client: [
      async () => ask({ ...(await redemption('spa')), client_id: 'fixed' }),
      ...([403, 'invalid_grant', 'Invalid authorization code'] as const),
    ],
    redirect_uri_mismatch: [
      async () => ask({ ...(await redemption('spa')), redirect_uri: 'http://localhost:3000/x' }),
      403,
      'unauthorized_client',
      'The redirect URI is wrong. You sent http://localhost:3000/x, and we expected http://localhost:3000/callback',
    ],
    redirect_uri_missing: [
      async () => ask({ ...(await redemption('spa')), redirect_uri: '' }),
      403,
      'unauthorized_client',
      'The redirect URI is wrong. You sent null, and we expected http://localhost:3000/callback',
    ],
    pkce_mismatch: [
      async () => ask({ ...(await redemption('spa')), code_verifier: 'x'.repeat(43) }),
      ...([403, 'invalid_grant', 'Failed to verify code verifier'] as const),
    ],
    refresh_token_expired_or_unknown: [
      () => refresh('unknown'),
      ...([403, 'invalid_grant', 'Unknown or invalid refresh token.'] as const),
    ],
    refresh_token_of_another_client: [
      async () => refresh((await tokens('spa', offline)).refresh_token, 'fixed'),
      ...([403, 'invalid_grant', 'Unknown or invalid refresh token.'] as const),
    ],
    refresh_token_reused: [
      async () => {
        const { refresh_token } = await tokens('spa', offline);
        await refresh(refresh_token);
        return refresh(refresh_token);
      },
      ...([403, 'invalid_grant', 'Unknown or invalid refresh token.'] as const),
    ],
    authorization_revoked: [
      async () => {
        const token = (await tokens('spa', offline)).refresh_token;
        await post('/oauth/revoke', { client_id: 'spa', token });
        return refresh(token);
      },
      ...([403, 'invalid_grant', 'Unknown or invalid refresh token.'] as const),
    ],
    token_ended: [
      async () => {
        const { refresh_token } = await tokens('spa', offline);
        const issued = sandbox.events.latest('token.issued', 20).find(({ token }) => token === refresh_token);
        const end = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
        await fetch(`${sandbox.issuer}/_sandbox/tokens/${issued?.tokenId}/expire`, end);
        return refresh(refresh_token);
      },
      ...([403, 'invalid_grant', 'Unknown or invalid refresh token.'] as const),
    ],
    login_failed: [
      () => ask({ grant_type: 'password', client_id: 'spa', username: 'alice', password: 'x' }),
      ...([403, 'invalid_grant', 'Wrong email or password.'] as const),
    ],
    resource_missing: [
      () => ask({ grant_type: 'client_credentials', ...backEnd }),
      403,
      'access_denied',
      'No audience parameter was provided, and no default audience has been configured',
    ],
    resource_unknown: [
      () => ask({ grant_type: 'password', client_id: 'spa', username: 'a', password: 'b', audience: 'urn:x' }),
      ...([403, 'access_denied', 'Service not found: urn:x'] as const),
    ],
    client_grant_missing: [
      () => ask({ ...machine, audience: `${sandbox.issuer}/api/v2/` }),
      403,
      'access_denied',
      `Client is not authorized to access '`,
    ],
    device_code_unknown: [
      () => ask({ grant_type: deviceGrant, client_id: 'device', device_code: 'unknown' }),
      ...([403, 'invalid_grant', 'Invalid or expired device code.'] as const),
    ],
    device_code_expired: [
      async () => {
        const { body } = await post('/oauth/device/code', { client_id: 'device', scope: 'openid' });
        sandbox.clock.advance('1h');
        return ask({ grant_type: deviceGrant, client_id: 'device', device_code: String(body.device_code) });
      },
      ...([403, 'expired_token', 'The device code has expired.'] as const),
    ],
    polled_too_fast: [
      async () => {
        const { body } = await post('/oauth/device/code', { client_id: 'device', scope: 'openid' });
        const poll = { grant_type: deviceGrant, client_id: 'device', device_code: String(body.device_code) };
        const pending = await ask(poll);
        expect([pending.status, pending.body.error_description]).toEqual([
          403,
          'User has yet to authorize device code.',
        ]);
        return ask(poll);
      },
      429,
      'slow_down',
      'You are polling faster than the specified interval of 5 seconds.',
    ],
  };

  it.each(Object.entries(rows))('for %s', async (reason, [refused, status, error, text]) => {
    const found = await refused();
    expect(found.body).toMatchObject({ error, error_description: expect.stringContaining(text) });
    expect(found.status).toBe(status);
    expect(sandbox.events.latest('error.returned', 1)[0]?.reason).toBe(reason);
  });

  it('for a login that prompt=none forbids', async () => {
    const silent = await answer('spa', { prompt: 'none', scope: 'openid' });
    expect(silent.get('error')).toBe('login_required');
    expect(silent.get('error_description')).toBe('Login required');
  });
});

it('answers calls of Auth0 that it does not offer with 501 and the nearest offer', async () => {
  const { status, body } = await post('/passwordless/start', { client_id: 'spa' });
  expect([status, body.error_description]).toEqual([
    501,
    'this sandbox speaks like Auth0, but does not offer sign-ins by a code in an e-mail or a text message',
  ]);
});

it('has the login button that tests of applications select', async () => {
  const { autoLogin: _, ...onPage } = config;
  await using typed = await createSandbox({ ...onPage, loginMode: 'password' });
  const query = new URLSearchParams({ response_type: 'code', client_id: 'spa', redirect_uri, scope: 'openid' });
  query.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  query.set('code_challenge_method', 'S256');
  const page = await (await fetch(`${typed.issuer}/authorize?${query}`, { headers: { accept: 'text/html' } })).text();
  for (const part of ['id="username"', 'id="password"', /<button[^>]* name="action" value="default"/])
    expect(page).toMatch(part);
});

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
