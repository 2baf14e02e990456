import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/entra/errors.ts';
import { entraAt, type Form, type Members, origin, redirect_uri, tenantConfig } from '../support/entra.ts';
import { noticingErrors } from '../support/noticed-errors.ts';

const { createSandbox, notProvoked } = noticingErrors();

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'ES256' };
let sandbox: Sandbox;
let app: ReturnType<typeof entraAt>;
beforeAll(async () => {
  const { clients = [] } = tenantConfig;
  sandbox = await createSandbox({
    ...tenantConfig,
    autoLogin: 'alice',
    pollInterval: 1,
    clients: [
      ...clients,
      {
        client_id: 'signed',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [jwk] },
        grant_types: ['client_credentials'],
      },
      {
        client_id: 'bikes',
        client_name: 'Bikes API',
        client_secret: 'bikes-secret',
        audience: 'api://bikes',
        grant_types: ['client_credentials'],
        scope: 'openid',
      },
      { client_id: 'asks', redirect_uris: [redirect_uri], require_consent: true, scope: 'openid User.Read' },
    ],
  });
  app = entraAt(sandbox.issuer);
});
afterAll(() => sandbox.stop());

const web = { client_id: 'web', client_secret: 'web-secret' };
const machine = { grant_type: 'client_credentials', scope: 'api://bikes/.default' };
const device = 'urn:ietf:params:oauth:grant-type:device_code';
const spaCode = async (more: Form = {}) => (await app.authorize('spa', more)).get('code') ?? '';
const refresh = (refresh_token: unknown, more: Form = {}, headers?: Form) =>
  app.token({ grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(refresh_token), ...more }, headers);
const logIn = () => app.logIn('openid offline_access api://bikes/read');
const poll = (device_code: string) => app.token({ grant_type: device, client_id: 'native', device_code }, {});

const onBehalf = (given: unknown, more: Form = {}) => {
  const api = { client_id: 'bikes', client_secret: 'bikes-secret', scope: 'User.Read' };
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const form = { grant_type, ...api, requested_token_use: 'on_behalf_of', assertion: String(given), ...more };
  return app.token(Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '')), {});
};
const tokenFor = async (scope: string) => (await app.logIn(`openid ${scope}`)).access_token;
const machineToken = async () => (await app.token({ ...machine, ...web }, {})).body.access_token;

// a test before may have moved the clock
const seconds = () => Math.floor(sandbox.clock());

async function assertion(claims: object, key = privateKey, kid = 'own'): Promise<Form> {
  const now = seconds();
  const all = {
    iss: 'signed',
    sub: 'signed',
    aud: `${sandbox.issuer}/v2.0`,
    exp: now + 60,
    jti: randomUUID(),
    ...claims,
  };
  const client_assertion = await new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid }).sign(key);
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { ...machine, client_id: 'signed', client_assertion_type, client_assertion };
}

/** The error that a browser brings back, or that a page shows. */
async function refusedLogin(more: Form = {}, cookie = ''): Promise<{ status: number; body: Members }> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'spa', redirect_uri, scope: 'openid User.Read', prompt: 'none' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    ...more,
  });
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  const response = await fetch(`${sandbox.issuer}/oauth2/v2.0/authorize?${query}`, {
    redirect: 'manual',
    headers: { accept: 'application/json', cookie },
  });
  const location = response.headers.get('location');
  if (location === null) return { status: response.status, body: (await response.json()) as Members };
  const { search, hash } = new URL(location);
  const body = Object.fromEntries(new URLSearchParams(hash === '' ? search : hash.slice(1)));
  return { status: response.status, body };
}

/** The cookie of a login. */
async function session(): Promise<string> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'spa', redirect_uri, scope: 'openid' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  const { headers } = await fetch(`${sandbox.issuer}/oauth2/v2.0/authorize?${query}`, { redirect: 'manual' });
  return headers
    .getSetCookie()
    .map(each => each.split(';', 1)[0])
    .join('; ');
}

/** A login with an answer that somebody chose. */
async function chosen(action: 'deny' | 'access_denied' | 'interaction_required') {
  await sandbox.nextLogin({ client: 'spa', action });
  return refusedLogin({ prompt: '' });
}

type Case = readonly [number, string, () => Promise<{ status: number; body: Members }>, string];

const atToken: readonly Case[] = [
  [700016, 'unknown application', () => app.token({ ...machine, client_id: 'nobody' }), 'unauthorized_client'],
  [900144, 'no application', () => app.token({ grant_type: 'client_credentials' }), 'invalid_request'],
  [7000215, 'wrong secret', () => app.token({ ...machine, ...web, client_secret: 'x' }, {}), 'invalid_client'],
  [7000218, 'no secret', () => app.token({ ...machine, client_id: 'web' }, {}), 'invalid_client'],
  [
    700025,
    'secret of a public application',
    () => app.token({ ...machine, client_id: 'spa', client_secret: 'x' }, {}),
    'invalid_client',
  ],
  [900144, 'no scope', () => app.token({ grant_type: 'client_credentials', ...web }, {}), 'invalid_request'],
  [70003, 'unknown grant', () => app.token({ ...web, grant_type: 'magic' }, {}), 'unsupported_grant_type'],
  [
    1002012,
    'scope without default',
    () => app.token({ ...machine, ...web, scope: 'api://bikes/read' }, {}),
    'invalid_scope',
  ],
  [70011, 'malformed scope', () => app.token({ ...alice, ...web, scope: 'a"b' }, {}), 'invalid_scope'],
  [650053, 'unknown permission', () => app.token({ ...alice, ...web, scope: 'Mail.Sned' }, {}), 'invalid_client'],
  [500011, 'unknown API', () => app.token({ ...alice, ...web, scope: 'api://cars/read' }, {}), 'invalid_resource'],
  [65001, 'scope of others', () => app.token({ ...alice, ...web, scope: 'api://bikes/write' }, {}), 'invalid_grant'],
  [500131, 'assertion for another API', async () => onBehalf(await tokenFor('User.Read')), 'invalid_grant'],
  [500133, 'assertion that expired', () => expiredAssertion(), 'invalid_grant'],
  [50173, 'assertion that was revoked', () => revokedAssertion(), 'invalid_grant'],
  [50013, 'assertion of others', () => onBehalf('x'), 'invalid_grant'],
  [240002, 'ID token as assertion', async () => onBehalf((await logIn()).id_token), 'invalid_grant'],
  [7000114, 'assertion without a user', async () => onBehalf(await machineToken()), 'invalid_grant'],
  [
    7000218,
    'application without a secret on behalf of a user',
    async () => onBehalf(await tokenFor('api://bikes/read'), { client_id: 'native', client_secret: '' }),
    'invalid_client',
  ],
  [50126, 'wrong password', () => app.token({ ...alice, ...web, password: 'x' }, {}), 'invalid_grant'],
  [50053, 'many wrong passwords', () => tooManyPasswords(), 'invalid_grant'],
  [
    28000,
    'two resources',
    async () => app.token(app.redemption(await spaCode(), { scope: 'User.Read api://bikes/read' })),
    'invalid_scope',
  ],
  [70008, 'unknown code', () => app.token(app.redemption('x')), 'invalid_grant'],
  [70008, 'ended code', () => endedCode(), 'invalid_grant'],
  [54005, 'used code', () => twice(), 'invalid_grant'],
  [9002313, 'foreign code', async () => app.token({ ...app.webRedemption(await spaCode()) }, {}), 'invalid_grant'],
  [
    500112,
    'another address',
    async () => app.token(app.redemption(await spaCode(), { redirect_uri: `${origin}/x` })),
    'invalid_grant',
  ],
  [
    900144,
    'no address of a code',
    async () => app.token(app.redemption(await spaCode(), { redirect_uri: '' })),
    'invalid_request',
  ],
  [
    501481,
    'another verifier',
    async () => app.token(app.redemption(await spaCode(), { code_verifier: 'x'.repeat(43) })),
    'invalid_grant',
  ],
  [
    9002327,
    'code of a page from a server',
    async () => app.token(app.redemption(await spaCode()), {}),
    'invalid_request',
  ],
  [
    9002326,
    'code of a server from a page',
    async () => app.token(app.webRedemption((await app.authorize('web')).get('code') ?? '')),
    'invalid_request',
  ],
  [
    9002327,
    'refresh token of a page from a server',
    async () => refresh((await logIn()).refresh_token, {}, {}),
    'invalid_request',
  ],
  [700082, 'unknown refresh token', () => refresh('x'), 'invalid_grant'],
  [9002313, 'foreign refresh token', async () => refresh((await logIn()).refresh_token, web, {}), 'invalid_grant'],
  [
    65001,
    'scope without consent',
    async () => refresh((await logIn()).refresh_token, { scope: 'User.Read' }),
    'invalid_grant',
  ],
  [
    65001,
    'default without consent',
    async () => refresh((await logIn()).refresh_token, { scope: 'https://graph.microsoft.com/.default' }),
    'invalid_grant',
  ],
  [50173, 'revoked refresh token', () => revoked(), 'invalid_grant'],
  [70016, 'device without decision', async () => poll(await deviceCode()), 'authorization_pending'],
  [70018, 'unknown device code', () => poll('x'), 'bad_verification_code'],
  [70020, 'expired device code', () => expiredDevice(), 'expired_token'],
  [
    700023,
    'assertion for another audience',
    async () => app.token(await assertion({ aud: 'x' }), {}),
    'invalid_client',
  ],
  [700024, 'assertion that expired', async () => app.token(await assertion({ exp: 1 }), {}), 'invalid_client'],
  [
    700024,
    'assertion of the future',
    async () => app.token(await assertion({ nbf: seconds() + 100, exp: seconds() + 160 }), {}),
    'invalid_client',
  ],
  [700027, 'assertion by another key', async () => app.token(await assertion({}, foreignKey), {}), 'invalid_client'],
  [
    700027,
    'assertion by an unknown key',
    async () => app.token(await assertion({}, privateKey, 'other'), {}),
    'invalid_client',
  ],
  [90002, 'unknown tenant', () => entraAt(`${sandbox.url}/contoso`).token(machine), 'invalid_request'],
];

const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const alice = { grant_type: 'password', username: 'alice', password: 'alice-password', scope: 'openid User.Read' };

async function tooManyPasswords() {
  for (let tries = 0; tries < 30; tries++) {
    const { body, status } = await app.token({ ...alice, ...web, username: 'bob@x', password: 'x' }, {});
    if (!(body.error_codes as readonly number[]).includes(50126)) return { body, status };
  }
  return { status: 0, body: {} };
}
async function expire(tokenId: string | undefined): Promise<void> {
  await fetch(`${sandbox.issuer}/_sandbox/tokens/${tokenId}/expire`, { method: 'POST' });
}
async function endedCode() {
  const code = await spaCode();
  await expire(sandbox.events.latest('code.issued', 1)[0]?.tokenId);
  return app.token(app.redemption(code));
}
async function twice() {
  const code = await spaCode();
  await app.token(app.redemption(code));
  return app.token(app.redemption(code));
}
async function revoked() {
  const { refresh_token } = await logIn();
  const issued = sandbox.events.latest('token.issued', 5).find(({ tokenType }) => tokenType === 'refresh');
  await fetch(`${sandbox.issuer}/_sandbox/tokens/${issued?.tokenId}/revoke`, { method: 'POST' });
  return refresh(refresh_token);
}
const lastAccess = () => sandbox.events.latest('token.issued', 5).find(({ tokenType }) => tokenType === 'access');
async function expiredAssertion() {
  const token = await tokenFor('api://bikes/read');
  await expire(lastAccess()?.tokenId);
  return onBehalf(token);
}
async function revokedAssertion() {
  const token = await tokenFor('api://bikes/read');
  await fetch(`${sandbox.issuer}/_sandbox/tokens/${lastAccess()?.tokenId}/revoke`, { method: 'POST' });
  return onBehalf(token);
}
async function deviceCode(): Promise<string> {
  return String(
    (await app.post('/oauth2/v2.0/devicecode', { client_id: 'native', scope: 'User.Read' })).body.device_code,
  );
}
async function expiredDevice() {
  const code = await deviceCode();
  await sandbox.clock.advance(3600);
  return poll(code);
}

const atLogin: readonly Case[] = [
  [
    50011,
    'address that is not registered',
    () => refusedLogin({ redirect_uri: 'https://evil.example/' }),
    'invalid_request',
  ],
  [900971, 'no address', () => refusedLogin({ redirect_uri: '' }), 'invalid_request'],
  [
    9010010,
    'resource that is not that of the scopes',
    () => refusedLogin({ resource: 'https://api.example/' }),
    'invalid_target',
  ],
  [65001, 'no consent', async () => refusedLogin({ client_id: 'asks' }, await session()), 'interaction_required'],
  [
    700054,
    'response type that is not registered',
    () => refusedLogin({ client_id: 'web', redirect_uri: 'https://web.example/callback', response_type: 'token' }),
    'unsupported_response_type',
  ],
  [9002325, 'no challenge', () => refusedLogin({ code_challenge: '', code_challenge_method: '' }), 'invalid_request'],
  [
    700054,
    'response type of the implicit flow',
    () => refusedLogin({ response_type: 'id_token', nonce: 'n' }),
    'unsupported_response_type',
  ],
  [50058, 'no session', () => refusedLogin(), 'login_required'],
  [65004, 'user who denies', () => chosen('deny'), 'access_denied'],
  [53003, 'refusal by Conditional Access', () => chosen('access_denied'), 'access_denied'],
  [50079, 'demand for a second factor', () => chosen('interaction_required'), 'interaction_required'],
];

describe('an error of the preset entra', () => {
  it.each(atToken)('%i %s', async (code, _name, ask, error) => {
    const { body } = await ask();
    expect(body).toMatchObject({
      error,
      error_codes: [code],
      trace_id: expect.any(String),
      correlation_id: expect.any(String),
    });
    expect(body.error_description).toMatch(
      new RegExp(`^AADSTS${code}: .+ Trace ID: .+ Correlation ID: .+ Timestamp: `),
    );
  });

  it.each(atLogin)('%i %s', async (code, _name, ask, error) => {
    expect((await ask()).body).toMatchObject({ error, error_description: expect.stringMatching(`^AADSTS${code}: `) });
  });
});

it('names the application, the scope and its resource', async () => {
  const textOf = async (asked: ReturnType<typeof app.token>) => String((await asked).body.error_description);
  const graph = '00000003-0000-0000-c000-000000000000';
  for (const scope of ['Mail.Sned', 'bikes.read']) {
    expect(await textOf(onBehalf(await tokenFor('api://bikes/read'), { scope }))).toContain(
      `The application 'Bikes API' asked for scope '${scope}' that doesn't exist on the resource '${graph}'.`,
    );
  }
  expect((await refusedLogin({ scope: 'openid api://bikes/fly' })).body.error_description).toContain(
    `The application 'spa' asked for scope 'fly' that doesn't exist on the resource 'api://bikes'.`,
  );
  expect(await textOf(app.token({ ...alice, ...web, scope: 'api://cars/read' }, {}))).toContain(
    'The resource principal named api://cars was not found',
  );
  expect(await textOf(onBehalf(await tokenFor('User.Read')))).toContain(
    `The audience in the assertion was '${graph}' and the expected audience is 'bikes' or one of the Application Uris of this application with App ID 'bikes'(Bikes API).`,
  );
});

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
