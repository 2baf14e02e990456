import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../../../src/index.ts';
import { createSandbox } from '../../../../src/index.ts';

const shop: SandboxConfig = {
  preset: { name: 'keycloak', realm: 'shop' },
  clients: [
    { client_id: 'legacy', client_secret: 'legacy-secret', grant_types: ['password'] },
    robot('viewer', ['view-users', 'query-clients']),
    robot('manager', ['realm-admin']),
    robot('nobody', []),
  ],
  users: [
    { sub: 'alice', claims: { client_roles: { 'realm-management': ['manage-users'] } } },
    { sub: 'bob', claims: { email: 'bob@example.com' } },
  ],
};

/** A client whose service account has these roles. */
function robot(client_id: string, roles: string[]) {
  const access_token_claims = { resource_access: { 'realm-management': { roles } } };
  return {
    client_id,
    client_secret: 'robot-secret',
    grant_types: ['client_credentials'] as const,
    access_token_claims,
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Answered['body']);
  return { status: response.status, headers: response.headers, body };
}

async function post(url: string, form: Readonly<Record<string, string>>): Promise<Answered> {
  return answered(await fetch(url, { method: 'POST', body: new URLSearchParams(form) }));
}

const masterToken = (url: string, form: Readonly<Record<string, string>> = {}) =>
  post(`${url}/realms/master/protocol/openid-connect/token`, {
    grant_type: 'password',
    client_id: 'admin-cli',
    username: 'admin',
    password: 'admin',
    ...form,
  });

/** An access token of a service account of the realm, or of a user. */
async function realmToken(issuer: string, who: string): Promise<string> {
  const isRobot = !['alice', 'bob'].includes(who);
  const form: Record<string, string> = isRobot
    ? { grant_type: 'client_credentials', client_id: who, client_secret: 'robot-secret' }
    : { grant_type: 'password', client_id: 'legacy', client_secret: 'legacy-secret', username: who, password: 'any' };
  return String((await post(`${issuer}/protocol/openid-connect/token`, form)).body.access_token);
}

interface Call {
  readonly token?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(url: string, { token, method = 'GET', body, headers }: Call = {}): Promise<Answered> {
  const all = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return answered(await fetch(url, { method, headers: all, ...(body === undefined ? {} : { body }) }));
}

let sandbox: Sandbox;
let users: string;
let admin: string;
beforeAll(async () => {
  sandbox = await createSandbox(shop);
  users = `${sandbox.url}/admin/realms/shop/users`;
  admin = String((await masterToken(sandbox.url)).body.access_token);
});
afterAll(() => sandbox.stop());

describe('the realm master', () => {
  it('gives the admin tokens, and others for the refresh token', async () => {
    const { status, body } = await masterToken(sandbox.url);
    expect([status, body]).toMatchObject([200, { token_type: 'Bearer', expires_in: 60, refresh_expires_in: 1800 }]);
    const refreshed = await masterToken(sandbox.url, {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    });
    expect(refreshed.status).toBe(200);
    expect((await ask(users, { token: String(refreshed.body.access_token) })).status).toBe(200);
  });

  it.each([
    [{ password: 'wrong' }, 401, { error: 'invalid_grant', error_description: 'Invalid user credentials' }],
    [{ username: 'bob' }, 401, { error: 'invalid_grant', error_description: 'Invalid user credentials' }],
    [{ client_id: 'legacy' }, 401, { error: 'invalid_client' }],
    [{ grant_type: 'magic' }, 400, { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' }],
    [
      { grant_type: 'refresh_token', refresh_token: 'x' },
      400,
      { error: 'invalid_grant', error_description: 'Invalid refresh token' },
    ],
  ])('refuses %j', async (form, status, body) => {
    expect(await masterToken(sandbox.url, form)).toMatchObject({ status, body });
  });

  it('has metadata', async () => {
    const issuer = `${sandbox.url}/realms/master`;
    const { body } = await ask(`${issuer}/.well-known/openid-configuration`);
    expect(body).toMatchObject({ issuer, token_endpoint: `${issuer}/protocol/openid-connect/token` });
    expect((await ask(issuer)).body).toMatchObject({ realm: 'master' });
  });
});

describe('the admin API of Keycloak', () => {
  it.each([
    ['no token', undefined],
    ['no JWT', 'x'],
    ['a token of master with another signature', () => `${admin.slice(0, -4)}AAAA`],
    ['a refresh token of master', async () => String((await masterToken(sandbox.url)).body.refresh_token)],
    ['an ID token', async () => (await sandbox.issueToken({ client: 'legacy', user: 'alice', type: 'id' })).token],
  ])('answers 401 for %s', async (_, make) => {
    const token = typeof make === 'function' ? await make() : make;
    expect(await ask(users, token === undefined ? {} : { token })).toMatchObject({
      status: 401,
      body: { error: 'HTTP 401 Unauthorized' },
    });
  });

  it('does not end the token of the admin with a moved clock or a reset', async () => {
    await using moved = await createSandbox(shop);
    const { body } = await masterToken(moved.url);
    await moved.clock.advance('2h');
    await moved.reset();
    const list = await ask(`${moved.url}/admin/realms/shop/users`, { token: String(body.access_token) });
    expect(list.status).toBe(200);
  });

  it.each([
    ['viewer', 'GET', '', 200],
    ['viewer', 'GET', '/bob', 200],
    ['viewer', 'DELETE', '/bob', 403],
    ['viewer', 'POST', '', 403],
    ['manager', 'GET', '/bob', 200],
    ['nobody', 'GET', '', 403],
    ['nobody', 'GET', '/bob', 403],
    ['alice', 'GET', '', 200],
    ['bob', 'GET', '', 403],
  ])('lets %s send %s /users%s: %i', async (who, method, path, status) => {
    const token = await realmToken(sandbox.issuer, who);
    const found = await ask(users + path, { token, method });
    expect(found.status).toBe(status);
    if (status === 403) expect(found.body).toEqual({ error: 'HTTP 403 Forbidden' });
  });

  it('says that a realm does not exist before it says that a role is missing', async () => {
    const token = await realmToken(sandbox.issuer, 'nobody');
    const found = await ask(`${sandbox.url}/admin/realms/other/users`, { token });
    expect([found.status, found.body]).toEqual([404, { error: 'Realm not found.' }]);
  });

  it('explains in the log which role is missing', async () => {
    await ask(users, { token: await realmToken(sandbox.issuer, 'nobody') });
    expect(sandbox.events.latest('error.returned', 1)).toMatchObject([
      {
        reason: 'management_right_missing',
        description: 'the service account of nobody may not send this call',
        expected: 'query-users or view-users or manage-users',
      },
    ]);
  });

  it('takes roles as they are now, not as the token has them', async () => {
    await using changed = await createSandbox(shop);
    const token = await realmToken(changed.issuer, 'alice');
    await changed.users.patch('alice', { claims: { client_roles: null } });
    expect((await ask(`${changed.url}/admin/realms/shop/users`, { token })).status).toBe(403);
  });

  it.each([
    ['GET', '/components', ''],
    ['POST', '/identity-provider/instances', ''],
    ['GET', '/users/bob/nothing', ''],
    ['PATCH', '/users', '; the nearest call is GET /admin/realms/{realm}/users'],
    ['GET', '/user', '; the nearest call is GET /admin/realms/{realm}/users'],
    ['GET', '/users/bob/session', '; the nearest call is GET /admin/realms/{realm}/users/{user}/sessions'],
  ])('answers 501 for %s %s, with the call that may have been meant', async (method, path, nearest) => {
    const found = await ask(`${sandbox.url}/admin/realms/shop${path}`, { token: admin, method });
    expect(found.status).toBe(501);
    expect(found.body).toMatchObject({
      error: 'HTTP 501 Not Implemented',
      error_description: `this sandbox speaks like Keycloak, but does not serve this call${nearest}`,
    });
  });

  it.each([
    [
      'no JSON',
      '{',
      400,
      { error: 'invalid_request', error_description: expect.stringMatching(/^Cannot parse the JSON/) },
    ],
    ['a list', '[]', 400, { error: 'invalid_request' }],
    ['a username that is no text', '{"username":{}}', 400, { error: 'invalid_request' }],
    ['attributes that are no lists', '{"username":"x","attributes":{"a":{}}}', 400, { error: 'invalid_request' }],
    ['a claim as attribute', '{"username":"x","attributes":{"roles":["admin"]}}', 400, {}],
    ['a username that no sub can be', '{"username":""}', 400, { errorMessage: 'User name is missing' }],
    ['an unknown group', '{"username":"x","groups":["/a"]}', 400, {}],
    ['too much', `{"username":"${'x'.repeat(70_000)}"}`, 413, { error: 'HTTP 413 Request Entity Too Large' }],
    ['too deep', `{"attributes":${'['.repeat(50)}${']'.repeat(50)}}`, 400, { error: 'invalid_request' }],
  ])('refuses a body that is %s', async (_, body, status, said) => {
    expect(await ask(users, { token: admin, method: 'POST', body })).toMatchObject({ status, body: said });
  });

  it('drops members that would change a prototype', async () => {
    const body =
      '{"username":"proto","attributes":{"__proto__":["x"],"constructor":["y"]},"__proto__":{"enabled":false}}';
    const { status, headers } = await ask(users, { token: admin, method: 'POST', body });
    expect(status).toBe(201);
    const { body: user } = await ask(headers.get('location') ?? '', { token: admin });
    expect(user).toMatchObject({ enabled: true, attributes: { constructor: ['y'] } });
    expect(Object.hasOwn(user.attributes as object, '__proto__')).toBe(false);
  });

  it.each(['/..%2f..%2f_sandbox', '/%2e%2e/%2e%2e', '/__proto__', '/constructor', '/a%00b', '/%zz'])(
    'finds no user at %s',
    async path => {
      const found = await raw(users + path, admin);
      expect([400, 404, 501]).toContain(found);
    },
  );
});

/** `fetch` resolves dots in a path before it sends the request. */
function raw(url: string, token: string): Promise<number> {
  const { port, origin } = new URL(url);
  return new Promise((resolve, reject) => {
    const path = url.slice(origin.length);
    const headers = { authorization: `Bearer ${token}` };
    request({ host: '127.0.0.1', port, path, headers }, ({ statusCode = 0 }) => resolve(statusCode))
      .on('error', reject)
      .end();
  });
}

describe('a page of another site', () => {
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { origin: 'https://attacker.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
  ];

  it('can neither read nor change anything by the admin API, not even with a token', async () => {
    const token = `${sandbox.url}/realms/master/protocol/openid-connect/token`;
    for (const headers of foreign) {
      for (const [method, url] of [
        ['GET', users],
        ['DELETE', `${users}/bob`],
        ['POST', token],
        ['GET', `${sandbox.url}/admin/realms/other/users`],
        ['GET', `${sandbox.url}/admin/nothing`],
      ] as const) {
        const found = await ask(url, { token: admin, method, headers });
        expect([method, url, found.status]).toEqual([method, url, 403]);
        expect(found.headers.get('access-control-allow-origin')).toBeNull();
        expect(found.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      }
    }
    expect(await sandbox.users.get('bob')).toBeDefined();
  });

  it('gets no preflight', async () => {
    const headers = { origin: 'https://attacker.test', 'access-control-request-method': 'DELETE' };
    const found = await fetch(`${users}/bob`, { method: 'OPTIONS', headers });
    expect([found.status, found.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('with CONTROL_TOKEN', () => {
  let closed: Sandbox;
  beforeAll(async () => {
    closed = await createSandbox({ ...shop, controlToken: 'the-control-token-of-the-test' });
  });
  afterAll(() => closed.stop());
  const list = async (token: string) => (await ask(`${closed.url}/admin/realms/shop/users`, { token })).status;

  it('has that token as the password of admin, and no other', async () => {
    expect((await masterToken(closed.url)).status).toBe(401);
    const { body } = await masterToken(closed.url, { password: 'the-control-token-of-the-test' });
    expect(await list(String(body.access_token))).toBe(200);
  });

  it('accepts service accounts, whose secret is in the configuration, and no users', async () => {
    expect(await list(await realmToken(closed.issuer, 'manager'))).toBe(200);
    expect(await list(await realmToken(closed.issuer, 'alice'))).toBe(403);
  });

  it('accepts no token of another sandbox', async () => {
    expect(await list(admin)).toBe(401);
  });

  it('refuses to be guessed', async () => {
    await using guessed = await createSandbox({ ...shop, controlToken: 'the-control-token-of-the-test' });
    for (let count = 0; count < 20; count++) await masterToken(guessed.url, { password: `guess ${count}` });
    const right = await masterToken(guessed.url, { password: 'the-control-token-of-the-test' });
    expect(right.status).toBe(429);
    expect(right.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('several issuers', () => {
  it('have their admin APIs at the address of the sandbox', async () => {
    await using several = await createSandbox({
      issuers: {
        '/realms/shop': { preset: { name: 'keycloak', realm: 'shop' }, users: [{ sub: 'of-shop' }] },
        '/realms/desk': { preset: { name: 'keycloak', realm: 'desk' }, users: [{ sub: 'of-desk' }] },
        '/kc': { preset: { name: 'keycloak', realm: 'inner' }, users: [{ sub: 'of-inner' }] },
      },
    });
    const token = String((await masterToken(several.url)).body.access_token);
    const names = async (url: string, sent: string) => {
      const { body } = await ask(`${url}/users`, { token: sent });
      return Array.isArray(body) ? body.map(({ username }) => username) : body;
    };
    expect(await names(`${several.url}/admin/realms/shop`, token)).toEqual(['of-shop']);
    expect(await names(`${several.url}/admin/realms/desk`, token)).toEqual(['of-desk']);
    const inner = `${several.url}/kc`;
    expect(await names(`${inner}/admin/realms/inner`, token)).toEqual({ error: 'HTTP 401 Unauthorized' });
    const own = String((await masterToken(inner)).body.access_token);
    expect(await names(`${inner}/admin/realms/inner`, own)).toEqual(['of-inner']);
  });

  it('are served below /auth, too', async () => {
    await using older = await createSandbox({ ...shop, issuer: 'http://localhost:9000/auth/realms/shop' });
    const base = `${older.url}/auth`;
    const signedIn = await masterToken(base);
    expect(signedIn.status).toBe(200);
    expect((await ask(`${base}/admin/realms/shop/users`, { token: String(signedIn.body.access_token) })).status).toBe(
      200,
    );
  });

  it('without a preset have no admin API', async () => {
    await using plain = await createSandbox();
    expect((await masterToken(plain.url)).status).toBe(404);
    expect((await ask(`${plain.url}/admin/realms`)).status).toBe(404);
  });
});
