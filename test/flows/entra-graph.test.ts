import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey } from '../support/dpop.ts';
import { entraAt, type Members, origin, tenantConfig } from '../support/entra.ts';

let sandbox: Sandbox;
let app: ReturnType<typeof entraAt>;
let token: string;
let machine: string;
beforeAll(async () => {
  const { clients = [] } = tenantConfig;
  const reader = {
    client_id: 'reader',
    client_secret: 'reader-secret',
    grant_types: ['client_credentials'] as const,
    access_token_claims: { roles: ['Directory.Read.All', 'Application.Read.All'] },
  };
  const features = { dpop: true };
  sandbox = await createSandbox({ ...tenantConfig, clients: [...clients, reader], autoLogin: 'alice', features });
  app = entraAt(sandbox.issuer);
  token = String((await app.logIn('openid profile User.Read')).access_token);
  const form = { grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' };
  const { body } = await app.token({ ...form, client_id: 'reader', client_secret: 'reader-secret' }, {});
  machine = String(body.access_token);
});
afterAll(() => sandbox.stop());

async function graph(path: string, bearer = token, method = 'GET'): Promise<{ status: number; body: Members }> {
  const address = path.startsWith('http') ? path : `${sandbox.url}/v1.0${path}`;
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const body = method === 'POST' ? JSON.stringify({ securityEnabledOnly: false }) : null;
  const response = await fetch(address, { method, headers, body });
  return { status: response.status, body: (await response.json()) as Members };
}
const values = async (path: string, bearer = machine) => (await graph(path, bearer)).body.value as readonly Members[];
const namesOf = (all: readonly Members[]) => all.map(({ displayName }) => displayName);

describe('Microsoft Graph of the preset entra', () => {
  it('answers the user of the token, also below the tenant and to pages', async () => {
    const { oid } = decodeJwt(token);
    const { body } = await graph('/me');
    expect(body).toMatchObject({
      '@odata.context': `${sandbox.url}/v1.0/$metadata#users/$entity`,
      id: oid,
      displayName: 'Alice Archer',
      givenName: 'Alice',
      surname: 'Archer',
      mail: 'alice@example.com',
      userPrincipalName: 'alice@sandbox.onmicrosoft.com',
      businessPhones: [],
    });
    expect((await graph(`${sandbox.issuer}/v1.0/me`)).body).toEqual(body);
    const page = await fetch(`${sandbox.url}/v1.0/me?$select=displayName`, {
      headers: { authorization: `Bearer ${token}`, origin: 'http://localhost:3000' },
    });
    expect(page.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect(Object.keys((await page.json()) as object)).toEqual(['@odata.context', 'displayName']);
    expect((await graph('/me/photo/$value')).status).toBe(404);
  });

  it('lists direct groups, nested groups, and their ids as in the token', async () => {
    expect(namesOf(await values('/me/memberOf', token))).toEqual(['engineering']);
    expect(namesOf(await values('/me/transitiveMemberOf', token))).toEqual(['engineering', 'acme']);
    const { id_token } = await app.logIn('openid User.Read');
    expect((await graph('/me/getMemberObjects', token, 'POST')).body.value).toEqual(decodeJwt(String(id_token)).groups);
    expect((await graph('/me/getMemberGroups', token, 'POST')).status).toBe(200);
  });

  it('serves the groups of a token that has no room for them, where the token says', async () => {
    await sandbox.nextLogin({ client: 'spa', sub: 'bob' });
    const { id_token, access_token } = await app.logIn('openid User.Read', { prompt: 'login' });
    const claims = decodeJwt<{ _claim_sources: { src1: { endpoint: string } } }>(String(id_token));
    expect(claims).not.toHaveProperty('groups');
    expect(claims).toMatchObject({ _claim_names: { groups: 'src1' } });
    const { endpoint } = claims._claim_sources.src1;
    expect(endpoint).toBe(`${sandbox.url}/v1.0/users/${String(claims.oid)}/getMemberObjects`);
    expect((await graph(endpoint, String(access_token), 'POST')).body.value).toHaveLength(1);
    await sandbox.nextLogin({ client: 'web', sub: 'bob' });
    const front = await app.authorize('web', { response_type: 'id_token', scope: 'openid', prompt: 'login' });
    expect(decodeJwt(front.get('id_token') ?? '')).toMatchObject({ hasgroups: true });
  });

  it('lists users, groups, the organization and applications, with filters and pages', async () => {
    expect(namesOf(await values("/users?$filter=startswith(displayName,'al')"))).toEqual(['Alice Archer']);
    expect(namesOf(await values("/users?$filter=mail eq 'ALICE@example.com' and surname eq 'Archer'"))).toHaveLength(1);
    const first = (await graph('/users?$top=1&$count=true&$select=displayName', machine)).body;
    expect(first).toMatchObject({ '@odata.count': 2, value: [{ displayName: 'Alice Archer' }] });
    const second = (await graph(String(first['@odata.nextLink']), machine)).body;
    expect(second).toMatchObject({ value: [{ displayName: 'Bob Baker' }] });
    expect(second).not.toHaveProperty('@odata.nextLink');
    const [group] = await values("/groups?$filter=displayName eq 'engineering'");
    expect(await values("/groups?$filter=displayName eq 'Sales and Marketing'")).toEqual([]);
    expect(namesOf(await values(`/groups/${String(group?.id)}/members`))).toEqual(['Alice Archer']);
    expect((await graph(`/groups/${String(group?.id)}`, machine)).body).toMatchObject({ securityEnabled: true });
    expect(await values('/organization')).toMatchObject([{ verifiedDomains: [{ name: 'sandbox.onmicrosoft.com' }] }]);
    expect(await values("/applications?$filter=appId eq 'spa'")).toMatchObject([
      { spa: { redirectUris: [`${origin}/callback`] }, web: { redirectUris: [] } },
    ]);
    expect(await values("/servicePrincipals?$filter=appId eq 'reader'")).toMatchObject([
      { id: decodeJwt(machine).oid },
    ]);
    expect((await graph('/users/alice@sandbox.onmicrosoft.com', machine)).body).toMatchObject({ surname: 'Archer' });
  });

  it('refuses in the form of Graph: tokens, rights, filters, strangers and calls that it does not serve', async () => {
    const api = String((await app.logIn('openid api://bikes/read')).access_token);
    const refused = async (path: string, bearer?: string, method?: string) => {
      const { status, body } = await graph(path, bearer, method);
      const { code, innerError } = body.error as { code: string; innerError: object };
      expect(innerError).toHaveProperty('request-id');
      return [status, code];
    };
    expect(await refused('/me', api)).toEqual([401, 'InvalidAuthenticationToken']);
    expect(await refused('/me', 'x')).toEqual([401, 'InvalidAuthenticationToken']);
    expect(await refused('/users')).toEqual([403, 'Authorization_RequestDenied']);
    expect(await refused("/users?$filter=mail ne 'x'", machine)).toEqual([400, 'Request_BadRequest']);
    expect(await refused('/users?$top=-1', machine)).toEqual([400, 'Request_BadRequest']);
    expect(await refused('/users/nobody', machine)).toEqual([404, 'Request_ResourceNotFound']);
    expect(await refused('/users?$top=0', machine)).toEqual([400, 'Request_BadRequest']);
    expect(await refused('/me/messages')).toEqual([501, 'NotImplemented']);
    expect(await refused('/me', undefined, 'PATCH')).toEqual([405, 'Request_BadRequest']);
    expect((await graph('/me/messages')).body).toMatchObject({
      error: {
        message:
          'this sandbox speaks like Microsoft Graph, but does not serve this call; the nearest call is GET /v1.0/me',
      },
    });
    expect(await refused('/me', machine)).toEqual([404, 'Request_ResourceNotFound']);
  });

  it('refuses a token that is bound to a key and comes without a proof', async () => {
    const { proof } = await createDpopKey();
    const DPoP = await proof({ htu: `${sandbox.issuer}/oauth2/v2.0/token`, iat: sandbox.clock() });
    const form = { grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' };
    const { body } = await app.token({ ...form, client_id: 'reader', client_secret: 'reader-secret' }, { DPoP });
    expect(body).toMatchObject({ token_type: 'DPoP' });
    expect((await graph('/users', String(body.access_token))).status).toBe(401);
  });
});
