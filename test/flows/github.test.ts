import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/github/preset.ts';
import { createDpopKey } from '../support/dpop.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { noticingErrors } from '../support/noticed-errors.ts';
import { decideDevice, frontChannel, getJson, type JsonAnswer, postForm, verifier } from '../support/preset-login.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const { createSandbox, notProvoked } = noticingErrors();

const redirect_uri = 'http://localhost:3000/callback';
const web = { client_id: 'Iv1.web', client_secret: 'web-secret' };
const device = 'urn:ietf:params:oauth:grant-type:device_code';

const config: SandboxConfig = {
  preset: 'github',
  autoLogin: 'alice',
  clients: [
    { ...web, client_name: 'Shop', redirect_uris: [redirect_uri] },
    { client_id: 'other', client_secret: 'other-secret', redirect_uris: [redirect_uri] },
    { client_id: 'cli', client_secret: 'cli-secret', grant_types: [device] },
  ],
  users: [
    {
      sub: 'alice',
      claims: {
        uid: 583231,
        name: 'Alice Archer',
        preferred_username: 'alice-archer',
        picture: 'https://example.com/alice.png',
        email: 'alice@example.com',
        email_verified: true,
        company: '@acme',
        organizations: [{ id: 9919, name: 'acme', display_name: 'ACME Inc.' }],
      },
    },
    { sub: 'carol', claims: { email: 'carol@example.com', email_verified: false } },
  ],
};

let sandbox: Sandbox;
let app: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(config);
  app = await createSandbox({ ...config, preset: 'github-app' });
});
afterAll(() => Promise.all([sandbox.stop(), app.stop()]));

type Form = Readonly<Record<string, string>>;
const json = { accept: 'application/json' };

const ask = (more: Form = {}, at = sandbox) =>
  frontChannel(`${at.issuer}/login/oauth/authorize`, {
    client_id: web.client_id,
    redirect_uri,
    scope: 'read:user user:email',
    state: 'the-state',
    ...more,
  });

const post = (form: Form, headers: Form = json, at = sandbox) =>
  postForm(`${at.issuer}/login/oauth/access_token`, form, headers);

const redeem = (code: string | null, more: Form = {}, at = sandbox) =>
  post({ code: code ?? '', redirect_uri, ...verifier, ...web, ...more }, json, at);

async function tokenFor(more: Form = {}, at = sandbox): Promise<string> {
  return String((await redeem((await ask(more, at)).get('code'), {}, at)).body.access_token);
}

/** The answer of an endpoint that does not answer in JSON. */
async function formOf(path: string, form: Form): Promise<{ status: number; type: string | null; body: Form }> {
  const response = await fetch(sandbox.issuer + path, { method: 'POST', body: new URLSearchParams(form) });
  const body = Object.fromEntries(new URLSearchParams(await response.text()));
  return { status: response.status, type: response.headers.get('content-type'), body };
}

const api = (path: string, token?: string, at = sandbox) => getJson(at.issuer + path, token);

const basic = (id = web.client_id, secret = web.client_secret) => `Basic ${btoa(`${id}:${secret}`)}`;

async function applications(method: string, path: string, body: object, authorization = basic()): Promise<JsonAnswer> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.issuer}/applications/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

describe('the preset github', () => {
  it('has the answers of the golden file', async () => {
    const response = Object.fromEntries(await ask());
    const { body } = await redeem(response.code ?? '');
    const token = String(body.access_token);
    const user = await api('/user', token);
    const ofApp = await redeem((await ask({}, app)).get('code'), {}, app);
    const emails = (await api('/user/emails', token)).body as unknown as readonly Form[];
    const orgs = (await api('/user/orgs', await tokenFor({ scope: 'read:org' }))).body as unknown as readonly Form[];
    const wire = ['x-oauth-scopes', 'x-accepted-oauth-scopes', 'x-oauth-client-id', 'x-github-media-type'];
    const parts = {
      metadata: (await getJson(`${sandbox.issuer}/.well-known/openid-configuration`)).body,
      authorizationResponse: response,
      tokenResponse: body,
      tokenResponseOfApp: ofApp.body,
      user: user.body,
      userHeaders: Object.fromEntries(wire.map(name => [name, user.headers.get(name)])),
      email: emails[0] ?? {},
      organization: orgs[0] ?? {},
      device: (await postForm(`${sandbox.issuer}/login/device/code`, { client_id: 'cli' }, json)).body,
      check: (await applications('POST', `${web.client_id}/token`, { access_token: token })).body,
    };
    const random = ['access_token', 'refresh_token', 'code', 'device_code', 'user_code', 'token', 'token_last_eight'];
    expectGolden('github', parts, { url: sandbox.url, random: [...random, 'created_at'] });
  });

  it('keeps every promise of its metadata', async () => {
    const promises = await metadataPromises(
      { ...config, keysFile: writeKeysFile() },
      { identifier: address => `${address}/login/oauth` },
    );
    const errorsWithStatus200 = /: 200 bad_verification_code: /;
    expect(notKept(promises).filter(line => !errorsWithStatus200.test(line))).toEqual([]);
  });

  it('gives tokens whose prefix tells their kind and whose last six characters are a checksum', async () => {
    const { body } = await redeem((await ask({}, app)).get('code'), {}, app);
    const texts = [await tokenFor(), body.access_token, body.refresh_token].map(String);
    expect(texts.map(text => text.slice(0, 4))).toEqual(['gho_', 'ghu_', 'ghr_']);
    expect(texts.map(text => text.length)).toEqual([40, 40, 80]);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (const text of texts) {
      const read = [...text.slice(-6)].reduce((sum, letter) => sum * 62 + digits.indexOf(letter), 0);
      expect(read).toBe(crc32(text.slice(4, -6)));
    }
  });

  it('answers form-encoded unless Accept names JSON, also errors', async () => {
    const form = { ...web, redirect_uri, ...verifier };
    const good = await formOf('/login/oauth/access_token', { ...form, code: (await ask()).get('code') ?? '' });
    expect(good).toMatchObject({
      status: 200,
      type: 'application/x-www-form-urlencoded; charset=utf-8',
      body: { scope: 'read:user,user:email', token_type: 'bearer', access_token: expect.stringMatching(/^gho_/) },
    });
    const bad = await formOf('/login/oauth/access_token', { ...form, code: 'x' });
    expect(bad).toMatchObject({ status: 200, body: { error: 'bad_verification_code' } });
    const device = await formOf('/login/device/code', { client_id: 'cli' });
    expect(device.body).toMatchObject({ verification_uri: `${sandbox.issuer}/login/device`, interval: '5' });
  });

  it('reads a token request in JSON, and one without redirect_uri and grant_type', async () => {
    const code = (await ask()).get('code');
    const body = JSON.stringify({ ...web, ...verifier, code });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const response = await fetch(`${sandbox.issuer}/login/oauth/access_token`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ token_type: 'bearer' });
  });

  it('separates scopes by commas or spaces, and leaves out those it does not know', async () => {
    const { body } = await redeem((await ask({ scope: 'user:email,openid,email read:org magic' })).get('code'));
    expect(body.scope).toBe('user:email,read:org');
    expect(body).not.toHaveProperty('id_token');
    expect((await redeem((await ask({ scope: '' })).get('code'))).body.scope).toBe('');
  });

  it('accepts a redirect URI below the registered one, and another port of a loopback address', async () => {
    const answer = async (uri: string) => (await ask({ redirect_uri: uri })).has('code');
    expect(await answer(`${redirect_uri}/github`)).toBe(true);
    for (const other of [
      'http://localhost:3000/',
      'http://localhost:3000/callbacks',
      'http://localhost:3001/callback',
      'http://localhost:3000/callback/../admin',
      'http://localhost:3000/callback/%2e%2e/admin',
      'http://localhost:3000@evil.example/callback',
      'http://evillocalhost:3000/callback',
      'https://localhost:3000/callback',
    ])
      expect(await answer(other), other).toBe(false);
  });

  it('lets a command-line tool ask and poll with its client_id alone', async () => {
    const { body } = await postForm(`${sandbox.issuer}/login/device/code`, { client_id: 'cli', scope: 'repo' }, json);
    await decideDevice(sandbox.issuer, '/login/device', String(body.user_code), 'allow');
    expect((await poll(String(body.device_code))).body).toMatchObject({ scope: 'repo', token_type: 'bearer' });
  });

  it('hides the e-mail address of the profile unless it is public, and lists it at /user/emails', async () => {
    const token = await tokenFor();
    expect((await api('/user', token)).body).toMatchObject({ id: 583231, login: 'alice-archer', email: null });
    expect((await api('/api/v3/user', token)).body).toMatchObject({
      url: `${sandbox.issuer}/api/v3/users/alice-archer`,
    });
    expect((await getJson(`${sandbox.issuer}/user`, undefined, { authorization: `token ${token}` })).status).toBe(200);
    expect((await api('/user/emails', await tokenFor({ scope: 'read:user' }))).body).toMatchObject({
      message: 'Not Found',
      status: '404',
    });
    expect((await api('/user/orgs', token)).body).toMatchObject({
      message: 'You need at least read:org scope or user scope to list your organizations.',
      status: '403',
    });
    await using open = await createSandbox({
      ...config,
      users: [{ sub: 'alice', claims: { email: 'alice@example.com', email_public: true } }],
    });
    const { body } = await api('/user', await tokenFor({}, open), open);
    expect(body).toMatchObject({ login: 'alice', email: 'alice@example.com', id: expect.any(Number), name: null });
  });

  it('refuses a token that is bound to a key without a proof', async () => {
    const key = await createDpopKey();
    const htu = `${sandbox.issuer}/login/oauth/access_token`;
    const dpop = await key.proof({ htu, iat: Math.floor(Date.now() / 1000) });
    const form = { code: (await ask()).get('code') ?? '', redirect_uri, ...verifier, ...web };
    const { body } = await post(form, { ...json, dpop });
    expect((await api('/user', String(body.access_token))).status).toBe(401);
    expect((await api('/user', await tokenFor())).status).toBe(200);
  });

  it.each(['oauth-authorization-server', 'openid-configuration'])(
    'has all required members of RFC 8414: %s',
    async name => {
      const { body } = await getJson(`${sandbox.issuer}/.well-known/${name}/login/oauth`);
      expect(body).toMatchObject({
        issuer: `${sandbox.issuer}/login/oauth`,
        authorization_endpoint: `${sandbox.issuer}/login/oauth/authorize`,
        token_endpoint: `${sandbox.issuer}/login/oauth/access_token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      });
    },
  );

  it('ends a token, or the grant of a user, for the application it was given to', async () => {
    const [one, two] = [await tokenFor(), await tokenFor()];
    const at = `${web.client_id}/token`;
    expect((await applications('DELETE', at, { access_token: one })).status).toBe(204);
    expect((await api('/user', one)).body).toMatchObject({ message: 'Bad credentials', status: '401' });
    expect((await api('/user', two)).status).toBe(200);
    const three = await tokenFor();
    expect((await applications('DELETE', `${web.client_id}/grant`, { access_token: three })).status).toBe(204);
    expect((await api('/user', two)).status).toBe(401);
    expect((await applications('POST', at, { access_token: two })).status).toBe(404);
    const fresh = await tokenFor();
    expect(
      (await applications('POST', 'other/token', { access_token: fresh }, basic('other', 'other-secret'))).status,
    ).toBe(404);
    expect((await applications('POST', 'other/token', { access_token: fresh })).status).toBe(404);
    expect((await applications('POST', at, {})).body).toMatchObject({ message: 'Validation Failed', status: '422' });
    const wrong = await applications('POST', at, { access_token: fresh }, basic(web.client_id, 'x'));
    expect(wrong).toMatchObject({ status: 401, body: { message: 'Bad credentials' } });
    expect((await applications('POST', at, { access_token: fresh }, '')).status).toBe(401);
  });

  it('gives a GitHub App tokens that expire, and a new refresh token with each refresh', async () => {
    const { body } = await redeem((await ask({}, app)).get('code'), {}, app);
    expect(body).toMatchObject({ expires_in: 28800, refresh_token_expires_in: 15897600, scope: '' });
    const refreshed = await refresh(String(body.refresh_token));
    expect(refreshed.body).toMatchObject({ access_token: expect.stringMatching(/^ghu_/) });
    expect(refreshed.body.refresh_token).not.toBe(body.refresh_token);
    expect((await api('/user/emails', String(refreshed.body.access_token), app)).status).toBe(200);
    expect((await refresh(String(body.refresh_token))).body).toMatchObject({ error: 'bad_refresh_token' });
  });

  it('answers calls of GitHub that it does not offer with 501 and the nearest offer, in the form of its API', async () => {
    const { status, body } = await api('/repos/acme/shop');
    expect(status).toBe(501);
    expect(body).toMatchObject({ message: expect.stringContaining('GET /user'), status: '501' });
    expect((await applications('PUT', `${web.client_id}/tokens`, {})).status).toBe(501);
  });
});

const refresh = (refresh_token: string) => post({ grant_type: 'refresh_token', refresh_token, ...web }, json, app);
const poll = (device_code: string, client_id = 'cli') => post({ grant_type: device, device_code, client_id });

async function deviceCode(): Promise<{ readonly device_code: string; readonly user_code: string }> {
  const { body } = await postForm(`${sandbox.issuer}/login/device/code`, { client_id: 'cli' }, json);
  return { device_code: String(body.device_code), user_code: String(body.user_code) };
}
async function pollAfter(decision: 'allow' | 'deny', times: number): Promise<JsonAnswer> {
  const { device_code, user_code } = await deviceCode();
  await decideDevice(sandbox.issuer, '/login/device', user_code, decision);
  for (let time = 1; time < times; time++) await poll(device_code);
  return poll(device_code);
}
async function pollTwice() {
  const { device_code } = await deviceCode();
  await poll(device_code);
  return poll(device_code);
}
async function pollLate() {
  const { device_code } = await deviceCode();
  sandbox.clock.advance('1h');
  const late = await poll(device_code);
  sandbox.clock.reset();
  return late;
}
async function redeemTwice() {
  const code = (await ask()).get('code');
  await redeem(code);
  return redeem(code);
}
async function appRefreshToken() {
  return String((await redeem((await ask({}, app)).get('code'), {}, app)).body.refresh_token);
}
async function afterGrantIsGone() {
  const token = await appRefreshToken();
  const { tokenId } = app.events.latest('token.issued', 9).find(each => each.token === token) ?? {};
  await fetch(`${app.issuer}/_sandbox/tokens/${tokenId}/revoke`, { method: 'POST' });
  return refresh(token);
}
async function afterEnd() {
  const token = await appRefreshToken();
  const { tokenId } = app.events.latest('token.issued', 9).find(each => each.token === token) ?? {};
  await fetch(`${app.issuer}/_sandbox/tokens/${tokenId}/expire`, { method: 'POST' });
  return refresh(token);
}
async function refreshByAnother() {
  const form = { grant_type: 'refresh_token', refresh_token: await appRefreshToken() };
  return post({ ...form, client_id: 'other', client_secret: 'other-secret' }, json, app);
}
async function unverified() {
  await sandbox.nextLogin({ sub: 'carol' });
  return redeem((await ask()).get('code'));
}

const badCode = { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
const badCredentials = {
  error: 'incorrect_client_credentials',
  error_description: 'The client_id and/or client_secret passed are incorrect.',
};
const badRefreshToken = {
  error: 'bad_refresh_token',
  error_description: 'The refresh token passed is incorrect or expired.',
};
const badDevice = { error: 'incorrect_device_code', error_description: 'The device_code provided is not valid.' };
const unsupported = { error: 'unsupported_grant_type', error_description: 'The grant type is not supported.' };
const other = { client_id: 'other', client_secret: 'other-secret' };

const errors: readonly (readonly [name: string, ask: () => Promise<JsonAnswer>, body: object])[] = [
  ['unknown client', () => redeem('x', { client_id: 'nobody' }), badCredentials],
  ['no client', () => post({ code: 'x' }), badCredentials],
  ['wrong secret', () => redeem('x', { client_secret: 'x' }), badCredentials],
  ['missing secret', () => redeem('x', { client_secret: '' }), badCredentials],
  ['unknown code', () => redeem('x'), badCode],
  ['missing code', () => redeem(''), badCode],
  ['used code', redeemTwice, badCode],
  ['code of another client', async () => redeem((await ask()).get('code'), other), badCode],
  ['wrong code verifier', async () => redeem((await ask()).get('code'), { code_verifier: 'x'.repeat(43) }), badCode],
  ['missing code verifier', async () => redeem((await ask()).get('code'), { code_verifier: '' }), badCode],
  [
    'other redirect URI',
    async () => redeem((await ask()).get('code'), { redirect_uri: 'http://localhost:3000/other' }),
    {
      error: 'redirect_uri_mismatch',
      error_description: 'The redirect_uri MUST match the registered callback URL for this application.',
    },
  ],
  [
    'user without a verified address',
    unverified,
    { error: 'unverified_user_email', error_description: 'The user must have a verified primary email.' },
  ],
  ['unknown grant', () => post({ grant_type: 'magic', ...web }), unsupported],
  ['grant of another kind of client', () => post({ grant_type: 'client_credentials', ...web }), unsupported],
  ['device flow that is off', () => poll('x', web.client_id), { error: 'device_flow_disabled' }],
  ['pending device', async () => poll((await deviceCode()).device_code), { error: 'authorization_pending' }],
  ['fast device', pollTwice, { error: 'slow_down', interval: 10 }],
  [
    'denied device',
    () => pollAfter('deny', 1),
    { error: 'access_denied', error_description: 'The user has denied your application access.' },
  ],
  ['used device code', () => pollAfter('allow', 2), badDevice],
  ['unknown device code', () => poll('x'), badDevice],
  ['expired device code', pollLate, { error: 'expired_token' }],
  ['unknown refresh token', () => refresh('ghr_x'), badRefreshToken],
  ['refresh token of another client', refreshByAnother, badRefreshToken],
  ['revoked refresh token', afterGrantIsGone, badRefreshToken],
  ['ended refresh token', afterEnd, badRefreshToken],
];

describe('an error of the preset github', () => {
  it.each(errors)('%s, with the status 200', async (_, send, body) => {
    expect(await send()).toMatchObject({ status: 200, body });
  });

  it('redirect URI that is not registered, as a page', async () => {
    const query = new URLSearchParams({ client_id: web.client_id, redirect_uri: 'https://evil.example/' });
    const page = await fetch(`${sandbox.issuer}/login/oauth/authorize?${query}`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('The redirect_uri MUST match the registered callback URL');
  });

  it('call without a token, and with a wrong one', async () => {
    expect((await api('/user')).body).toMatchObject({ message: 'Requires authentication', status: '401' });
    expect((await api('/user', 'gho_x')).body).toMatchObject({ message: 'Bad credentials', status: '401' });
  });
});

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
