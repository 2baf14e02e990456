import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManagementClient, ManagementError } from 'auth0';
import express from 'express';
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

const config: SandboxConfig = {
  preset: 'auth0',
  clients: [
    { client_id: 'manager', client_secret: 'manager-secret', grant_types: ['client_credentials'] },
    { client_id: 'reader', client_secret: 'reader-secret', grant_types: ['client_credentials'], scope: 'read:users' },
    {
      client_id: 'worker',
      client_secret: 'worker-secret',
      grant_types: ['client_credentials'],
      scope: 'read:bikes',
      audience: ['https://api.example'],
    },
    { client_id: 'spa', redirect_uris: ['http://localhost:3000/'], scope: 'openid profile email' },
  ],
  users: [
    {
      sub: 'alice',
      claims: { name: 'Alice Archer', email: 'alice@example.com', email_verified: true, roles: ['admin'] },
    },
    { sub: 'bob', claims: { name: 'Bob Brewer', email: 'bob@example.com', organizations: [{ name: 'acme' }] } },
  ],
};

let sandbox: Sandbox;
let management: ManagementClient;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
beforeEach(async () => {
  await sandbox.reset();
  management = managementOf('manager', 'manager-secret');
});
afterAll(() => sandbox.stop());

/** The SDK calls https://{domain}; the test sends the same requests to the sandbox, and changes nothing else. */
const toSandbox: typeof fetch = (input, init) => fetch(String(input).replace('https://', 'http://'), init);

function managementOf(clientId: string, clientSecret: string): ManagementClient {
  const domain = new URL(sandbox.issuer).host;
  const audience = `${sandbox.issuer}/api/v2/`;
  return new ManagementClient({ domain, clientId, clientSecret, audience, fetch: toSandbox, maxRetries: 0 });
}

const names = (list: readonly { readonly name?: string | undefined }[]) => list.map(({ name }) => name);

/** The status and the members of the answer with which a call fails. */
async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ManagementError) return error.body;
    throw error;
  }
  return 'no error';
}

describe('the Management API, by the SDK of the provider', () => {
  it('creates, finds, changes, blocks and removes users', async () => {
    const created = await management.users.create({
      connection: 'Username-Password-Authentication',
      email: 'Carol@Example.com',
      password: 'carol-password',
      user_metadata: { color: 'red' },
      app_metadata: { plan: 'gold' },
    });
    const id = String(created.user_id);
    expect(created).toMatchObject({
      user_id: expect.stringMatching(/^auth0\|[0-9a-f]{24}$/),
      email: 'carol@example.com',
      email_verified: false,
      nickname: 'Carol',
      identities: [{ connection: 'Username-Password-Authentication', provider: 'auth0', isSocial: false }],
      logins_count: 0,
    });
    await management.users.update(id, { user_metadata: { size: 'small' }, given_name: 'Carol' });
    expect(await management.users.get(id)).toMatchObject({
      given_name: 'Carol',
      user_metadata: { color: 'red', size: 'small' },
    });
    await management.users.update(id, { blocked: true });
    expect(await management.users.get(id)).toMatchObject({ blocked: true });
    await management.users.update(id, { blocked: false });
    expect(names(await management.users.listUsersByEmail({ email: 'carol@example.com' }))).toEqual([
      'Carol@Example.com',
    ]);
    await management.users.delete(id);
    expect(await failure(management.users.get(id))).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'The user does not exist.',
      errorCode: 'inexistent_user',
    });
  });

  it.each([
    ['email:"alice@example.com"', ['Alice Archer']],
    ['email:*@example.com', ['Alice Archer', 'Bob Brewer']],
    ['name:bob* OR email:alice*', ['Alice Archer', 'Bob Brewer']],
    ['email:*@example.com AND NOT name:"Bob Brewer"', ['Alice Archer']],
    ['identities.provider:auth0', ['Alice Archer', 'Bob Brewer']],
    ['nobody', []],
  ])('searches users by %s', async (q, found) => {
    const page = await management.users.list({ q, sort: 'name:1' });
    expect(names(page.data)).toEqual(found);
  });

  it('refuses a search that it cannot read', async () => {
    expect(await failure(management.users.list({ q: '(a OR b)' }))).toMatchObject({ statusCode: 400 });
    expect(await failure(management.users.list({ q: 'email:' }))).toMatchObject({ statusCode: 400 });
  });

  it('pages its lists', async () => {
    const page = await management.users.list({ per_page: 1, page: 1, sort: 'name:1' });
    expect(names(page.data)).toEqual(['Bob Brewer']);
    expect(page.response).toMatchObject({ start: 1, limit: 1, length: 1, total: 2 });
  });

  it('gives users roles and permissions', async () => {
    const role = await management.roles.create({ name: 'editor', description: 'may edit' });
    const [bob] = await management.users.listUsersByEmail({ email: 'bob@example.com' });
    const id = String(bob?.user_id);
    await management.users.roles.assign(id, { roles: [String(role.id)] });
    expect(names((await management.users.roles.list(id)).data)).toEqual(['editor']);
    expect((await management.roles.users.list(String(role.id))).data).toMatchObject([{ user_id: 'auth0|bob' }]);
    expect(names((await management.roles.list()).data)).toEqual(['admin', 'editor']);
    const permissions = [{ permission_name: 'read:bikes', resource_server_identifier: 'https://api.example' }];
    await management.roles.permissions.add(String(role.id), { permissions });
    expect((await management.roles.permissions.list(String(role.id))).data).toMatchObject(permissions);
    await management.users.permissions.create(id, { permissions });
    expect((await management.users.permissions.list(id)).data).toMatchObject(permissions);
    await management.users.permissions.delete(id, { permissions });
    expect((await management.users.permissions.list(id)).data).toEqual([]);
    await management.roles.delete(String(role.id));
    expect((await management.users.roles.list(id)).data).toEqual([]);
  });

  it('keeps organizations and their members', async () => {
    const [acme] = (await management.organizations.list()).data;
    expect(acme).toMatchObject({ name: 'acme', id: expect.stringMatching(/^org_\w{16}$/) });
    const made = await management.organizations.create({ name: 'new-one', display_name: 'New one' });
    const id = String(made.id);
    await management.organizations.members.create(id, { members: ['auth0|alice'] });
    expect((await management.organizations.members.list(id)).data).toMatchObject([{ user_id: 'auth0|alice' }]);
    expect(names((await management.users.organizations.list('auth0|alice')).data)).toEqual(['new-one']);
    const [admin] = (await management.roles.list()).data;
    await management.organizations.members.roles.assign(id, 'auth0|alice', { roles: [String(admin?.id)] });
    expect(names((await management.organizations.members.roles.list(id, 'auth0|alice')).data)).toEqual(['admin']);
    await management.organizations.delete(id);
    expect((await management.users.organizations.list('auth0|alice')).data).toEqual([]);
  });

  it('creates clients, APIs and grants, which then work', async () => {
    const client = await management.clients.create({ name: 'New machine', app_type: 'non_interactive' });
    await management.resourceServers.create({ identifier: 'https://new.example', scopes: [{ value: 'write:new' }] });
    const grant = { client_id: String(client.client_id), audience: 'https://new.example', scope: ['write:new'] };
    const created = await management.clientGrants.create(grant);
    expect(created).toMatchObject(grant);
    const response = await fetch(`${sandbox.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(client.client_id),
        client_secret: String(client.client_secret),
        audience: 'https://new.example',
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    expect(decodeJwt(access_token)).toMatchObject({ aud: 'https://new.example', scope: 'write:new' });
    await management.clients.update(String(client.client_id), { name: 'Renamed' });
    expect(await management.clients.get(String(client.client_id))).toMatchObject({ name: 'Renamed' });
    await management.clientGrants.delete(String(created.id));
    await management.clients.delete(String(client.client_id));
    expect(await failure(management.clients.get(String(client.client_id)))).toMatchObject({ statusCode: 404 });
  });

  it('answers connections, tickets, jobs and logs', async () => {
    const [connection] = (await management.connections.list()).data;
    expect(connection).toMatchObject({ name: 'Username-Password-Authentication', strategy: 'auth0' });
    const { ticket } = await management.tickets.verifyEmail({ user_id: 'auth0|bob' });
    expect(ticket).toMatch(/\/u\/email-verification\?ticket=/);
    expect(await management.users.get('auth0|bob')).toMatchObject({ email_verified: true });
    expect(await management.jobs.verificationEmail.create({ user_id: 'auth0|bob' })).toMatchObject({
      status: 'pending',
    });
    expect((await management.logs.list()).data).toEqual(expect.any(Array));
  });

  it('refuses a client that has no scope for a call, and a token for another API', async () => {
    const reader = managementOf('reader', 'reader-secret');
    expect((await reader.users.list()).data).toHaveLength(2);
    expect(await failure(reader.users.delete('auth0|bob'))).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'Insufficient scope, expected any of: delete:users',
      errorCode: 'insufficient_scope',
    });
    const { token } = await sandbox.issueToken({ client: 'worker', audience: 'https://api.example' });
    const response = await fetch(`${sandbox.issuer}/api/v2/users`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(401);
    expect((await fetch(`${sandbox.issuer}/api/v2/users`)).status).toBe(401);
  });

  it('tells a limit, and the nearest call for one that it does not serve', async () => {
    const { access_token } = (await (
      await fetch(`${sandbox.issuer}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: 'manager',
          client_secret: 'manager-secret',
          audience: `${sandbox.issuer}/api/v2/`,
        }),
      })
    ).json()) as { access_token: string };
    const ask = (path: string) =>
      fetch(`${sandbox.issuer}/api/v2${path}`, { headers: { authorization: `Bearer ${access_token}` } });
    const { headers } = await ask('/users');
    expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
    const response = await ask('/rules');
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      statusCode: 501,
      error: 'Not Implemented',
      errorCode: 'not_implemented',
    });
  });
});

describe('an API behind express-oauth2-jwt-bearer', () => {
  let api: Server;
  let address: string;
  beforeAll(async () => {
    const app = express();
    app.use(auth({ issuerBaseURL: `${sandbox.issuer}/`, audience: 'https://api.example' }));
    app.get('/bikes', requiredScopes('read:bikes'), (_req, res) => res.json({ bikes: 1 }));
    app.use((error: { status?: number }, _req: unknown, res: express.Response, _next: unknown) => {
      res.status(error.status ?? 500).end();
    });
    api = app.listen(0);
    await once(api, 'listening');
    address = `http://localhost:${(api.address() as AddressInfo).port}/bikes`;
  });
  afterAll(() => new Promise(resolve => api.close(resolve)));

  it('accepts a token of the tenant with the scope, and no other', async () => {
    const ask = async (request: Parameters<Sandbox['issueToken']>[0]) => {
      const { token } = await sandbox.issueToken(request);
      return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    const access = { client: 'worker', audience: 'https://api.example' };
    expect(await ask({ ...access, scope: 'read:bikes' })).toBe(200);
    expect(await ask({ ...access, claims: { scope: 'write:bikes' } })).toBe(403);
    expect(await ask({ ...access, audience: 'https://other.example', scope: 'read:bikes' })).toBe(401);
    expect(await ask({ ...access, scope: 'read:bikes', defect: 'expired' })).toBe(401);
  });
});
