import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningChild, runningChild, startChild } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';

const machine = (clientId: string) => ({
  clientId,
  secret: 'a-secret',
  standardFlowEnabled: false,
  serviceAccountsEnabled: true,
});
const realm = (name: string, ...clients: object[]) => ({
  realm: name,
  clients,
  identityProviders: [{ alias: 'google' }],
});

let cwd: string;
const put = (name: string, value: unknown) => writeFileSync(join(cwd, name), JSON.stringify(value));
beforeAll(() => {
  cwd = newFolder();
  mkdirSync(join(cwd, 'realms'));
  put('realms/blue-realm.json', realm('blue', machine('blue-app')));
  put('realms/green-realm.json', realm('green', machine('${APP}-app')));
});

async function tokenOf({ url }: RunningChild, issuerPath: string, client_id: string) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret: 'a-secret' });
  const response = await fetch(`${url}${issuerPath}/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token, error = '' } = (await response.json()) as Readonly<Record<string, string>>;
  return access_token === undefined ? error : decodeJwt(access_token).iss;
}

describe('a start with imports', () => {
  it('has an issuer for each realm of a folder, where Keycloak has it, and tells once what it left out', async () => {
    await using sandbox = await runningChild({ args: ['--import', 'realms'], cwd, env: { APP: 'green' } });
    const { port, output, ready } = sandbox;
    const url = `http://localhost:${port}`;
    expect(ready.issuers).toBe(`${url}/realms/blue  ${url}/realms/green`);
    expect(await tokenOf(sandbox, '/realms/blue', 'blue-app')).toBe(`${url}/realms/blue`);
    expect(await tokenOf(sandbox, '/realms/green', 'green-app')).toBe(`${url}/realms/green`);
    expect(await tokenOf(sandbox, '/realms/green', 'blue-app')).toBe('invalid_client');
    const told = output.stdout.split('\n').filter(line => line.includes('was imported without'));
    expect(told).toEqual([
      expect.stringContaining('blue-realm.json was imported without these parts:\\n  - identityProviders: '),
      expect.stringContaining('green-realm.json was imported without these parts:'),
    ]);
  });

  it('has the issuers of mock-oauth2-server, with the claims of its requests', async () => {
    const requestMappings = [
      {
        requestParam: 'client_id',
        match: 'billing',
        claims: { aud: ['billing-api'], roles: ['batch'], app: '${clientId}' },
      },
      { requestParam: 'grant_type', match: 'client_credentials', claims: { roles: ['second'] } },
    ];
    put('mock.json', { tokenCallbacks: [{ issuerId: 'blue', tokenExpiry: 90, requestMappings }] });
    await using sandbox = await runningChild({ args: ['--import', 'mock.json'], cwd });
    const credentials = { client_id: 'billing', client_secret: 'billing-secret' };
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
    const response = await fetch(`${sandbox.url}/blue/oauth2/token`, { method: 'POST', body });
    const { access_token = '' } = (await response.json()) as Readonly<Record<string, string>>;
    const { iat = 0, exp, ...claims } = decodeJwt(access_token);
    expect(exp).toBe(iat + 90);
    expect(claims).toMatchObject({ aud: 'billing-api', roles: ['batch'], app: 'billing' });
    expect(claims.iss).toBe(`http://localhost:${sandbox.port}/blue`);
  });

  it('reads a realm again when its file changes', async () => {
    put('shop.json', realm('shop', machine('shop-app')));
    await using sandbox = await runningChild({ cwd, env: { IMPORT: 'shop.json' } });
    const issuer = `http://localhost:${sandbox.port}/realms/shop`;
    expect(await tokenOf(sandbox, '/realms/shop', 'shop-app')).toBe(issuer);
    expect(await tokenOf(sandbox, '/realms/shop', 'new-app')).toBe('invalid_client');
    put('shop.json', realm('shop', machine('shop-app'), machine('new-app')));
    while ((await tokenOf(sandbox, '/realms/shop', 'new-app')) !== issuer)
      await new Promise(resolve => setTimeout(resolve, 50));
  });

  it('ends with all problems at once', async () => {
    put('bad.json', { realms: [] });
    const child = startChild({ args: ['--import', 'bad.json', '--import', 'none.json', '--port', 'x'], cwd });
    expect(await child.ended).toBe(1);
    expect(child.output.stderr).toContain('The configuration has 3 problems:');
    expect(child.output.stderr).toContain(
      'flag --import: found "none.json", expected an export: none.json cannot be read',
    );
  });
});
