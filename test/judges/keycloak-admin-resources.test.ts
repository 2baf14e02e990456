import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

const config: SandboxConfig = {
  preset: { name: 'keycloak', realm: 'shop' },
  clients: [
    {
      client_id: 'web',
      redirect_uris: ['http://localhost:3000/callback'],
      access_token_lifetime: 120,
      audience: 'api',
    },
    { client_id: 'legacy', client_secret: 'legacy-secret', grant_types: ['password'] },
    { client_id: 'robot', client_secret: 'robot-secret', grant_types: ['client_credentials'] },
  ],
  users: [
    {
      sub: 'alice',
      claims: {
        preferred_username: 'alice',
        roles: ['admin'],
        client_roles: { web: ['editor'] },
        groups: ['/staff/sales'],
      },
    },
    { sub: 'bob', claims: { preferred_username: 'bob', name: 'Bob' } },
  ],
  scopes: { orders: 'see orders' },
};

let sandbox: Sandbox;
let admin: KeycloakAdminClient;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
beforeEach(async () => {
  await sandbox.reset();
  admin = new KeycloakAdminClient({ baseUrl: sandbox.url });
  await admin.auth({ username: 'admin', password: 'admin', grantType: 'password', clientId: 'admin-cli' });
  admin.setConfig({ realmName: 'shop' });
});
afterAll(() => sandbox.stop());

type Claims = Readonly<Record<string, unknown>>;

async function token(form: Readonly<Record<string, string>>): Promise<Claims> {
  const url = `${sandbox.issuer}/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  const body = (await response.json()) as Claims;
  return typeof body.access_token === 'string' ? decodeJwt(body.access_token) : { status: response.status, ...body };
}

const login = (username: string, client = 'legacy', secret = 'legacy-secret') =>
  token({ grant_type: 'password', client_id: client, client_secret: secret, username, password: 'any' });

function rolesIn(claims: Claims, client?: string): readonly string[] {
  const access = (client === undefined ? claims.realm_access : (claims.resource_access as Claims)?.[client]) as
    | { readonly roles: readonly string[] }
    | undefined;
  return access?.roles ?? [];
}

async function refusal(work: Promise<unknown>): Promise<{ readonly status?: number; readonly body?: unknown }> {
  try {
    await work;
    return {};
  } catch (error) {
    const { response, responseData } = error as { readonly response: Response; readonly responseData: unknown };
    return { status: response.status, body: responseData };
  }
}

const names = (all: readonly { readonly name?: string }[]) => all.map(({ name }) => name);

describe('the admin client, with clients', () => {
  it('creates a client, which gets tokens for a user', async () => {
    const { id } = await admin.clients.create({
      clientId: 'cashier',
      name: 'Cashier',
      description: 'at the till',
      secret: 'cashier-secret',
      directAccessGrantsEnabled: true,
      redirectUris: ['https://cashier.example/callback'],
      webOrigins: ['https://other.example'],
      attributes: { 'access.token.lifespan': '60', 'post.logout.redirect.uris': 'https://cashier.example/' },
    });
    expect(await admin.clients.findOne({ id })).toMatchObject({
      id,
      clientId: 'cashier',
      description: 'at the till',
      standardFlowEnabled: true,
      directAccessGrantsEnabled: true,
      publicClient: false,
      redirectUris: ['https://cashier.example/callback'],
      attributes: { 'access.token.lifespan': '60' },
    });
    expect(await sandbox.clients.get('cashier')).toMatchObject({
      client_name: 'Cashier',
      grant_types: ['authorization_code', 'password', 'refresh_token'],
      access_token_lifetime: 60,
      post_logout_redirect_uris: ['https://cashier.example/'],
    });
    expect(await login('bob', 'cashier', 'cashier-secret')).toMatchObject({
      azp: 'cashier',
      preferred_username: 'bob',
    });
  });

  it('finds clients of the configuration, and those of every realm', async () => {
    const [web] = await admin.clients.find({ clientId: 'web' });
    expect(web).toMatchObject({ publicClient: true, redirectUris: ['http://localhost:3000/callback'] });
    const all = (await admin.clients.find()).map(({ clientId }) => clientId);
    expect(all).toEqual(expect.arrayContaining(['account', 'legacy', 'realm-management', 'robot', 'web']));
    const found = await admin.clients.find({ clientId: 'E', search: true });
    expect(found.map(({ clientId }) => clientId)).toEqual(expect.arrayContaining(['legacy', 'web']));
    expect(await admin.clients.findOne({ id: 'nobody' })).toBeNull();
  });

  it('changes members, and keeps those that a representation does not have', async () => {
    const [web] = await admin.clients.find({ clientId: 'web' });
    const id = web?.id ?? '';
    await admin.clients.update(
      { id },
      { ...web, redirectUris: ['http://localhost:4000/callback'], consentRequired: true },
    );
    expect(await sandbox.clients.get('web')).toEqual({
      client_id: 'web',
      redirect_uris: ['http://localhost:4000/callback'],
      require_consent: true,
      access_token_lifetime: 120,
      audience: 'api',
    });
    expect(sandbox.events.latest('configuration.changed', 1)).toMatchObject([
      { what: 'client', subject: 'web', members: ['redirect_uris', 'require_consent'], by: 'api' },
    ]);
    await sandbox.clients.patch('web', { client_name: 'Shop' });
    expect(await admin.clients.findOne({ id })).toMatchObject({ name: 'Shop', consentRequired: true });
  });

  it('disables a client, which then gets no tokens, and keeps one without flows for its roles', async () => {
    const [legacy] = await admin.clients.find({ clientId: 'legacy' });
    const id = legacy?.id ?? '';
    await admin.clients.update({ id }, { enabled: false });
    expect(await login('bob')).toMatchObject({ status: 401 });
    expect(await admin.clients.findOne({ id })).toMatchObject({ clientId: 'legacy', enabled: false });
    await admin.clients.update({ id }, { enabled: true });
    expect(await login('bob')).toMatchObject({ azp: 'legacy' });
    const api = await admin.clients.create({ clientId: 'api', bearerOnly: true });
    await admin.clients.createRole({ id: api.id, name: 'reader' });
    expect(names(await admin.clients.listRoles({ id: api.id }))).toEqual(['reader']);
    await admin.clients.del({ id: api.id });
    expect(await admin.clients.find({ clientId: 'api' })).toEqual([]);
  });

  it('reads and renews a secret', async () => {
    const [robot] = await admin.clients.find({ clientId: 'robot' });
    const id = robot?.id ?? '';
    expect(await admin.clients.getClientSecret({ id })).toEqual({ type: 'secret', value: 'robot-secret' });
    const { value = '' } = await admin.clients.generateNewClientSecret({ id });
    expect(value).not.toBe('robot-secret');
    const form = { grant_type: 'client_credentials', client_id: 'robot' };
    expect(await token({ ...form, client_secret: 'robot-secret' })).toMatchObject({ status: 401 });
    expect(await token({ ...form, client_secret: value })).toMatchObject({ azp: 'robot' });
  });

  it('gives a service account roles, with which it calls the admin API', async () => {
    const [robot] = await admin.clients.find({ clientId: 'robot' });
    const [management] = await admin.clients.find({ clientId: 'realm-management' });
    const clientUniqueId = management?.id ?? '';
    const account = await admin.clients.getServiceAccountUser({ id: robot?.id ?? '' });
    expect(account).toMatchObject({ username: 'service-account-robot', serviceAccountClientId: 'robot' });
    const machine = new KeycloakAdminClient({ baseUrl: sandbox.url, realmName: 'shop' });
    const credentials = { grantType: 'client_credentials', clientId: 'robot', clientSecret: 'robot-secret' } as const;
    await machine.auth(credentials);
    expect(await refusal(machine.users.find())).toEqual({ status: 403, body: { error: 'HTTP 403 Forbidden' } });
    const role = await admin.clients.findRole({ id: clientUniqueId, roleName: 'view-users' });
    const roles = [{ id: role?.id ?? '', name: role?.name ?? '' }];
    await admin.users.addClientRoleMappings({ id: account.id ?? '', clientUniqueId, roles });
    expect((await machine.users.find()).map(({ username }) => username)).toEqual(['alice', 'bob']);
    expect(await refusal(machine.users.del({ id: 'bob' }))).toMatchObject({ status: 403 });
    const claims = await token({ grant_type: 'client_credentials', client_id: 'robot', client_secret: 'robot-secret' });
    expect(rolesIn(claims, 'realm-management')).toEqual(['view-users']);
  });

  it('adds, changes and removes mappers of audiences and fixed claims', async () => {
    const [legacy] = await admin.clients.find({ clientId: 'legacy' });
    const id = legacy?.id ?? '';
    const config = { 'included.custom.audience': 'orders-api', 'access.token.claim': 'true' };
    const audience = { name: 'audience', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper', config };
    await admin.clients.addProtocolMapper({ id }, audience);
    const fixed = { 'claim.name': 'tenant', 'claim.value': 'north', 'access.token.claim': 'true' };
    await admin.clients.addMultipleProtocolMappers({ id }, [
      { name: 'tenant', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config: fixed },
    ]);
    const claims = await login('bob');
    expect([claims.aud].flat()).toContain('orders-api');
    expect(claims.tenant).toBe('north');
    const mapper = await admin.clients.findProtocolMapperByName({ id, name: 'audience' });
    const mapperId = mapper?.id ?? '';
    await admin.clients.updateProtocolMapper(
      { id, mapperId },
      { ...mapper, config: { ...config, 'included.custom.audience': 'stock-api' } },
    );
    expect([(await login('bob')).aud].flat()).toContain('stock-api');
    await admin.clients.delProtocolMapper({ id, mapperId });
    expect([(await login('bob')).aud].flat()).not.toContain('stock-api');
    const script = { name: 'x', protocol: 'openid-connect', protocolMapper: 'oidc-script-based-protocol-mapper' };
    expect(await refusal(admin.clients.addProtocolMapper({ id }, script))).toMatchObject({ status: 501 });
    expect(await refusal(admin.clients.addProtocolMapper({ id }, { ...audience, name: 'tenant' }))).toEqual({
      status: 409,
      body: { errorMessage: 'Protocol mapper exists with same name' },
    });
  });

  it('changes the scopes of a client, and shows the tokens that it would get', async () => {
    const [web] = await admin.clients.find({ clientId: 'web' });
    const id = web?.id ?? '';
    const scopes = await admin.clientScopes.find();
    const orders = scopes.find(({ name }) => name === 'orders');
    expect(names(await admin.clients.listDefaultClientScopes({ id }))).toEqual(
      expect.arrayContaining(['profile', 'email']),
    );
    await admin.clients.addDefaultClientScope({ id, clientScopeId: orders?.id ?? '' });
    expect((await sandbox.clients.get('web'))?.default_scope?.split(' ')).toContain('orders');
    const access = (await admin.clients.evaluateGenerateAccessToken({
      id,
      userId: 'alice',
      scope: 'openid',
      audience: '',
    })) as Claims;
    expect(String(access.scope).split(' ')).toContain('orders');
    expect(access.sub).toBe('alice');
    expect(await admin.clients.evaluateGenerateIdToken({ id, userId: 'alice', scope: 'openid' })).toMatchObject({
      aud: 'web',
    });
    expect(await admin.clients.evaluateGenerateUserInfo({ id, userId: 'alice', scope: 'openid' })).toMatchObject({
      sub: 'alice',
    });
    await admin.clients.delDefaultClientScope({ id, clientScopeId: orders?.id ?? '' });
    expect(names(await admin.clients.listDefaultClientScopes({ id }))).not.toContain('orders');
  });

  it('counts and lists the sessions of a client', async () => {
    await sandbox.login({ user: 'alice', client: 'web', as: 'tokens' });
    expect(await admin.clients.getSessionCount({ id: 'web' })).toEqual({ count: 1 });
    const [session] = await admin.clients.listSessions({ id: 'web' });
    expect(session).toMatchObject({ username: 'alice' });
    await admin.realms.deleteSession({ realm: 'shop', session: session?.id ?? '', isOffline: false });
    expect(await admin.clients.getSessionCount({ id: 'web' })).toEqual({ count: 0 });
  });

  it.each([
    [{ clientId: 'web' }, 409, 'Client web already exists'],
    [{ clientId: 'alice' }, 400, 'client_id: expected a client_id that is not the sub of a user (RFC 9068 section 5)'],
    [{ clientId: 'x', redirectUris: ['https://x.example*'] }, 400, /^redirectUris\[0\]: a pattern cannot be kept/],
    [{ clientId: 'x', redirectUris: ['javascript:alert(1)'] }, 400, /^redirectUris\[0\]: left out/],
    [{ clientId: 'x', protocol: 'saml' }, 400, 'left out, because the sandbox does not speak saml'],
    [{ clientId: 'x', implicitFlowEnabled: true }, 400, /implicit.*FEATURES=implicit=on/],
  ])('is refused to create %j', async (client, status, errorMessage) => {
    expect(await refusal(admin.clients.create(client))).toEqual({
      status,
      body: { errorMessage: typeof errorMessage === 'string' ? errorMessage : expect.stringMatching(errorMessage) },
    });
  });

  it('gives a client the id that it was created with', async () => {
    const id = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
    expect(await admin.clients.create({ clientId: 'chosen', id })).toEqual({ id });
    expect(await admin.clients.findOne({ id })).toMatchObject({ id, clientId: 'chosen' });
    expect(await refusal(admin.clients.create({ clientId: 'other', id }))).toMatchObject({ status: 409 });
    expect(await refusal(admin.clients.getServiceAccountUser({ id }))).toEqual({
      status: 400,
      body: { error: "Service account not enabled for the client 'chosen'" },
    });
  });

  it('cannot change clients of every realm', async () => {
    const [account] = await admin.clients.find({ clientId: 'account' });
    expect(await refusal(admin.clients.del({ id: account?.id ?? '' }))).toMatchObject({ status: 400 });
  });
});

describe('the admin client, with roles', () => {
  it('creates a role that nobody has, and forgets it with a reset', async () => {
    await admin.roles.create({ name: 'auditor', description: 'reads all', attributes: { level: ['3'] } });
    const role = await admin.roles.findOneByName({ name: 'auditor' });
    expect(role).toMatchObject({
      name: 'auditor',
      description: 'reads all',
      composite: false,
      attributes: { level: ['3'] },
    });
    expect(await admin.roles.findOneById({ id: role?.id ?? '' })).toEqual(role);
    expect(names(await admin.roles.find({ search: 'AUD' }))).toEqual(['auditor']);
    expect(await refusal(admin.roles.create({ name: 'auditor' }))).toEqual({
      status: 409,
      body: { errorMessage: 'Role with name auditor already exists' },
    });
    await sandbox.reset('configuration');
    expect(await admin.roles.findOneByName({ name: 'auditor' })).toBeNull();
  });

  it('renames and removes a role for all who have it', async () => {
    const role = await admin.roles.findOneByName({ name: 'admin' });
    await admin.roles.updateByName({ name: 'admin' }, { ...role, name: 'owner' });
    expect((await sandbox.users.get('alice'))?.claims).toMatchObject({ roles: ['owner'] });
    expect((await admin.roles.findUsersWithRole({ name: 'owner' })).map(({ username }) => username)).toEqual(['alice']);
    await admin.roles.delByName({ name: 'owner' });
    expect((await sandbox.users.get('alice'))?.claims).not.toHaveProperty('roles');
    expect(await refusal(admin.roles.delByName({ name: 'offline_access' }))).toMatchObject({ status: 400 });
  });

  it('composes roles, so that tokens have the parts', async () => {
    await admin.roles.create({ name: 'manager' });
    const manager = await admin.roles.findOneByName({ name: 'manager' });
    const editor = (await admin.clients.findRole({ id: 'web', roleName: 'editor' })) ?? {};
    const roles = [{ id: manager?.id ?? '', name: 'manager' }];
    await admin.users.addRealmRoleMappings({ id: 'bob', roles });
    await admin.roles.createComposite({ roleId: manager?.id ?? '' }, [editor]);
    expect(rolesIn(await login('bob'), 'web')).toEqual(['editor']);
    expect(names(await admin.roles.getCompositeRoles({ id: manager?.id ?? '' }))).toEqual(['editor']);
    expect(names(await admin.users.listClientRoleMappings({ id: 'bob', clientUniqueId: 'web' }))).toEqual([]);
    expect(names(await admin.users.listCompositeClientRoleMappings({ id: 'bob', clientUniqueId: 'web' }))).toEqual([
      'editor',
    ]);
    await admin.roles.delCompositeRoles({ id: manager?.id ?? '' }, [editor]);
    expect(rolesIn(await login('bob'), 'web')).toEqual([]);
    await admin.users.delRealmRoleMappings({ id: 'bob', roles });
    expect(rolesIn(await login('bob'))).not.toContain('manager');
  });

  it('has the roles of clients', async () => {
    await admin.clients.createRole({ id: 'web', name: 'reviewer' });
    expect(names(await admin.clients.listRoles({ id: 'web' }))).toEqual(['editor', 'reviewer']);
    await admin.clients.updateRole({ id: 'web', roleName: 'editor' }, { name: 'writer' });
    expect(rolesIn(await login('alice'), 'web')).toEqual(['writer']);
    expect((await admin.clients.findUsersWithRole({ id: 'web', roleName: 'writer' })).length).toBe(1);
    await admin.clients.delRole({ id: 'web', roleName: 'writer' });
    expect((await sandbox.users.get('alice'))?.claims).not.toHaveProperty('client_roles');
    expect(await refusal(admin.clients.delRole({ id: 'web', roleName: 'nothing' }))).toEqual({
      status: 404,
      body: { error: 'Could not find role' },
    });
  });
});

describe('the admin client, with groups', () => {
  it('finds groups of the configuration with their way down', async () => {
    const [staff] = await admin.groups.find();
    expect(staff).toMatchObject({ name: 'staff', path: '/staff', subGroupCount: 1 });
    const [sales] = await admin.groups.listSubGroups({ parentId: staff?.id ?? '' });
    expect(sales).toMatchObject({ name: 'sales', path: '/staff/sales', parentId: staff?.id });
    expect(await admin.realms.getGroupByPath({ realm: 'shop', path: 'staff/sales' })).toMatchObject({ id: sales?.id });
    expect((await admin.groups.listMembers({ id: sales?.id ?? '' })).map(({ username }) => username)).toEqual([
      'alice',
    ]);
    expect(await admin.groups.find({ search: 'sale' })).toMatchObject([
      { path: '/staff', subGroups: [{ path: '/staff/sales' }] },
    ]);
    expect(await admin.groups.count()).toEqual({ count: 2 });
  });

  it('puts a user into a new group, whose roles the user has then', async () => {
    const { id } = await admin.groups.create({ name: 'support' });
    const child = await admin.groups.createChildGroup({ id }, { name: 'night' });
    const admins = await admin.roles.findOneByName({ name: 'admin' });
    const roles = [{ id: admins?.id ?? '', name: 'admin' }];
    await admin.groups.addRealmRoleMappings({ id, roles });
    await admin.users.addToGroup({ id: 'bob', groupId: child.id });
    expect((await sandbox.users.get('bob'))?.claims).toMatchObject({ groups: ['/support/night'], roles: ['admin'] });
    expect(rolesIn(await login('bob'))).toContain('admin');
    expect(names(await admin.users.listRealmRoleMappings({ id: 'bob' }))).toEqual(['default-roles-shop']);
    expect((await admin.users.listGroups({ id: 'bob' })).map(({ path }) => path)).toEqual(['/support/night']);
    expect(await admin.users.countGroups({ id: 'bob' })).toEqual({ count: 1 });
    await admin.groups.update({ id }, { name: 'help' });
    expect((await sandbox.users.get('bob'))?.claims).toMatchObject({ groups: ['/help/night'], roles: ['admin'] });
    expect(await admin.groups.findOne({ id: child.id })).toMatchObject({ path: '/help/night' });
    await admin.groups.delRealmRoleMappings({ id, roles });
    expect(rolesIn(await login('bob'))).not.toContain('admin');
    await admin.users.delFromGroup({ id: 'bob', groupId: child.id });
    expect(await admin.groups.listMembers({ id: child.id })).toEqual([]);
    await admin.groups.del({ id });
    expect(await admin.groups.findOne({ id: child.id })).toBeNull();
  });

  it('is refused in the words of Keycloak', async () => {
    expect(await refusal(admin.groups.create({ name: 'staff' }))).toEqual({
      status: 409,
      body: { errorMessage: "Top level group named 'staff' already exists." },
    });
    const [staff] = await admin.groups.find();
    const again = admin.groups.createChildGroup({ id: staff?.id ?? '' }, { name: 'sales' });
    expect(await refusal(again)).toEqual({
      status: 409,
      body: { errorMessage: "Sibling group named 'sales' already exists." },
    });
    expect(await refusal(admin.groups.create({}))).toEqual({
      status: 400,
      body: { errorMessage: 'Group name is missing' },
    });
    expect(await refusal(admin.users.addToGroup({ id: 'bob', groupId: 'none' }))).toEqual({
      status: 404,
      body: { error: 'Group not found' },
    });
  });
});

describe('the admin client, with scopes and the realm', () => {
  it('creates, changes and removes client scopes', async () => {
    const { id } = await admin.clientScopes.create({ name: 'invoices', description: 'see invoices' });
    expect(await admin.clientScopes.findOne({ id })).toMatchObject({ name: 'invoices', description: 'see invoices' });
    expect(await sandbox.scopes.get('invoices')).toEqual({ name: 'invoices', description: 'see invoices' });
    await admin.clientScopes.update({ id }, { name: 'invoices', description: 'read invoices' });
    expect(await sandbox.scopes.get('invoices')).toMatchObject({ description: 'read invoices' });
    await admin.clientScopes.del({ id });
    expect(await admin.clientScopes.findOne({ id })).toBeNull();
    expect(names(await admin.clientScopes.listDefaultClientScopes())).toContain('profile');
    expect(names(await admin.clientScopes.listDefaultOptionalClientScopes())).toContain('orders');
    expect(await refusal(admin.clientScopes.create({ name: 'orders' }))).toEqual({
      status: 409,
      body: { errorMessage: 'Client Scope orders already exists' },
    });
  });

  it('reads the realm, and keeps what has no effect', async () => {
    expect((await admin.realms.find()).map(({ realm }) => realm)).toEqual(['shop']);
    await admin.realms.update({ realm: 'shop' }, { displayName: 'The Shop' });
    expect(await admin.realms.findOne({ realm: 'shop' })).toMatchObject({
      realm: 'shop',
      displayName: 'The Shop',
      accessTokenLifespan: 300,
    });
    expect(await refusal(admin.realms.update({ realm: 'shop' }, { accessTokenLifespan: 1 }))).toMatchObject({
      status: 400,
      body: { errorMessage: expect.stringMatching(/^accessTokenLifespan: the configuration decides/) },
    });
    expect(await admin.realms.findOne({ realm: 'other' })).toBeNull();
    expect(await refusal(admin.realms.create({ realm: 'new' }))).toMatchObject({ status: 501 });
    const { keys = [] } = await admin.realms.getKeys({ realm: 'shop' });
    expect(keys).toMatchObject([{ algorithm: 'RS256', status: 'ACTIVE', publicKey: expect.stringMatching(/^MII/) }]);
  });

  it('ends all sessions', async () => {
    await sandbox.login({ user: 'alice', client: 'web', as: 'tokens' });
    expect(await admin.realms.getClientSessionStats({ realm: 'shop' })).toMatchObject([
      { clientId: 'web', active: '1' },
    ]);
    await admin.realms.logoutAll({ realm: 'shop' });
    expect(await admin.users.listSessions({ id: 'alice' })).toEqual([]);
  });
});
