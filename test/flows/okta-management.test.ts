import { createHash, pbkdf2Sync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

const config: SandboxConfig = {
  preset: 'okta',
  scopes: { 'okta.users.read': 'reads users', 'okta.groups.manage': 'changes groups' },
  clients: [
    {
      client_id: 'robot',
      client_secret: 'robot-secret',
      grant_types: ['client_credentials'],
      scope: 'okta.users.read okta.groups.manage',
    },
    {
      client_id: 'web',
      client_secret: 'web-secret',
      redirect_uris: ['http://localhost:3000/callback'],
      require_pkce: false,
    },
    {
      client_id: 'legacy',
      client_secret: 'legacy-secret',
      grant_types: ['password'],
      scope: 'openid email groups okta.users.read',
    },
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
        department: 'sales',
        groups: ['/admins'],
      },
    },
    { sub: 'bob', claims: { given_name: 'Bob', email: 'bob@example.com' } },
  ],
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

type Members = Readonly<Record<string, unknown>>;
interface Answered {
  readonly status: number;
  readonly body: Members & { readonly id: string; readonly profile: Members };
  readonly list: readonly (Members & { readonly id: string; readonly profile: Members })[];
  readonly link: string;
}

async function api(what: string, json?: unknown, authorization = 'SSWS any-token', at = sandbox): Promise<Answered> {
  const [method = '', path = ''] = what.split(/ (.*)/s, 2);
  const headers = { authorization, ...(json !== undefined && { 'content-type': 'application/json' }) };
  const sent = json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) };
  const response = await fetch(path.startsWith('http') ? path : `${at.url}/api/v1${path}`, {
    method,
    headers,
    ...sent,
  });
  const text = await response.text();
  const body = text === '' ? {} : JSON.parse(text);
  return { status: response.status, body, list: body, link: response.headers.get('link') ?? '' };
}

const profile = { firstName: 'Zoe', lastName: 'Zimmer', email: 'zoe@example.com', login: 'zoe@example.com' };
const withPassword = { profile, credentials: { password: { value: 'zoe-password' } } };

async function tokenOf(
  username: string,
  password: string,
  scope = 'openid email',
): Promise<Members & { status: number }> {
  const form = {
    grant_type: 'password',
    client_id: 'legacy',
    client_secret: 'legacy-secret',
    username,
    password,
    scope,
  };
  const response = await fetch(`${sandbox.issuer}/v1/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, ...((await response.json()) as Members) };
}

async function machineToken(scope: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'robot', client_secret: 'robot-secret', scope };
  const response = await fetch(`${sandbox.issuer}/v1/token`, { method: 'POST', body: new URLSearchParams(form) });
  return String(((await response.json()) as Members).access_token);
}

describe('the Users API', () => {
  it('reads users by id and by login', async () => {
    const { status, body } = await api('GET /users/00ualice0000000000d7');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: '00ualice0000000000d7',
      status: 'ACTIVE',
      profile: {
        login: 'alice@example.com',
        firstName: 'Alice',
        lastName: 'Archer',
        department: 'sales',
        mobilePhone: null,
      },
      credentials: { password: {}, provider: { type: 'OKTA', name: 'OKTA' } },
    });
    expect(body.profile).not.toHaveProperty('groups');
    expect((await api('GET /users/bob%40example.com')).body).toMatchObject({ id: 'bob', lastLogin: null });
    expect(await api('GET /users/nobody')).toMatchObject({
      status: 404,
      body: { errorCode: 'E0000007', errorSummary: 'Not found: Resource not found: nobody (User)', errorCauses: [] },
    });
  });

  it('creates a user who logs in with the password', async () => {
    const { status, body } = await api('POST /users?activate=true', withPassword);
    expect([status, body]).toMatchObject([
      200,
      { id: expect.stringMatching(/^00u\w{17}$/), status: 'ACTIVE', profile },
    ]);
    const { status: granted, id_token } = await tokenOf('zoe@example.com', 'zoe-password');
    expect(granted).toBe(200);
    expect(decodeJwt(String(id_token))).toMatchObject({ sub: body.id, email: 'zoe@example.com' });
    expect((await tokenOf('zoe@example.com', 'x')).status).toBe(400);
  });

  const salt = Buffer.from('&*GAH*AO*AL)AF#P(AHG#A').toString('base64');
  const sha = (name: string, text: string) => createHash(name).update(text).digest('base64');
  const bcrypt = {
    algorithm: 'BCRYPT',
    workFactor: 10,
    salt: 'qRRx8rli7Lvs2h2CNgCQ2O',
    value: 'mVA2NDdomRGoGFrAXDZcno0OZ6CoOU2',
  };
  const pbkdf2 = {
    algorithm: 'PBKDF2',
    digestAlgorithm: 'SHA512_HMAC',
    iterationCount: 4096,
    keySize: 64,
    salt: Buffer.from('nacl').toString('base64'),
    value: pbkdf2Sync('zoe-password', 'nacl', 4096, 64, 'sha512').toString('base64'),
  };
  it.each([
    // two examples of support.okta.com
    ['BCRYPT', bcrypt, 'P@ssword123456'],
    [
      'SHA-512, with the salt last',
      {
        algorithm: 'SHA-512',
        salt,
        saltOrder: 'POSTFIX',
        value: 'Zz6KwLGDm7ospSipwpDmxAjBWHKPLgGh1roGzI267h6txr/ihTI/R4K2eYrpyc0R24qCSF6DRqNl110vZZtj4A==',
      },
      's3cr3tp@ssw0rd',
    ],
    [
      'SHA-256, with the salt first',
      {
        algorithm: 'SHA-256',
        salt: Buffer.from('nacl').toString('base64'),
        saltOrder: 'PREFIX',
        value: sha('sha256', 'naclzoe-password'),
      },
      'zoe-password',
    ],
    ['SHA-1', { algorithm: 'SHA-1', value: sha('sha1', 'zoe-password') }, 'zoe-password'],
    ['MD5', { algorithm: 'MD5', value: sha('md5', 'zoe-password') }, 'zoe-password'],
    ['PBKDF2', pbkdf2, 'zoe-password'],
  ])('imports a hash by %s', async (_, hash, password) => {
    const { status, body } = await api('POST /users', { profile, credentials: { password: { hash } } });
    expect([status, body]).toMatchObject([200, { status: 'ACTIVE', credentials: { password: {} } }]);
    expect((await tokenOf('zoe@example.com', password)).status).toBe(200);
    expect((await tokenOf('zoe@example.com', `${password}x`)).status).toBe(400);
  });

  it.each([
    [
      'a function that Okta does not have',
      { ...bcrypt, algorithm: 'SCRYPT' },
      'hash.algorithm must be one of BCRYPT, ',
    ],
    ['a cost that takes too long', { ...bcrypt, workFactor: 20 }, 'expected bcrypt with a cost from 04 to 15, '],
    ['no cost', { ...bcrypt, workFactor: undefined }, 'by BCRYPT cannot be checked here: expected bcrypt with a cost'],
    ['half a digest', { algorithm: 'SHA-1', value: 'c2Fs' }, 'by SHA-1 cannot be checked here: expected a hash of 20'],
    [
      'no order of the salt',
      { algorithm: 'MD5', salt, value: sha('md5', 'x') },
      'hash.saltOrder must be one of PREFIX',
    ],
    ['another digest', { ...pbkdf2, digestAlgorithm: 'MD5' }, 'hash.digestAlgorithm must be one of SHA256_HMAC, '],
    ['another length', { ...pbkdf2, keySize: 32 }, 'hash.keySize must be the length of hash.value in bytes, 64'],
    ['few iterations', { ...pbkdf2, iterationCount: 1000 }, 'hash.iterationCount must be 4096 or more'],
  ])('says why a hash is refused: %s', async (_, hash, cause) => {
    expect(await api('POST /users', { profile, credentials: { password: { hash } } })).toMatchObject({
      status: 400,
      body: { errorCode: 'E0000001', errorCauses: [{ errorSummary: expect.stringContaining(cause) }] },
    });
  });

  it('changes the password to a hash while the user is staged', async () => {
    const hashed = { credentials: { password: { hash: pbkdf2 } } };
    const { body } = await api('POST /users?activate=false', {
      profile,
      credentials: { password: { value: 'first' } },
    });
    expect((await api(`POST /users/${body.id}`, hashed)).status).toBe(200);
    await api(`POST /users/${body.id}/lifecycle/activate`);
    expect((await tokenOf('zoe@example.com', 'zoe-password')).status).toBe(200);
    expect(await api(`POST /users/${body.id}`, hashed)).toMatchObject({
      status: 400,
      body: { errorCauses: [{ errorSummary: expect.stringContaining('STAGED') }] },
    });
  });

  it('names the member of a profile that is missing or taken', async () => {
    for (const [sent, member, cause] of [
      [{ profile: { ...profile, login: '' } }, 'login', 'login: The field cannot be left blank'],
      [
        { profile: { ...profile, login: 'Alice@example.com' } },
        'login',
        'login: An object with this field already exists in the current organization',
      ],
      [{ profile: { ...profile, groups: ['x'] } }, 'groups', expect.stringMatching(/^groups: /)],
      [{ profile, credentials: { password: 'x' } }, 'password', expect.stringMatching(/^password: /)],
    ] as const) {
      expect(await api('POST /users', sent)).toMatchObject({
        status: 400,
        body: {
          errorCode: 'E0000001',
          errorSummary: `Api validation failed: ${member}`,
          errorLink: 'E0000001',
          errorCauses: [{ errorSummary: cause }],
        },
      });
    }
    expect(await api('POST /users', '{')).toMatchObject({ status: 400, body: { errorCode: 'E0000003' } });
  });

  it('changes some members by POST, and replaces the profile by PUT', async () => {
    const changed = await api('POST /users/bob', { profile: { lastName: 'Baker', nickName: 'Bobby' } });
    expect(changed.body.profile).toMatchObject({ firstName: 'Bob', lastName: 'Baker', nickName: 'Bobby' });
    await api('POST /users/bob', { profile: { nickName: null } });
    expect((await api('GET /users/bob')).body.profile).not.toHaveProperty('nickName');
    const replaced = await api('PUT /users/alice@example.com', { profile: { ...profile, login: 'alice@example.com' } });
    expect(replaced.body.profile).not.toHaveProperty('department');
    expect((await api('GET /users/00ualice0000000000d7/groups')).list.map(each => each.profile.name)).toEqual([
      'Everyone',
      'admins',
    ]);
  });

  it('finds users by q, filter and search', async () => {
    await api('POST /users?activate=false', { profile: { ...profile, department: 'sales' } });
    const found = async (query: string) =>
      (await api(`GET /users?${query}`)).list.map(({ profile: { firstName } }) => firstName);
    expect(await found('q=al')).toEqual(['Alice']);
    expect(await found(`filter=${encodeURIComponent('status eq "STAGED"')}`)).toEqual(['Zoe']);
    expect(
      await found(
        `search=${encodeURIComponent('profile.department eq "sales" and (status eq "ACTIVE" or profile.login sw "bob")')}`,
      ),
    ).toEqual(['Alice']);
    expect(
      await found(`search=${encodeURIComponent('profile.email ew "@example.com" and profile.nickName pr')}`),
    ).toEqual([]);
    for (const invalid of [
      'status',
      'status eq',
      'status is "x"',
      '(status pr',
      'status eq "x" status',
      '('.repeat(100),
      `id eq "${'x'.repeat(3000)}"`,
    ])
      expect(await api(`GET /users?search=${encodeURIComponent(invalid)}`)).toMatchObject({
        status: 400,
        body: { errorCode: 'E0000031', errorSummary: 'Invalid search criteria.' },
      });
  });

  it('has pages, whose header Link leads to the next one', async () => {
    await api('POST /users', { profile });
    const names: unknown[] = [];
    let next: string | undefined = `${sandbox.url}/api/v1/users?limit=2`;
    while (next !== undefined) {
      const page: Answered = await api(`GET ${next}`);
      expect(page.list.length).toBeLessThanOrEqual(2);
      names.push(...page.list.map(each => each.profile.firstName));
      next = /<([^>]+)>; rel="next"/.exec(page.link)?.[1];
    }
    expect(names).toEqual(['Alice', 'Bob', 'Zoe']);
    expect((await api('GET /users?limit=0')).status).toBe(400);
    expect((await api('GET /users?after=nobody')).status).toBe(400);
  });

  it('removes a user in two steps', async () => {
    expect((await api('DELETE /users/bob')).status).toBe(204);
    expect((await api('GET /users/bob')).body.status).toBe('DEPROVISIONED');
    expect((await api('GET /users')).list.map(({ id }) => id)).not.toContain('bob');
    expect((await api('DELETE /users/bob')).status).toBe(204);
    expect((await api('GET /users/bob')).status).toBe(404);
  });
});

describe('the lifecycle of a user', () => {
  const lifecycle = (user: string, what: string) => api(`POST /users/${user}/lifecycle/${what}`);

  it('keeps a staged, suspended or deactivated user out', async () => {
    const { body } = await api('POST /users?activate=false', withPassword);
    const login = async () => (await tokenOf('zoe@example.com', 'zoe-password')).status;
    const statusOf = async () => (await api(`GET /users/${body.id}`)).body.status;
    expect([await statusOf(), await login()]).toEqual(['STAGED', 400]);
    expect((await lifecycle(body.id, 'activate?sendEmail=false')).body).toEqual({
      activationUrl: `${sandbox.issuer}/dashboard/users/${body.id}`,
    });
    expect([await statusOf(), await login()]).toEqual(['ACTIVE', 200]);
    for (const [out, status, back] of [
      ['suspend', 'SUSPENDED', 'unsuspend'],
      ['deactivate', 'DEPROVISIONED', 'activate'],
    ] as const) {
      expect((await lifecycle(body.id, out)).status).toBe(200);
      expect([await statusOf(), await login()]).toEqual([status, 400]);
      expect((await lifecycle(body.id, back)).body).toEqual({});
      expect([await statusOf(), await login()]).toEqual(['ACTIVE', 200]);
    }
    expect((await api(`GET /users/${body.id}`)).body.profile).toMatchObject(profile);
  });

  it('takes the password away until there is another one', async () => {
    expect((await lifecycle('alice@example.com', 'reset_password')).body).toEqual({});
    expect((await api('GET /users/alice@example.com')).body).toMatchObject({ status: 'RECOVERY' });
    await api('POST /users/alice@example.com', { credentials: { password: { value: 'new-password' } } });
    expect((await api('GET /users/alice@example.com')).body).toMatchObject({ status: 'ACTIVE' });
    expect((await tokenOf('alice@example.com', 'new-password')).status).toBe(200);
    expect((await tokenOf('alice@example.com', 'alice-password')).status).toBe(400);
  });

  it('has no step that the status does not allow', async () => {
    expect(await lifecycle('bob', 'activate')).toMatchObject({ status: 403, body: { errorCode: 'E0000016' } });
    expect(await lifecycle('bob', 'reactivate')).toMatchObject({ status: 403, body: { errorCode: 'E0000038' } });
    expect(await lifecycle('bob', 'unsuspend')).toMatchObject({ status: 400, body: { errorCode: 'E0000001' } });
    const { body } = await api('POST /users', { profile });
    expect(body.status).toBe('PROVISIONED');
    expect((await lifecycle(body.id, 'reactivate')).status).toBe(200);
    expect((await lifecycle(body.id, 'suspend')).status).toBe(400);
  });

  it('tells the last login, and ends the sessions of a user', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ username: 'alice@example.com', password: 'alice-password' });
    const authn = await fetch(`${sandbox.url}/api/v1/authn`, { method: 'POST', headers, body });
    const { sessionToken } = (await authn.json()) as { sessionToken: string };
    const redirect_uri = 'http://localhost:3000/callback';
    const query = { client_id: 'web', response_type: 'code', scope: 'openid', redirect_uri, sessionToken };
    const url = `${sandbox.issuer}/v1/authorize?${new URLSearchParams(query)}`;
    const signedIn = await fetch(url, { redirect: 'manual' });
    const cookie = signedIn.headers
      .getSetCookie()
      .map(line => line.split(';', 1)[0])
      .join('; ');
    const me = async () => (await fetch(`${sandbox.url}/api/v1/sessions/me`, { headers: { cookie } })).status;
    expect(await me()).toBe(200);
    expect((await api('GET /users/alice@example.com')).body.lastLogin).toMatch(/^20\d\d-.*Z$/);
    expect((await api('DELETE /users/alice@example.com/sessions')).status).toBe(204);
    expect(await me()).toBe(404);
  });
});

describe('the Groups API', () => {
  it('puts users into groups, which their tokens name', async () => {
    const created = await api('POST /groups', { profile: { name: 'engineering', description: 'Builders' } });
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^00g\w{17}$/),
      type: 'OKTA_GROUP',
      profile: { name: 'engineering', description: 'Builders' },
    });
    const { id } = created.body;
    expect((await api(`PUT /groups/${id}/users/00ualice0000000000d7`)).status).toBe(204);
    expect((await api(`GET /groups/${id}/users`)).list.map(each => each.id)).toEqual(['00ualice0000000000d7']);
    await api('POST /authorizationServers/default/scopes', { name: 'groups' });
    const { id_token } = await tokenOf('alice@example.com', 'alice-password', 'openid groups');
    expect(decodeJwt(String(id_token)).groups).toEqual(['Everyone', 'admins', 'engineering']);
    const renamed = await api(`PUT /groups/${id}`, { profile: { name: 'builders' } });
    expect(renamed.body).toMatchObject({ id, profile: { name: 'builders' } });
    expect((await api('GET /users/00ualice0000000000d7/groups')).list.map(each => each.profile.name)).toEqual([
      'Everyone',
      'admins',
      'builders',
    ]);
    expect((await api(`DELETE /groups/${id}/users/00ualice0000000000d7`)).status).toBe(204);
    expect((await api(`DELETE /groups/${id}`)).status).toBe(204);
    expect((await api(`GET /groups/${id}`)).status).toBe(404);
  });

  it('finds groups, and keeps the one that everybody is in', async () => {
    const [everyone] = (await api('GET /groups?q=every')).list;
    expect(everyone).toMatchObject({ type: 'BUILT_IN', profile: { name: 'Everyone' } });
    expect(await api(`DELETE /groups/${everyone?.id}`)).toMatchObject({ status: 403, body: { errorCode: 'E0000006' } });
    const search = encodeURIComponent('type eq "OKTA_GROUP" and profile.name sw "adm"');
    expect((await api(`GET /groups?search=${search}`)).list.map(each => each.profile.name)).toEqual(['admins']);
    expect((await api('POST /groups', { profile: { name: 'Admins' } })).status).toBe(400);
  });
});

describe('apps and authorization servers', () => {
  it('creates an app that gets tokens while it is active', async () => {
    const settings = { oauthClient: { grant_types: ['client_credentials'], response_types: ['token'] } };
    const created = await api('POST /apps', { label: 'Job', signOnMode: 'OPENID_CONNECT', settings });
    expect(created).toMatchObject({ status: 200, body: { label: 'Job', status: 'ACTIVE' } });
    const { client_id, client_secret } = (created.body.credentials as { oauthClient: Record<string, string> })
      .oauthClient;
    const form = {
      grant_type: 'client_credentials',
      client_id: String(client_id),
      client_secret: String(client_secret),
      scope: 'email',
    };
    const statusOf = async () =>
      (await fetch(`${sandbox.issuer}/v1/token`, { method: 'POST', body: new URLSearchParams(form) })).status;
    expect(await statusOf()).toBe(200);
    expect(await api(`DELETE /apps/${client_id}`)).toMatchObject({ status: 403, body: { errorCode: 'E0000056' } });
    expect((await api(`POST /apps/${client_id}/lifecycle/deactivate`)).status).toBe(200);
    expect(await statusOf()).toBe(400);
    expect((await api(`POST /apps/${client_id}/lifecycle/activate`)).status).toBe(200);
    expect(await statusOf()).toBe(200);
    await api(`PUT /apps/${client_id}`, { label: 'Night job', signOnMode: 'OPENID_CONNECT', settings });
    expect((await api('GET /apps?q=night')).list.map(each => each.id)).toEqual([client_id]);
    await api(`POST /apps/${client_id}/lifecycle/deactivate`);
    expect((await api(`DELETE /apps/${client_id}`)).status).toBe(204);
    expect((await api('POST /apps', { label: 'SAML', signOnMode: 'SAML_2_0' })).status).toBe(400);
  });

  it('adds claims to tokens by expressions, and takes them away', async () => {
    const at = '/authorizationServers/default/claims';
    const claim = { name: 'dept', claimType: 'RESOURCE', valueType: 'EXPRESSION', value: 'user.department' };
    const { status, body } = await api(`POST ${at}`, claim);
    expect([status, body]).toMatchObject([201, claim]);
    const claimsOf = async () => decodeJwt(String((await tokenOf('alice@example.com', 'alice-password')).access_token));
    expect(await claimsOf()).toMatchObject({ dept: 'sales' });
    await api(`PUT ${at}/${body.id}`, { ...claim, value: '"fixed"' });
    expect(await claimsOf()).toMatchObject({ dept: 'fixed' });
    expect((await api(`GET ${at}`)).list.map(({ id }) => id)).toEqual([body.id]);
    expect((await api(`DELETE ${at}/${body.id}`)).status).toBe(204);
    expect(await claimsOf()).not.toHaveProperty('dept');
    for (const value of ['Groups.startsWith("x")', 'user.a + user.b', '']) {
      expect(await api(`POST ${at}`, { ...claim, value })).toMatchObject({
        status: 400,
        body: { errorCode: 'E0000001' },
      });
    }
    expect((await api(`POST ${at}`, { ...claim, name: 'exp' })).status).toBe(400);
  });

  it('shows the authorization server with its scopes', async () => {
    const [server] = (await api('GET /authorizationServers')).list;
    expect(server).toMatchObject({
      id: 'default',
      issuer: sandbox.issuer,
      audiences: ['api://default'],
      status: 'ACTIVE',
    });
    const scopes = '/authorizationServers/default/scopes';
    const { body, status } = await api(`POST ${scopes}`, { name: 'cars:read', description: 'Reads cars' });
    expect([status, body]).toMatchObject([201, { name: 'cars:read', description: 'Reads cars', system: false }]);
    expect((await api(`PUT ${scopes}/${body.id}`, { name: 'cars:read', description: 'Cars' })).body.description).toBe(
      'Cars',
    );
    const metadata = (await (await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).json()) as Members;
    expect(metadata.scopes_supported).toContain('cars:read');
    expect((await api(`DELETE ${scopes}/${body.id}`)).status).toBe(204);
    expect((await api(`POST ${scopes}`, { name: 'x', default: true })).status).toBe(400);
    expect((await api('GET /authorizationServers/other/scopes')).status).toBe(404);
  });
});

describe('a caller', () => {
  it('has the rights of the scopes of the access token', async () => {
    const bearer = `Bearer ${await machineToken('okta.users.read')}`;
    expect((await api('GET /users', undefined, bearer)).status).toBe(200);
    expect(await api('POST /users', withPassword, bearer)).toMatchObject({
      status: 403,
      body: { errorCode: 'E0000006' },
    });
    const manager = `Bearer ${await machineToken('okta.groups.manage')}`;
    expect((await api('GET /groups', undefined, manager)).status).toBe(200);
  });

  it('without a credential, or with one that is not of this issuer, is refused', async () => {
    expect(await api('GET /users', undefined, '')).toMatchObject({ status: 401, body: { errorCode: 'E0000005' } });
    expect(await api('GET /users', undefined, 'Bearer x')).toMatchObject({
      status: 401,
      body: { errorCode: 'E0000011' },
    });
  });

  it('needs the CONTROL_TOKEN where there is one, and no token of a user replaces it', async () => {
    await using closed = await createSandbox({ ...config, controlToken: 'the-control-token' });
    expect((await api('GET /users', undefined, 'SSWS x', closed)).status).toBe(401);
    expect((await api('GET /users', undefined, 'SSWS the-control-token', closed)).status).toBe(200);
    const { token } = await closed.issueToken({ client: 'legacy', user: 'bob', scope: 'okta.users.read' });
    expect((await api('GET /users', undefined, `Bearer ${token}`, closed)).status).toBe(403);
  });

  it.each([
    ['GET /users/bob/factors', ''],
    ['PUT /users', '; the nearest call is GET /api/v1/users'],
  ])('is told of %s that it is not served, and of the call that was meant', async (call, nearest) => {
    expect(await api(call)).toMatchObject({
      status: 501,
      body: {
        errorCode: 'E0000060',
        errorSummary: 'Unsupported operation.',
        errorCauses: [{ errorSummary: `this sandbox speaks like Okta, but does not serve this call${nearest}` }],
      },
    });
  });
});
