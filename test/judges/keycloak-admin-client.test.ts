import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

const config: SandboxConfig = {
  preset: { name: 'keycloak', realm: 'shop' },
  clients: [
    { client_id: 'legacy', client_secret: 'legacy-secret', grant_types: ['password', 'refresh_token'] },
    { client_id: 'web', redirect_uris: ['http://localhost:3000/callback'] },
    { client_id: 'robot', client_secret: 'robot-secret', grant_types: ['client_credentials'] },
  ],
  users: [
    {
      sub: 'alice',
      claims: {
        preferred_username: 'alice',
        given_name: 'Alice',
        family_name: 'Archer',
        email: 'alice@example.com',
        email_verified: true,
        roles: ['admin'],
        client_roles: { legacy: ['editor'] },
        groups: ['/staff/sales'],
        department: 'sales',
      },
    },
    { sub: 'bob', claims: { given_name: 'Bob', email: 'bob@example.com' } },
  ],
};

let sandbox: Sandbox;
let admin: KeycloakAdminClient;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
beforeEach(async () => {
  await sandbox.reset();
  admin = await adminOf(sandbox.url);
});
afterAll(() => sandbox.stop());

/** The admin client as the page of Keycloak shows its use. */
async function adminOf(baseUrl: string): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl });
  await client.auth({ username: 'admin', password: 'admin', grantType: 'password', clientId: 'admin-cli' });
  client.setConfig({ realmName: 'shop' });
  return client;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const legacy = { client_id: 'legacy', client_secret: 'legacy-secret' };

async function tokenBy(form: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const url = `${sandbox.issuer}/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, ...((await response.json()) as object) };
}

/** The claims of an access token by the password grant, or the refusal. */
async function login(username: string, password: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await tokenBy({ grant_type: 'password', ...legacy, username, password });
  return typeof answer.access_token === 'string' ? decodeJwt(answer.access_token) : answer;
}

/** The status and the body of a refusal of the admin client. */
async function refusal(work: Promise<unknown>): Promise<{ readonly status?: number; readonly body?: unknown }> {
  try {
    await work;
    return {};
  } catch (error) {
    const { response, responseData } = error as { readonly response: Response; readonly responseData: unknown };
    return { status: response.status, body: responseData };
  }
}

describe('the admin client, with users', () => {
  it('creates a user, who logs in', async () => {
    const { id } = await admin.users.create({
      username: 'Carol',
      email: 'carol@example.com',
      emailVerified: true,
      firstName: 'Carol',
      lastName: 'Chan',
      enabled: true,
      attributes: { department: ['sales'], tags: ['a', 'b'] },
      credentials: [{ type: 'password', value: 'carol-password', temporary: false }],
    });
    expect(await admin.users.findOne({ id })).toMatchObject({
      id,
      username: 'carol',
      email: 'carol@example.com',
      emailVerified: true,
      firstName: 'Carol',
      lastName: 'Chan',
      enabled: true,
      attributes: { department: ['sales'], tags: ['a', 'b'] },
    });
    expect(await login('carol', 'carol-password')).toMatchObject({
      sub: id,
      preferred_username: 'carol',
      name: 'Carol Chan',
      email: 'carol@example.com',
    });
    expect(await login('carol', 'wrong')).toMatchObject({ status: 401, error_description: 'Invalid user credentials' });
  });

  it('sees, as the control API does, the users of the configuration, and changes them there', async () => {
    const [alice] = await admin.users.find({ username: 'alice', exact: true });
    expect(alice).toMatchObject({ username: 'alice', firstName: 'Alice', attributes: { department: ['sales'] } });
    const id = alice?.id ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(await admin.users.findOne({ id: 'alice' })).toEqual(alice);
    await admin.users.update({ id }, { firstName: 'Alicia', attributes: { department: ['support'] } });
    expect((await sandbox.users.get('alice'))?.claims).toMatchObject({
      given_name: 'Alicia',
      name: 'Alicia Archer',
      department: 'support',
      roles: ['admin'],
    });
    expect(sandbox.events.latest('configuration.changed', 1)).toMatchObject([
      { what: 'user', subject: 'alice', change: 'changed', members: ['claims'], by: 'api' },
    ]);
  });

  it.each([
    [{ search: 'ali' }, ['alice']],
    [{ search: '*rche*' }, ['alice']],
    [{ search: '"alice"' }, ['alice']],
    [{ search: 'lice' }, []],
    [{ email: 'example.com' }, ['alice', 'bob']],
    [{ email: 'example.com', exact: true }, []],
    [{ firstName: 'bo' }, ['bob']],
    [{ q: 'department:sales' }, ['alice']],
    [{ q: 'constructor:sales' }, []],
    [{ emailVerified: true }, ['alice']],
    [{ enabled: false }, []],
    [{ first: 1, max: 1 }, ['bob']],
    [{ max: 0 }, []],
  ])('finds users by %j', async (query, names) => {
    const found = await admin.users.find(query);
    expect(found.map(({ username }) => username)).toEqual(names);
    const { first: _, max: __, ...search } = query as { first?: number; max?: number };
    if (Object.keys(search).length > 0) expect(await admin.users.count(search)).toBe(names.length);
  });

  it('disables a user, who stays in the lists and cannot log in', async () => {
    await admin.users.update({ id: 'bob' }, { enabled: false });
    expect(await login('bob', 'any')).toMatchObject({ status: 401 });
    expect(await admin.users.find({ enabled: false })).toMatchObject([{ username: 'bob', enabled: false }]);
    await admin.users.update({ id: 'bob' }, { enabled: true, lastName: 'Brown' });
    expect(await login('bob', 'any')).toMatchObject({ sub: 'bob' });
  });

  it('sets and removes a password', async () => {
    await admin.users.resetPassword({ id: 'bob', credential: { type: 'password', value: 'new', temporary: false } });
    expect(await login('bob', 'old')).toMatchObject({ status: 401 });
    expect(await login('bob', 'new')).toMatchObject({ sub: 'bob' });
    const [credential] = await admin.users.getCredentials({ id: 'bob' });
    expect(credential).toMatchObject({ type: 'password' });
    await admin.users.deleteCredential({ id: 'bob', credentialId: credential?.id ?? '' });
    expect(await admin.users.getCredentials({ id: 'bob' })).toEqual([]);
    expect(await login('bob', 'old')).toMatchObject({ sub: 'bob' });
  });

  it('gives and takes roles, which tokens then have', async () => {
    const [editor] = await admin.users.listClientRoleMappings({ id: 'alice', clientUniqueId: 'legacy' });
    const [role] = (await admin.users.listRealmRoleMappings({ id: 'alice' })).filter(({ name }) => name === 'admin');
    expect([role?.name, editor?.name]).toEqual(['admin', 'editor']);
    const roles = [{ id: role?.id ?? '', name: 'admin' }];
    const available = await admin.users.listAvailableRealmRoleMappings({ id: 'bob' });
    expect(available.map(({ name }) => name)).toContain('admin');
    await admin.users.addRealmRoleMappings({ id: 'bob', roles });
    await admin.users.addClientRoleMappings({
      id: 'bob',
      clientUniqueId: editor?.containerId ?? '',
      roles: [{ id: editor?.id ?? '', name: 'editor' }],
    });
    const token = await login('bob', 'any');
    expect(token).toMatchObject({ resource_access: { legacy: { roles: ['editor'] } } });
    expect((token.realm_access as { roles: string[] }).roles).toContain('admin');
    expect(await admin.users.listRoleMappings({ id: 'bob' })).toMatchObject({
      realmMappings: [{ name: 'default-roles-shop' }, { name: 'admin' }],
      clientMappings: { legacy: { mappings: [{ name: 'editor' }] } },
    });
    await admin.users.delRealmRoleMappings({ id: 'bob', roles });
    expect((await sandbox.users.get('bob'))?.claims).not.toHaveProperty('roles');
  });

  it('lists the sessions of a user, and ends them with all tokens', async () => {
    const { access_token } = await sandbox.login({ user: 'alice', client: 'web', scope: 'openid', as: 'tokens' });
    const form = { grant_type: 'password', ...legacy, username: 'alice', password: 'any', scope: 'openid' };
    const { access_token: without } = await tokenBy(form);
    const userinfo = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${sandbox.issuer}/protocol/openid-connect/userinfo`, { headers })).status;
    };
    const [session] = await admin.users.listSessions({ id: 'alice' });
    expect(session).toMatchObject({ username: 'alice', userId: expect.stringMatching(uuid) });
    expect(Object.values(session?.clients ?? {})).toEqual(['web']);
    expect([await userinfo(access_token), await userinfo(String(without))]).toEqual([200, 200]);
    await admin.users.logout({ id: 'alice' });
    expect([await userinfo(access_token), await userinfo(String(without))]).toEqual([401, 401]);
    expect(await admin.users.listSessions({ id: 'alice' })).toEqual([]);
  });

  it('accepts requests for mails, and shows them in the log', async () => {
    await admin.users.executeActionsEmail({ id: 'alice', actions: ['UPDATE_PASSWORD' as never], lifespan: 60 });
    await admin.users.sendVerifyEmail({ id: 'alice' });
    const sent = sandbox.events.latest('request.completed', 2).map(({ path, status }) => [path, status]);
    expect(sent).toEqual([
      [expect.stringMatching(/send-verify-email$/), 204],
      [expect.stringMatching(/execute-actions-email$/), 204],
    ]);
  });

  it('removes a user', async () => {
    await admin.users.del({ id: 'alice' });
    expect(await admin.users.findOne({ id: 'alice' })).toBeNull();
    expect(await sandbox.users.get('alice')).toBeUndefined();
  });

  it('is refused in the words of Keycloak', async () => {
    expect(await refusal(admin.users.create({ username: 'alice' }))).toEqual({
      status: 409,
      body: { errorMessage: 'User exists with same username' },
    });
    expect(await refusal(admin.users.create({ username: 'dora', email: 'Bob@example.com' }))).toEqual({
      status: 409,
      body: { errorMessage: 'User exists with same email' },
    });
    expect(await refusal(admin.users.create({}))).toEqual({
      status: 400,
      body: { errorMessage: 'User name is missing' },
    });
    expect(await refusal(admin.users.del({ id: 'nobody' }))).toEqual({
      status: 404,
      body: { error: 'User not found' },
    });
    expect(await refusal(admin.users.find({ realm: 'other' }))).toEqual({
      status: 404,
      body: { error: 'Realm not found.' },
    });
    expect(await refusal(admin.components.find())).toMatchObject({
      status: 501,
      body: { error: 'HTTP 501 Not Implemented' },
    });
  });
});
