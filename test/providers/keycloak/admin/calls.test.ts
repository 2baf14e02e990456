import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../src/index.ts';
import { createSandbox } from '../../../../src/index.ts';
import { adminCalls } from '../../../../src/providers/keycloak/admin/admin.ts';

let sandbox: Sandbox;
let admin: string;
let nobody: string;
beforeAll(async () => {
  sandbox = await createSandbox({
    preset: { name: 'keycloak', realm: 'shop' },
    clients: [{ client_id: 'robot', client_secret: 'robot-secret', grant_types: ['client_credentials'] }],
    users: [{ sub: 'alice', claims: { groups: ['/staff'], roles: ['admin'], email: 'alice@example.com' } }],
  });
  admin = await tokenOf(`${sandbox.url}/realms/master`, {
    client_id: 'admin-cli',
    username: 'admin',
    password: 'admin',
  });
  nobody = await tokenOf(sandbox.issuer, { client_id: 'robot', client_secret: 'robot-secret' });
});
afterAll(() => sandbox.stop());

async function tokenOf(issuer: string, form: Readonly<Record<string, string>>): Promise<string> {
  const grant_type = 'password' in form ? 'password' : 'client_credentials';
  const url = `${issuer}/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ grant_type, ...form }) });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The path of a call with a name that exists for each name in braces. */
const known: Readonly<Record<string, string>> = {
  realm: 'shop',
  user: 'alice',
  client: 'robot',
  container: 'robot',
  role: 'admin',
  group: encodeURIComponent('/staff'),
  'path*': 'staff',
  scope: 'profile',
};
const pathOf = (path: string, names = known) => path.replace(/\{(.+?)\}/g, (_, name: string) => names[name] ?? 'x');

async function ask(method: string, path: string, token?: string, body?: string): Promise<Response> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return fetch(sandbox.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}

const guarded = adminCalls.filter(({ needs }) => needs !== undefined);
const rows = guarded.map(({ method, path }) => [method, path] as const);

describe('each call of the admin API', () => {
  it('is one of many, and there is only one of its method and path', () => {
    const all = adminCalls.map(({ method, path }) => `${method} ${path.replaceAll(/\{.+?\}/g, '{}')}`);
    expect(all.length).toBeGreaterThan(100);
    expect(new Set(all).size).toBe(all.length);
  });

  it('needs a token, and a role', async () => {
    for (const [method, path] of rows) {
      const without = await ask(method, pathOf(path));
      expect([method, path, without.status, await without.json()]).toEqual([
        ...[method, path, 401],
        { error: 'HTTP 401 Unauthorized' },
      ]);
      const refused = await ask(method, pathOf(path), nobody);
      expect([method, path, refused.status, await refused.json()]).toEqual([
        ...[method, path, 403],
        { error: 'HTTP 403 Forbidden' },
      ]);
    }
  });

  it('answers hostile bodies, queries and names with a refusal or a success, and never with a failure of its own', async () => {
    const bodies = [
      ...['null', '[]', '{}', '"x"', '1', '[null]', '[[]]', '[{"id":{}}]', '{"name":{}}', '{"attributes":[]}'],
      ...['{"name":"constructor"}', '{"name":"__proto__"}', '[{"name":"constructor"}]', '{"roles":{"client":{"a":1}}}'],
      ...['{"clientId":"constructor","attributes":{"jwks.url":1}}', '{"username":"\\u0000","email":"\\ud800"}'],
      ...['{"subGroups":[{"subGroups":[{}]}],"groups":[{"name":""}]}', '{"protocolMappers":[{"config":{"a":[]}}]}'],
    ];
    const query = '?first=-1&max=x&search=*&q=a:b&exact=true&userId=alice&scope=%00&clientId=__proto__&q=%22';
    for (const [method, path] of rows.filter(row => row[0] !== 'DELETE')) {
      for (const names of [known, {}, { ...known, user: '__proto__', client: 'constructor', role: 'toString' }]) {
        const at = pathOf(path, { realm: 'shop', ...names }) + query;
        for (const body of method === 'GET' ? [undefined] : bodies) {
          const { status } = await ask(method, at, admin, body);
          expect([method, at, body, status >= 500 && status !== 501]).toEqual([method, at, body, false]);
        }
      }
    }
  }, 60_000);
});
