import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/cognito/preset.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { logoutUri, pool, redirect_uri } from '../support/cognito.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { noticingErrors } from '../support/noticed-errors.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const { createSandbox, notProvoked } = noticingErrors();

const config: SandboxConfig = {
  ...pool,
  autoLogin: 'alice',
  clients: [
    ...(pool.clients ?? []),
    {
      client_id: 'basic',
      client_secret: 'basic-secret',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
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
interface Tokens extends Members {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const backEnd = { client_id: 'back-end', client_secret: 'back-end-secret' };
const scope = 'openid profile email';

async function token(form: Form, headers: Form = {}): Promise<{ status: number; body: Members }> {
  const body = new URLSearchParams(form);
  const response = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Members };
}

const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

/** A code by `autoLogin`. */
async function code(client_id: string, more: Form = {}): Promise<string> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, scope: client_id === 'back-end' ? 'openid' : scope },
    ...{ identity_provider: 'COGNITO', nonce: 'the-nonce', ...challenge, ...more },
  });
  const { headers } = await fetch(`${sandbox.url}/oauth2/authorize?${query}`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const redeem = (code: string, more: Form = {}) =>
  token({
    ...{ grant_type: 'authorization_code', client_id: 'spa', code, redirect_uri, code_verifier: codeVerifier },
    ...more,
  });

async function tokens(client_id = 'spa', more: Form = {}): Promise<Tokens> {
  const { body } = await redeem(await code(client_id, more), client_id === 'back-end' ? backEnd : { client_id });
  return body as Tokens; // asserted by the tests that read it
}

const refreshed = (refresh_token: string, more: Form = { client_id: 'spa' }) =>
  token({ grant_type: 'refresh_token', refresh_token, ...more });

const userInfo = (headers: Form) => fetch(`${sandbox.url}/oauth2/userInfo`, { headers });

async function discovery(issuer: string): Promise<Members> {
  return (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Members;
}

describe('the preset cognito', () => {
  it('has the issuer, tokens and answers of the golden file', async () => {
    const answer = await tokens();
    const { body: machine } = await token({ grant_type: 'client_credentials' }, basic('machine', 'machine-secret'));
    const userinfo = await userInfo({ authorization: `Bearer ${answer.access_token}` });
    expectGolden(
      'cognito',
      {
        metadata: await discovery(`${sandbox.url}/eu-west-1_Shop1`),
        tokenResponse: { ...answer, refresh_token: '(differs)' },
        accessToken: decodeJwt(answer.access_token),
        idToken: decodeJwt(answer.id_token),
        userinfo: (await userinfo.json()) as Members,
        machineResponse: machine,
        machineToken: decodeJwt(String(machine.access_token)),
      },
      { url: sandbox.url, random: ['jti', 'origin_jti', 'event_id', 'at_hash'] },
    );
  });

  it('keeps every promise of its metadata, with the identifier of AWS, too', async () => {
    const keysFile = writeKeysFile();
    const identifiers = {
      local: (address: string) => `${address}/${pool.preset.pool}`,
      aws: () => `https://cognito-idp.eu-west-1.amazonaws.com/${pool.preset.pool}`,
    };
    for (const [issuer, identifier] of Object.entries(identifiers)) {
      const promises = await metadataPromises(
        { ...config, preset: { ...pool.preset, issuer }, keysFile },
        { identifier },
      );
      expect(notKept(promises)).toEqual([]);
    }
  });

  it.each([
    ['local', (url: string) => `${url}/eu-west-1_Shop1`],
    ['aws', () => 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Shop1'],
    ['https://issuer-cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Shop1', (_: string, issuer: string) => issuer],
  ])('serves the documents of the issuer %s itself', async (issuer, expected) => {
    await using named = await createSandbox({ ...config, preset: { ...pool.preset, issuer } });
    const metadata = await discovery(`${named.url}/eu-west-1_Shop1`);
    expect(metadata).toMatchObject({
      issuer: expected(named.url, issuer),
      jwks_uri: `${named.url}/eu-west-1_Shop1/.well-known/jwks.json`,
      authorization_endpoint: `${named.url}/oauth2/authorize`,
    });
    expect((await fetch(String(metadata.jwks_uri))).status).toBe(200);
    const { token } = await named.issueToken({ client: 'spa', user: 'alice', scope: 'openid' });
    expect(decodeJwt(token).iss).toBe(expected(named.url, issuer));
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${named.url}/oauth2/userInfo`, { headers })).status).toBe(200);
  });

  it('runs beside other issuers, each with its own pool', async () => {
    await using several = await createSandbox({
      issuers: { '/two': { preset: { name: 'cognito', pool: 'us-east-1_B' } } },
    });
    const at = `${several.url}/two/us-east-1_B`;
    expect((await discovery(at)).issuer).toBe(at);
    const inserted = await fetch(`${several.url}/.well-known/openid-configuration/two/us-east-1_B`);
    expect(await inserted.json()).toMatchObject({ issuer: at });
  });

  it('signs access and ID tokens by different keys of the JWKS', async () => {
    const { access_token, id_token } = await tokens();
    const jwks = await fetch(`${sandbox.url}/eu-west-1_Shop1/.well-known/jwks.json`);
    const keys = createLocalJWKSet((await jwks.json()) as JSONWebKeySet);
    for (const jwt of [access_token, id_token])
      await jwtVerify(jwt, keys, { issuer: `${sandbox.url}/eu-west-1_Shop1` });
    const [access, id] = [decodeProtectedHeader(access_token), decodeProtectedHeader(id_token)];
    expect([access.alg, id.alg]).toEqual(['RS256', 'RS256']);
    expect(access.kid).not.toBe(id.kid);
  });

  it('puts attributes into the ID token by the scopes', async () => {
    const claims = async (scope: string) => decodeJwt((await tokens('spa', { scope })).id_token);
    expect(await claims('openid')).toMatchObject({
      name: 'Alice Archer',
      'custom:plan': 'gold',
      phone_number: '+15550100',
    });
    const email = await claims('openid email');
    expect(email).toMatchObject({ email: 'alice@example.com', email_verified: true, 'cognito:username': 'alice' });
    for (const name of ['name', 'custom:plan', 'phone_number']) expect(email).not.toHaveProperty([name]);
  });

  it('answers a refresh without a new refresh token, unless the client rotates them', async () => {
    const first = await tokens();
    const again = await refreshed(first.refresh_token);
    expect(Object.keys(again.body).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'token_type']);
    const origin = ({ access_token }: Members) => decodeJwt(String(access_token)).origin_jti;
    expect(origin(again.body)).toBe(origin(first));
    const rotating = await tokens('rotating');
    const { body } = await refreshed(rotating.refresh_token, { client_id: 'rotating' });
    expect(body.refresh_token).toEqual(expect.any(String));
    expect(body.refresh_token).not.toBe(rotating.refresh_token);
  });

  it('knows a confidential client by Basic or by its secret in the body', async () => {
    const form = { grant_type: 'client_credentials', scope: 'shop/read' };
    expect((await token({ ...form, ...backEnd })).status).toBe(200);
    expect((await token(form, basic('back-end', 'back-end-secret'))).status).toBe(200);
  });

  it('logs out without a question, and goes where the client wants', async () => {
    const leave = async (query: Form) => {
      const url = `${sandbox.url}/logout?${new URLSearchParams(query)}`;
      const { status, headers } = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
      return { status, location: headers.get('location') };
    };
    expect(await leave({ client_id: 'spa', logout_uri: logoutUri })).toEqual({ status: 302, location: logoutUri });
    expect((await leave({ client_id: 'spa', logout_uri: 'https://elsewhere.example/' })).status).toBe(400);
    expect((await leave({ client_id: 'nobody', logout_uri: logoutUri })).status).toBe(400);
    const again = { client_id: 'spa', response_type: 'code', redirect_uri, scope: 'openid', state: 'a b' };
    const { status, location } = await leave(again);
    expect(status).toBe(302);
    const target = new URL(location ?? '');
    expect(target.href).toContain(`${sandbox.url}/oauth2/authorize?`);
    expect(Object.fromEntries(target.searchParams)).toEqual(again);
  });

  it('ends the session of the browser at its logout, which has a form of its own where it asks', async () => {
    await using asked = await createSandbox(pool);
    const at = `${asked.url}/logout`;
    const { cookie } = await signIn(asked);
    const page = await (await fetch(at, { headers: { cookie, accept: 'text/html' } })).text();
    expect(page).toContain('action="/logout/confirm"');
    const response = await fetch(`${at}?client_id=spa&logout_uri=${encodeURIComponent(logoutUri)}`, {
      headers: { cookie },
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBe(logoutUri);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(asked.events.latest('session.ended', 1)).toMatchObject([{ sub: 'alice', client_id: 'spa' }]);
  });

  it('has the names of the login form that tests of applications select', async () => {
    await using typed = await createSandbox({ ...pool, loginMode: 'password' });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'spa',
      redirect_uri,
      scope: 'openid',
      ...challenge,
    });
    const html = await (await fetch(`${typed.url}/login?${query}`)).text();
    for (const name of ['username', 'password', 'signInSubmitButton']) expect(html).toContain(` name="${name}"`);
  });

  it('shows on Connect what an application and an API of this pool need', async () => {
    const page = await fetch(`${sandbox.url}/dashboard/connect`, { headers: { accept: 'text/html' } });
    const text = (await page.text()).replace(/<[^>]+>/g, '').replaceAll('&#39;', "'");
    expect(text).toContain("userPoolId: 'eu-west-1_Shop1',\n      userPoolClientId: 'spa',");
    expect(text).toContain(`userPoolEndpoint: '${sandbox.url}',`);
    expect(text).toContain('start the sandbox with PRESET=cognito,issuer=aws');
    expect(text).toContain(`issuer: '${sandbox.url}/eu-west-1_Shop1'`);
  });

  it('answers paths of the hosted UI that it does not offer with 501', async () => {
    for (const path of ['/signup', '/forgotPassword', '/oauth2/idpresponse', '/saml2/idpresponse'])
      expect((await fetch(sandbox.url + path)).status).toBe(501);
  });
});

/** The cookie of a browser in which alice signed in. */
async function signIn({ url, nextLogin }: Sandbox): Promise<{ cookie: string }> {
  await nextLogin({ sub: 'alice' });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'spa',
    redirect_uri,
    scope: 'openid',
    ...challenge,
  });
  const { headers } = await fetch(`${url}/oauth2/authorize?${query}`, { redirect: 'manual' });
  return {
    cookie: headers
      .getSetCookie()
      .map(each => each.split(';')[0])
      .join('; '),
  };
}

function basic(client_id: string, secret: string): Form {
  return { authorization: `Basic ${btoa(`${client_id}:${secret}`)}` };
}

const bearer = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' };

/** Each row provokes one error of the preset at the token endpoint, which answers a code alone. */
const errors: readonly (readonly [
  name: string,
  error: string,
  ask: () => Promise<{ status: number; body: Members }>,
])[] = [
  ['unknown client', 'invalid_client', () => refreshed('x', { client_id: 'nobody' })],
  ['no client', 'invalid_request', () => refreshed('x', {})],
  ['no secret', 'invalid_client', () => refreshed('x', { client_id: 'back-end' })],
  ['wrong secret', 'invalid_client', () => refreshed('x', { client_id: 'back-end', client_secret: 'x' })],
  ['secret of a public client', 'invalid_client', () => refreshed('x', { client_id: 'spa', client_secret: 'x' })],
  ['unknown grant', 'unsupported_grant_type', () => token({ grant_type: 'magic', client_id: 'spa' })],
  ['grant of others', 'unauthorized_client', () => token({ ...bearer, client_id: 'spa', assertion: 'x' })],
  ['missing parameter', 'invalid_request', () => token({ grant_type: 'refresh_token', client_id: 'spa' })],
  ['unknown code', 'invalid_grant', () => redeem('x')],
  ['code of another client', 'invalid_grant', async () => redeem(await code('spa'), { client_id: 'other' })],
  ['code used twice', 'invalid_grant', () => twice()],
  ['wrong verifier', 'invalid_grant', async () => redeem(await code('spa'), { code_verifier: 'x'.repeat(43) })],
  ['no verifier', 'invalid_grant', async () => redeem(await code('spa'), { code_verifier: '' })],
  [
    'other redirect URI',
    'unauthorized_client',
    async () => redeem(await code('spa'), { redirect_uri: `${redirect_uri}/` }),
  ],
  ['no redirect URI', 'invalid_request', async () => redeem(await code('spa'), { redirect_uri: '' })],
  ['unknown refresh token', 'invalid_grant', () => refreshed('x')],
  ['refresh token of another client', 'invalid_grant', async () => refreshed((await tokens('other')).refresh_token)],
  ['refresh token used twice', 'invalid_grant', () => rotateTwice()],
  ['revoked sign-in', 'invalid_grant', () => afterRevocation()],
  ['ended refresh token', 'invalid_grant', () => afterEnd()],
  [
    'secret in the body of a client that sends it in the header',
    'invalid_client',
    () => token({ grant_type: 'client_credentials', client_id: 'basic', client_secret: 'basic-secret' }),
  ],
];

describe('an error of the token endpoint', () => {
  it.each(errors)('is a code alone: %s', async (_, error, ask) => {
    const { error_uri: __, ...body } = (await ask()).body;
    expect(body).toEqual({ error });
  });

  it('has status 400', async () => {
    for (const [, , ask] of errors.slice(0, 4)) expect((await ask()).status).toBe(400);
  });
});

describe('UserInfo', () => {
  it('refuses a call without a token, and a token that is not valid', async () => {
    expect((await userInfo({})).status).toBe(401);
    const wrong = await userInfo({ authorization: 'Bearer x' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain(
      'error="invalid_token", error_description="Access token is expired, disabled, or deleted, or the user has globally signed out."',
    );
  });

  it('has one text for an access token that has expired or is revoked', async () => {
    const text = 'error_description="Access token is expired, disabled,';
    const { access_token } = await tokens();
    const headers = { authorization: `Bearer ${access_token}` };
    await sandbox.clock.advance('2h');
    const expired = await userInfo(headers);
    await sandbox.clock.reset();
    expect(expired.headers.get('www-authenticate')).toContain(text);
    const body = new URLSearchParams({ client_id: 'spa', token: access_token });
    await fetch(`${sandbox.url}/oauth2/revoke`, { method: 'POST', body });
    expect((await userInfo(headers)).headers.get('www-authenticate')).toContain(text);
  });
});

async function twice() {
  const once = await code('spa');
  await redeem(once);
  return redeem(once);
}

async function rotateTwice() {
  const { refresh_token } = await tokens('rotating');
  await refreshed(refresh_token, { client_id: 'rotating' });
  return refreshed(refresh_token, { client_id: 'rotating' });
}

async function afterRevocation() {
  const { refresh_token, access_token } = await tokens();
  const body = new URLSearchParams({ client_id: 'spa', token: access_token });
  await fetch(`${sandbox.url}/oauth2/revoke`, { method: 'POST', body });
  return refreshed(refresh_token);
}

async function afterEnd() {
  const { refresh_token } = await tokens();
  const issued = sandbox.events.latest('token.issued', 20).find(({ token }) => token === refresh_token);
  await fetch(`${sandbox.url}/_sandbox/tokens/${issued?.tokenId}/expire`, { method: 'POST' });
  return refreshed(refresh_token);
}

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
