import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningChild, runningChild, startChild } from '../support/child.ts';
import { realmExport } from '../support/keycloak-realm.ts';

let cwd: string;
let sandbox: RunningChild;
let imported: Awaited<ReturnType<typeof run>>;

/** Runs a command of what ships to its end. */
async function run(...args: readonly string[]) {
  const child = startChild({ args, cwd });
  return { code: await child.ended, ...child.output };
}

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'grantbox-import-'));
  writeFileSync(join(cwd, 'realm.json'), JSON.stringify(realmExport()));
  imported = await run('import', 'realm.json', '--out', 'clients.config.ts');
  sandbox = await runningChild({ cwd });
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  rmSync(cwd, { recursive: true });
});

const backEnd = { client_id: 'back-end', client_secret: 'back-end-secret' };

async function post(form: Readonly<Record<string, string>>) {
  const url = `${sandbox.url}/realms/shop/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...backEnd, ...form }) });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> };
}

const login = (username: string, password: string, scope = 'openid') =>
  post({ grant_type: 'password', username, password, scope });

describe('a realm with 200 users that was imported', () => {
  it('is a configuration without problems', async () => {
    expect(imported).toMatchObject({ code: 0, stdout: 'clients.config.ts was written.\n' });
    expect(await run('validate')).toMatchObject({
      code: 0,
      stdout: 'clients.config.ts: no problems (clients: 2, users: 199)\n',
    });
  });

  it('has the roles of a user in the access token: own ones, those of groups, and the parts of composite roles', async () => {
    const { body } = await login('user0', 'password0');
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({
      sub: '00000000-0000-4000-8000-000000000000',
      scope: 'openid profile email staff',
      preferred_username: 'user0',
      realm_access: {
        roles: [
          'default-roles-shop',
          'offline_access',
          'uma_authorization',
          'customer',
          'manager',
          'reviewer',
          'employee',
        ],
      },
      resource_access: { web: { roles: ['editor'] }, 'back-end': { roles: ['approve', 'read'] } },
      aud: ['https://api.example', 'web', 'account'],
      groups: ['/acme/engineering/platform'],
      api_roles: ['approve', 'read'],
      department: 'department 0',
      site: 'Berlin',
      tenant: { id: 7 },
      locale: 'de',
    });
    expect(decodeJwt(body.id_token ?? '')).toMatchObject({ department: 'department 0', name: 'First0 Last0' });
  });

  it('lets a user log in by the plain password of the export, and by any if it has a hash', async () => {
    expect((await login('user3', 'wrong')).status).toBe(401);
    expect((await login('user1', 'anything')).status).toBe(200);
    expect((await login('user13', 'anything')).status).toBe(401);
  });

  it('releases at UserInfo the claims that mappers of a scope name', async () => {
    const { body } = await login('user1', 'anything');
    const response = await fetch(`${sandbox.url}/realms/shop/protocol/openid-connect/userinfo`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(await response.json()).toMatchObject({
      department: 'department 1',
      groups: ['/acme/sales'],
      roles: ['customer', 'employee'],
      email: 'user1@example.com',
    });
  });

  it('gives a service account its roles, and the audience and lifetime of its client', async () => {
    const { body } = await post({ grant_type: 'client_credentials' });
    const { aud, iat = 0, exp = 0, ...claims } = decodeJwt(body.access_token ?? '');
    expect([aud, exp - iat]).toEqual(['https://api.example', 120]);
    expect(claims).toMatchObject({
      realm_access: { roles: ['default-roles-shop', 'offline_access', 'uma_authorization', 'customer', 'employee'] },
      resource_access: { web: { roles: ['editor'] } },
    });
  });
});
