import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/google/preset.ts';
import { observes } from '../observed.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { noticingErrors } from '../support/noticed-errors.ts';
import { decideDevice, frontChannel, getJson, type JsonAnswer, postForm, verifier } from '../support/preset-login.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const { createSandbox, notProvoked } = noticingErrors();

const redirect_uri = 'http://localhost:3000/callback';
const web = { client_id: 'web.apps.googleusercontent.com', client_secret: 'GOCSPX-secret' };
const tv = { client_id: 'tv', client_secret: 'tv-secret' };
const robot = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = 'robot@project.iam.gserviceaccount.com';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const device = 'urn:ietf:params:oauth:grant-type:device_code';
const calendar = 'https://www.googleapis.com/auth/calendar.readonly';

const config: SandboxConfig = {
  preset: 'google',
  autoLogin: 'alice',
  scopes: { [calendar]: 'see your calendars' },
  clients: [
    { ...web, redirect_uris: [redirect_uri] },
    { client_id: 'other', client_secret: 'other-secret', redirect_uris: [redirect_uri] },
    { ...tv, grant_types: [device, 'refresh_token'] },
    {
      client_id: account,
      grant_types: [jwtBearer],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...robot.publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256' }] },
    },
  ],
  users: [
    {
      sub: '110169484474386276334',
      username: 'alice',
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        family_name: 'Archer',
        picture: 'https://example.com/alice.png',
        email: 'alice@shop.example',
        email_verified: true,
        locale: 'en',
        tenant: 'shop.example',
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

const ask = (more: Form = {}) =>
  frontChannel(`${sandbox.issuer}/o/oauth2/v2/auth`, {
    response_type: 'code',
    client_id: web.client_id,
    redirect_uri,
    scope: 'openid email profile',
    ...more,
  });

async function redeem(code: string | null, more: Form = {}): Promise<JsonAnswer> {
  const form = { grant_type: 'authorization_code', code: code ?? '', redirect_uri, ...verifier, ...web };
  return postForm(`${sandbox.issuer}/token`, { ...form, ...more });
}

async function tokens(more: Form = {}): Promise<Tokens> {
  const { body } = await redeem((await ask(more)).get('code'));
  return body as unknown as Tokens; // asserted by the tests that read it
}
interface Tokens extends Readonly<Record<string, unknown>> {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const refresh = (refresh_token: string, more: Form = {}) =>
  postForm(`${sandbox.issuer}/token`, { grant_type: 'refresh_token', refresh_token, ...web, ...more });
const revoke = (token: string) => postForm(`${sandbox.issuer}/revoke`, { token });
const userinfo = (token?: string) => getJson(`${sandbox.issuer}/v1/userinfo`, token);

/** A token that is offline, also if an earlier test had the consent of the user. */
async function offlineTokens(): Promise<Tokens> {
  await sandbox.reset();
  return tokens({ access_type: 'offline' });
}

describe('the preset google', () => {
  it('has the metadata, tokens and answers of the golden file', async () => {
    observes('setting preset');
    const response = Object.fromEntries(await ask({ access_type: 'offline', nonce: 'the-nonce', state: 'the-state' }));
    const answer = (await redeem(response.code ?? '')).body as Tokens; // a token response
    const { access_token, id_token } = answer;
    expect(answer.refresh_token).toMatch(/^1\/\/0[\w-]+$/);
    expect(access_token).toMatch(/^ya29\.a0[\w-]+$/);
    expect(response.code).toMatch(/^4\/0A[\w-]+$/);
    const parts = {
      metadata: (await getJson(`${sandbox.issuer}/.well-known/openid-configuration`)).body,
      authorizationResponse: response,
      tokenResponse: answer,
      refreshResponse: (await refresh(answer.refresh_token)).body,
      idToken: decodeJwt(id_token),
      userinfo: (await userinfo(access_token)).body,
      olderUserinfo: (await getJson(`${sandbox.issuer}/oauth2/v2/userinfo`, access_token)).body,
      tokeninfoOfAccessToken: {
        ...(await getJson(`${sandbox.issuer}/tokeninfo?access_token=${access_token}`)).body,
        expires_in: '(the seconds that are left)',
      },
      tokeninfoOfIdToken: (await getJson(`${sandbox.issuer}/tokeninfo?id_token=${id_token}`)).body,
      device: (await postForm(`${sandbox.issuer}/device/code`, { client_id: 'tv', scope: 'email' })).body,
    };
    const random = [
      ...['access_token', 'refresh_token', 'code', 'at_hash', 'kid', 'device_code', 'user_code', 'exp', 'iat'],
      'verification_uri_complete',
    ];
    expectGolden('google', parts, { url: sandbox.url, random, times: [] });
  });

  it('keeps every promise of its metadata', async () => {
    const promises = await metadataPromises(
      { ...config, keysFile: writeKeysFile() },
      {
        asks: { access_type: 'offline' },
        spoken: {
          email: 'https://www.googleapis.com/auth/userinfo.email',
          profile: 'https://www.googleapis.com/auth/userinfo.profile',
        },
      },
    );
    expect(notKept(promises)).toEqual([]);
  });

  it('has the identifier of Google if the option says so, at an address of its own', async () => {
    const preset = { name: 'google', issuer: 'google' } as const;
    await using named = await createSandbox({ ...config, preset });
    const metadata = (await getJson(`${named.url}/.well-known/openid-configuration`)).body;
    expect(metadata).toMatchObject({ issuer: 'https://accounts.google.com', token_endpoint: `${named.url}/token` });
    const { token } = await named.issueToken({ client: web.client_id, user: 'alice', type: 'id' });
    const keys = createLocalJWKSet((await getJson(`${named.url}/oauth2/v3/certs`)).body as unknown as JSONWebKeySet);
    await jwtVerify(token, keys, { issuer: 'https://accounts.google.com', audience: web.client_id });
  });

  it('answers at the hosts of Google, and at no others', async () => {
    const statusAt = async (host: string) =>
      (await getJson(`${sandbox.url}/oauth2/v3/certs`, undefined, { host })).status;
    // fetch sets the header itself, so the request goes by the plain client
    const { request } = await import('node:http');
    const sent = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const call = request(`${sandbox.url}/oauth2/v3/certs`, { headers: { host } }, ({ statusCode = 0 }) => {
          resolve(statusCode);
        });
        call.on('error', reject).end();
      });
    expect(await statusAt('ignored.example')).toBe(200);
    for (const host of ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com'])
      expect(await sent(host)).toBe(200);
    expect(await sent('github.com')).toBe(421);
    await using plain = await createSandbox();
    const call = new Promise<number>(resolve => {
      request(`${plain.url}/health`, { headers: { host: 'accounts.google.com' } }, ({ statusCode = 0 }) => {
        resolve(statusCode);
      }).end();
    });
    expect(await call).toBe(421);
  });

  it('gives a refresh token with access_type=offline alone, and only with the consent of the user', async () => {
    await sandbox.reset();
    expect(await tokens({})).not.toHaveProperty('refresh_token');
    // the user has consented already, without offline access
    expect(await tokens({ access_type: 'offline' })).not.toHaveProperty('refresh_token');
    const response = await ask({ access_type: 'offline', scope: `email ${calendar}` });
    expect(response.get('prompt')).toBe('consent');
    expect((await redeem(response.get('code'))).body).toHaveProperty('refresh_token');
    expect((await ask({ access_type: 'offline' })).get('prompt')).toBe('none');
  });

  it('forgets the consent with a revoked token', async () => {
    const { refresh_token, access_token } = await offlineTokens();
    expect(await tokens({ access_type: 'offline' })).not.toHaveProperty('refresh_token');
    expect(await revoke(refresh_token)).toMatchObject({ status: 200, body: {} });
    expect((await userinfo(access_token)).status).toBe(401);
    expect(await tokens({ access_type: 'offline' })).toHaveProperty('refresh_token');
  });

  it('adds the scopes of earlier grants with include_granted_scopes', async () => {
    await sandbox.reset();
    await tokens({ scope: calendar });
    expect(await tokens({ scope: 'email' })).not.toMatchObject({ scope: expect.stringContaining(calendar) });
    const { scope } = await tokens({ scope: 'email', include_granted_scopes: 'true' });
    expect(String(scope).split(' ').toSorted()).toEqual([
      calendar,
      'https://www.googleapis.com/auth/userinfo.email',
      'openid',
    ]);
  });

  it('knows the short and the long names of scopes, and gives an ID token with either', async () => {
    const { id_token } = await tokens({ scope: 'https://www.googleapis.com/auth/userinfo.email' });
    expect(decodeJwt(id_token)).toMatchObject({ email: 'alice@shop.example' });
    expect(decodeJwt(id_token)).not.toHaveProperty('name');
    expect(await tokens({ scope: calendar })).not.toHaveProperty('id_token');
  });

  it('answers at older addresses, with an access token in the query', async () => {
    const { access_token } = await tokens();
    for (const path of ['/oauth2/v3/userinfo', '/v1/userinfo'])
      expect((await getJson(`${sandbox.issuer}${path}?access_token=${access_token}`)).body).toHaveProperty('sub');
    const code = (await ask()).get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri, ...verifier, ...web };
    expect(await postForm(`${sandbox.issuer}/oauth2/v4/token`, form)).toMatchObject({ status: 200 });
  });

  it('lets a device ask with its client_id alone, and gives it a refresh token', async () => {
    const { body } = await postForm(`${sandbox.issuer}/device/code`, { client_id: 'tv', scope: 'email profile' });
    expect(body.verification_url).toBe(`${sandbox.issuer}/device`);
    await decideDevice(sandbox.issuer, '/device', String(body.user_code), 'allow');
    expect((await poll(String(body.device_code))).body).toMatchObject({
      refresh_token: expect.stringMatching(/^1\/\/0/),
      id_token: expect.any(String),
    });
  });

  it('gives a service account an access token, also for a user, or an ID token for an audience', async () => {
    const own = await assert({ scope: calendar });
    expect(own).toMatchObject({ status: 200, body: { expires_in: 3599, token_type: 'Bearer' } });
    expect(Object.keys(own.body)).toEqual(['access_token', 'expires_in', 'token_type']);
    const delegated = await assert({ scope: 'openid email', sub: 'alice@shop.example' });
    expect((await userinfo(String(delegated.body.access_token))).body).toMatchObject({ email: 'alice@shop.example' });
    const { body } = await assert({ target_audience: 'https://api.example' });
    expect(Object.keys(body)).toEqual(['id_token']);
    expect(decodeJwt(String(body.id_token))).toMatchObject({
      iss: sandbox.issuer,
      aud: 'https://api.example',
      azp: account,
      email: account,
      email_verified: true,
    });
  });

  it('shows the claims of a token at tokeninfo only while it is valid', async () => {
    const info = (query: string) => getJson(`${sandbox.issuer}/tokeninfo?${query}`);
    const refused = { status: 400, body: { error: 'invalid_token', error_description: 'Invalid Value' } };
    const { access_token } = await tokens();
    await revoke(access_token);
    expect(await info(`access_token=${access_token}`)).toMatchObject(refused);
    expect(await info('id_token=x')).toMatchObject(refused);
    const { token } = await sandbox.issueToken({ client: web.client_id, user: 'alice', type: 'id', defect: 'expired' });
    expect(await info(`id_token=${token}`)).toMatchObject(refused);
    expect(await info('')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('shows a page for a redirect URI that is not registered', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: web.client_id,
      redirect_uri: 'https://evil.example/',
    });
    const page = await fetch(`${sandbox.issuer}/o/oauth2/v2/auth?${query}`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(400);
    const text = await page.text();
    expect(text).toContain('redirect_uri_mismatch');
    expect(text).toContain('does not match the ones authorized for the OAuth client');
  });

  it('answers calls of Google that it does not offer with 501 and the nearest offer, in the form of its APIs', async () => {
    const response = await getJson(`${sandbox.issuer}/calendar/v3/users/me/calendarList`);
    expect(response).toMatchObject({
      status: 501,
      body: {
        error: {
          code: 501,
          status: 'UNIMPLEMENTED',
          message: expect.stringMatching(/ does not offer .*\. Call .*the sample backend/),
        },
      },
    });
    await using plain = await createSandbox();
    const { body } = await getJson(`${plain.url}/o/oauth2/v2/auth`);
    expect(body.error_description).toContain('with PRESET=google it answers at such paths');
  });
});

async function poll(device_code: string) {
  return postForm(`${sandbox.issuer}/token`, { grant_type: device, device_code, ...tv });
}
async function deviceCode(): Promise<string> {
  return String(
    (await postForm(`${sandbox.issuer}/device/code`, { client_id: 'tv', scope: 'email' })).body.device_code,
  );
}

const now = () => Math.floor(Date.now() / 1000);

/** The answer to an assertion of the service account; `changes` are its claims, undefined removes one. */
async function assert(changes: Readonly<Record<string, unknown>>, key = robot.privateKey): Promise<JsonAnswer> {
  const claims = { iss: account, aud: `${sandbox.issuer}/token`, iat: now(), exp: now() + 3600, ...changes };
  const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1', typ: 'JWT' }).sign(key);
  return postForm(`${sandbox.issuer}/token`, { grant_type: jwtBearer, assertion });
}

const grant = (error_description: string) => ({ error: 'invalid_grant', error_description });
const timeframe = grant(
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
);
const badRequest = grant('Bad Request');
const ended = grant('Token has been expired or revoked.');

type ErrorRow = readonly [name: string, ask: () => Promise<JsonAnswer>, status: number, body: object];

const errors: readonly ErrorRow[] = [
  [
    'unknown client',
    () => redeem('x', { client_id: 'nobody' }),
    401,
    { error: 'invalid_client', error_description: 'The OAuth client was not found.' },
  ],
  [
    'wrong secret',
    () => redeem('x', { client_secret: 'wrong' }),
    401,
    { error: 'invalid_client', error_description: 'The provided client secret is invalid.' },
  ],
  [
    'missing secret',
    () => redeem('x', { client_secret: '' }),
    400,
    { error: 'invalid_request', error_description: 'client_secret is missing.' },
  ],
  [
    'no client',
    () => postForm(`${sandbox.issuer}/token`, { grant_type: 'refresh_token' }),
    400,
    { error: 'invalid_request', error_description: 'Could not determine client ID from request.' },
  ],
  [
    'unknown grant',
    () => redeem('x', { grant_type: 'magic' }),
    400,
    { error: 'unsupported_grant_type', error_description: 'Invalid grant_type: magic' },
  ],
  [
    'missing code',
    () => redeem(''),
    400,
    { error: 'invalid_request', error_description: 'Missing required parameter: code' },
  ],
  ['unknown code', () => redeem('4/0Ax'), 400, badRequest],
  ['used code', redeemTwice, 400, badRequest],
  [
    'code of another client',
    async () => redeem((await ask()).get('code'), { client_id: 'other', client_secret: 'other-secret' }),
    400,
    badRequest,
  ],
  [
    'other redirect URI',
    async () => redeem((await ask()).get('code'), { redirect_uri: 'http://localhost:3000/other' }),
    400,
    { error: 'redirect_uri_mismatch', error_description: 'Bad Request' },
  ],
  [
    'no redirect URI',
    async () => redeem((await ask()).get('code'), { redirect_uri: '' }),
    400,
    { error: 'invalid_request', error_description: 'Missing required parameter: redirect_uri' },
  ],
  [
    'wrong code verifier',
    async () => redeem((await ask()).get('code'), { code_verifier: 'x'.repeat(43) }),
    400,
    grant('Invalid code verifier.'),
  ],
  [
    'missing code verifier',
    async () => redeem((await ask()).get('code'), { code_verifier: '' }),
    400,
    grant('Missing code verifier.'),
  ],
  ['unknown refresh token', () => refresh('1//0x'), 400, badRequest],
  [
    'refresh token of another client',
    async () => refresh((await offlineTokens()).refresh_token, { client_id: 'other', client_secret: 'other-secret' }),
    401,
    { error: 'unauthorized_client', error_description: 'Unauthorized' },
  ],
  ['revoked refresh token', afterRevocation, 400, ended],
  ['ended refresh token', afterEnd, 400, ended],
  [
    'revoked token at revocation',
    async () => revoke('ya29.x'),
    400,
    { error: 'invalid_token', error_description: 'Token expired or revoked' },
  ],
  [
    'pending device',
    async () => poll(await deviceCode()),
    428,
    { error: 'authorization_pending', error_description: 'Precondition Required' },
  ],
  ['fast device', pollTwice, 403, { error: 'slow_down', error_description: 'Forbidden' }],
  ['denied device', () => pollAfter('deny'), 403, { error: 'access_denied', error_description: 'Forbidden' }],
  ['unknown device code', () => poll('x'), 400, badRequest],
  ['used device code', () => pollAfter('allow', 2), 400, badRequest],
  ['expired device code', pollLate, 400, badRequest],
  [
    'malformed assertion',
    () => postForm(`${sandbox.issuer}/token`, { grant_type: jwtBearer, assertion: 'x' }),
    400,
    badRequest,
  ],
  [
    'unknown service account',
    () => assert({ iss: 'nobody@example.com', scope: calendar }),
    400,
    grant('Invalid grant: account not found'),
  ],
  [
    'wrong signature',
    () => assert({ scope: calendar }, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    400,
    grant('Invalid JWT Signature.'),
  ],
  [
    'other audience',
    () => assert({ scope: calendar, aud: 'https://api.example' }),
    400,
    grant('Invalid JWT: Failed audience check.'),
  ],
  ['assertion without exp', () => assert({ scope: calendar, exp: undefined }), 400, timeframe],
  ['expired assertion', () => assert({ scope: calendar, iat: now() - 7200, exp: now() - 3600 }), 400, timeframe],
  [
    'assertion from the future',
    () => assert({ scope: calendar, iat: now() + 3600, exp: now() + 7200 }),
    400,
    timeframe,
  ],
  [
    'unknown delegated user',
    () => assert({ scope: calendar, sub: 'nobody@shop.example' }),
    400,
    grant('Invalid email or User ID'),
  ],
  [
    'assertion without scope',
    () => assert({}),
    400,
    { error: 'invalid_scope', error_description: 'Invalid OAuth scope or ID token audience provided.' },
  ],
  [
    'UserInfo without a token',
    () => userinfo(),
    401,
    { error: 'invalid_request', error_description: 'Invalid Credentials' },
  ],
];

async function redeemTwice() {
  const code = (await ask()).get('code');
  await redeem(code);
  return redeem(code);
}
async function afterRevocation() {
  const { refresh_token } = await offlineTokens();
  await revoke(refresh_token);
  return refresh(refresh_token);
}
async function afterEnd() {
  const { refresh_token } = await offlineTokens();
  const { tokenId } = sandbox.events.latest('token.issued', 9).find(({ token }) => token === refresh_token) ?? {};
  await fetch(`${sandbox.issuer}/_sandbox/tokens/${tokenId}/expire`, { method: 'POST' });
  return refresh(refresh_token);
}
async function pollTwice() {
  const code = await deviceCode();
  await poll(code);
  return poll(code);
}
async function pollAfter(decision: 'allow' | 'deny', times = 1) {
  const { body } = await postForm(`${sandbox.issuer}/device/code`, { client_id: 'tv' });
  await decideDevice(sandbox.issuer, '/device', String(body.user_code), decision);
  for (let time = 1; time < times; time++) await poll(String(body.device_code));
  return poll(String(body.device_code));
}
async function pollLate() {
  const code = await deviceCode();
  await sandbox.clock.advance('1h');
  const late = await poll(code);
  await sandbox.clock.reset();
  return late;
}

describe('an error of the preset google', () => {
  it.each(errors)('%s', async (_, send, status, body) => {
    expect(await send()).toMatchObject({ status, body });
  });

  it('scope that is not registered', async () => {
    const response = await ask({ scope: 'openid https://www.googleapis.com/auth/drive' });
    expect(Object.fromEntries(response)).toMatchObject({
      error: 'invalid_scope',
      error_description: 'Some requested scopes were invalid. {invalid=[https://www.googleapis.com/auth/drive]}',
    });
  });
});

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
