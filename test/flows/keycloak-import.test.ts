import * as crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningChild, runningChild, startChild } from '../support/child.ts';
import { realmExport } from '../support/keycloak-realm.ts';
import { newFolder } from '../support/new-folder.ts';

let cwd: string;
let sandbox: RunningChild;
let imported: Awaited<ReturnType<typeof run>>;

/** Runs a command of what ships to its end. */
async function run(...args: readonly string[]) {
  const child = startChild({ args, cwd });
  return { code: await child.ended, ...child.output };
}

beforeAll(async () => {
  cwd = newFolder();
  writeFileSync(join(cwd, 'realm.json'), JSON.stringify(realmExport()));
  imported = await run('import', 'realm.json', '--out', 'clients.config.ts');
  sandbox = await runningChild({ cwd });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const backEnd = { client_id: 'back-end', client_secret: 'back-end-secret' };

async function post(form: Readonly<Record<string, string>>) {
  const url = `${sandbox.url}/realms/shop/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...backEnd, ...form }) });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> };
}

const login = (username: string, password: string, scope = 'openid') =>
  post({ grant_type: 'password', username, password, scope });

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const json = { accept: 'application/json' };
const hasArgon2 = typeof crypto.argon2 === 'function';

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

  it('lets a user log in by the password of the export, as text or as a hash', async () => {
    expect((await login('user3', 'wrong')).status).toBe(401);
    expect((await login('user1', 'password1')).status).toBe(200);
    expect((await login('user1', 'anything')).status).toBe(401);
    expect((await login('user2', 'password')).status).toBe(200);
    expect((await login('user2', 'anything')).status).toBe(hasArgon2 ? 401 : 200);
    const warning = 'any password is accepted for user2, user5,';
    expect(sandbox.output.stdout.includes(warning)).toBe(!hasArgon2);
    expect((await login('user13', 'anything')).status).toBe(401);
  });

  it('is hidden where passwords are: a hash is on no page, in no log and in no event', async () => {
    const pageWith = async (secrets: string) =>
      (await fetch(`${sandbox.url}/realms/shop/dashboard/users/${idOf(1)}?secrets=${secrets}`)).text();
    expect(await pageWith('shown')).toContain('$pbkdf2');
    const page = await pageWith('hidden');
    expect(page).toContain('Set as a hash. A new password replaces it.');
    const events = await (await fetch(`${sandbox.url}/realms/shop/_sandbox/events`, { headers: json })).text();
    for (const text of [page, sandbox.output.stdout, events]) expect(text).not.toMatch(/\$pbkdf2|\$argon2/);
  });

  it('releases at UserInfo the claims that mappers of a scope name', async () => {
    const { body } = await login('user1', 'password1');
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
