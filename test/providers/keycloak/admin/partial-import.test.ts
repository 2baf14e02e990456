import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../src/index.ts';
import { createSandbox } from '../../../../src/index.ts';

let sandbox: Sandbox;
let admin: string;
beforeAll(async () => {
  sandbox = await createSandbox({
    preset: { name: 'keycloak', realm: 'shop' },
    users: [{ sub: 'alice', claims: { given_name: 'Alice' } }],
  });
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
  const url = `${sandbox.url}/realms/master/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  admin = ((await response.json()) as { access_token: string }).access_token;
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

async function ask(path: string, sent?: object) {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
  const body = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) };
  const response = await fetch(`${sandbox.url}/admin/realms/shop${path}`, { headers, ...body });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}

const part = {
  roles: { realm: [{ name: 'auditor' }], client: { till: [{ name: 'cashier' }] } },
  groups: [{ name: 'staff', realmRoles: ['auditor'], subGroups: [{ name: 'night' }] }],
  clients: [{ clientId: 'till', publicClient: true, redirectUris: ['http://localhost:3000/callback'] }],
  users: [
    { username: 'alice', firstName: 'Alicia' },
    { username: 'Carol', enabled: true, groups: ['/staff/night'], clientRoles: { till: ['cashier'] } },
  ],
};

describe('a partial import', () => {
  it('creates what the realm does not have, and skips the rest', async () => {
    const { status, body } = await ask('/partialImport', { ...part, ifResourceExists: 'SKIP' });
    expect([status, body]).toMatchObject([200, { added: 6, skipped: 1, overwritten: 0 }]);
    expect(body.results).toContainEqual({
      action: 'ADDED',
      resourceType: 'CLIENT_ROLE',
      resourceName: 'till-->cashier',
      id: expect.any(String),
    });
    const carol = (await sandbox.users.list()).find(({ username }) => username === 'carol');
    expect(carol?.claims).toEqual({
      preferred_username: 'carol',
      roles: ['auditor'],
      client_roles: { till: ['cashier'] },
      groups: ['/staff/night'],
    });
    expect(await sandbox.clients.get('till')).toMatchObject({ redirect_uris: ['http://localhost:3000/callback'] });
    expect((await sandbox.users.get('alice'))?.claims).toEqual({ given_name: 'Alice' });
  });

  it('overwrites, if it is told so', async () => {
    const { users } = part;
    const { body } = await ask('/partialImport', { users: users.slice(0, 1), ifResourceExists: 'OVERWRITE' });
    expect(body).toMatchObject({ overwritten: 1, results: [{ action: 'OVERWRITTEN', resourceType: 'USER' }] });
    expect((await ask('/users?username=alice')).body).toMatchObject([{ firstName: 'Alicia' }]);
  });

  it('changes nothing if something exists that must not', async () => {
    expect(await ask('/partialImport', part)).toEqual({
      status: 409,
      body: { errorMessage: 'User with user name alice already exists' },
    });
    expect(await sandbox.clients.get('till')).toBeUndefined();
  });

  it.each([
    [{ ifResourceExists: 'MAYBE' }, 'ifResourceExists: expected FAIL, SKIP or OVERWRITE'],
    [{ users: [{}] }, 'the username of a user is missing'],
    [{ clients: [{}] }, 'the clientId of a client is missing'],
  ])('is refused for %j', async (sent, errorMessage) => {
    expect(await ask('/partialImport', sent)).toEqual({ status: 400, body: { errorMessage } });
  });
});
