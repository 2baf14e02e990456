import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite } from '../support/site.ts';
import { authorizeQuery, get, post, signIn } from '../support/wire.ts';

const metadata = {
  redirect_uris: ['http://localhost:5173/callback'],
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code', 'client_credentials'],
  scope: 'openid products:read',
};

interface Information extends Readonly<Record<string, unknown>> {
  readonly client_id: string;
  readonly client_secret: string;
  readonly registration_client_uri: string;
  readonly registration_access_token: string;
}

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.stop());

const origin = 'https://app.example';
const local = 'http://localhost:6274';

function send(method: string, url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const json = { 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method, headers: { ...(body === undefined ? {} : json), ...headers }, body: text ?? null });
}

function registerAt({ url }: Sandbox, body: unknown = metadata, headers: Readonly<Record<string, string>> = {}) {
  return send('POST', `${url}/connect/register`, body, headers);
}

async function registered(body: unknown = metadata): Promise<Information> {
  return (await (await registerAt(sandbox, body)).json()) as Information;
}

const bearer = ({ registration_access_token: token }: Information) => ({ authorization: `Bearer ${token}` });

describe('registration over HTTP', () => {
  it('is announced, answers 201 without caching, and gives a client that works', async () => {
    const config = (await (await get(`${sandbox.url}/.well-known/openid-configuration`)).json()) as Information;
    expect(config.registration_endpoint).toBe(`${sandbox.issuer}/connect/register`);
    const response = await registerAt(sandbox);
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/json');
    const { client_id, client_secret, client_secret_expires_at } = (await response.json()) as Information;
    expect(client_secret_expires_at).toBe(0);
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'products:read' };
    const { access_token } = (await (await post(`${sandbox.url}/oauth2/token`, form)).json()) as Record<string, string>;
    const products = await get(`${sandbox.url}/api/products`, { authorization: `Bearer ${access_token}` });
    expect(products.status).toBe(200);
  });

  it('can be read, replaced and deleted at the address it gave', async () => {
    const information = await registered();
    const { registration_client_uri: uri, client_id } = information;
    expect(await (await send('GET', uri, undefined, bearer(information))).json()).toEqual(information);
    const replaced = await send('PUT', uri, { ...metadata, client_id, client_name: 'New' }, bearer(information));
    expect([replaced.status, await replaced.json()]).toMatchObject([200, { client_id, client_name: 'New' }]);
    const deleted = await send('DELETE', uri, undefined, bearer(information));
    expect([deleted.status, await deleted.text()]).toEqual([204, '']);
    expect((await send('GET', uri, undefined, bearer(information))).status).toBe(401);
  });

  it('of a deleted client leaves nothing behind: neither client nor tokens', async () => {
    const information = await registered();
    const { client_id, client_secret, registration_client_uri: uri } = information;
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const { access_token = '' } = (await (await post(`${sandbox.url}/oauth2/token`, form)).json()) as Record<
      string,
      string
    >;
    await send('DELETE', uri, undefined, bearer(information));
    expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(401);
    const authorization = `Basic ${btoa('sensor:sensor-secret')}`;
    const asked = await post(`${sandbox.url}/oauth2/introspect`, { token: access_token }, { authorization });
    expect(await asked.json()).toEqual({ active: false });
  });

  it('is shown by the dashboard, with pages that know clients of any origin', async () => {
    const response = await registerAt(sandbox);
    const page = await get(`${sandbox.url}/dashboard/requests/${response.headers.get('x-request-id')}`);
    expect(await page.text()).toContain('registered itself');
    for (const path of ['', '/tokens']) expect((await get(`${sandbox.url}/dashboard${path}`)).status).toBe(200);
  });

  it.each([
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no JSON', '{', {}, 400],
    ['nothing', '', {}, 400],
    ['a list', '[]', {}, 400],
    ['too much', `{"client_name": "${'x'.repeat(65 * 1024)}"}`, {}, 413],
  ])('is refused for a body that is %s', async (_what, body, headers, status) => {
    const response = await registerAt(sandbox, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
  });

  it.each([
    ['GET', '', 'POST'],
    ['PUT', '', 'POST'],
    ['POST', '/any', 'GET, HEAD, PUT, DELETE'],
  ])('is refused for the method %s at %j', async (method, path, allow) => {
    const body = method === 'GET' ? undefined : metadata;
    const response = await send(method, `${sandbox.url}/connect/register${path}`, body);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  it('cannot be confused by a path', async () => {
    const { registration_access_token } = await registered();
    const headers = { authorization: `Bearer ${registration_access_token}` };
    for (const path of ['__proto__', 'constructor', '%00', 'frontend', 'a%2Fb', '..%2Fregister']) {
      const response = await send('GET', `${sandbox.url}/connect/register/${path}`, undefined, headers);
      expect(response.status).toBe(401);
      await response.arrayBuffer();
    }
  });

  it.each(['POST', 'PUT', 'DELETE'])('answers the preflight of a page of this machine for %s', async method => {
    const path = method === 'POST' ? '' : '/any';
    const headers = {
      origin: local,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type',
    };
    const response = await send('OPTIONS', `${sandbox.url}/connect/register${path}`, undefined, headers);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(local);
    expect(response.headers.get('access-control-allow-methods')).toContain(method);
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
  });

  it('lets a page of this machine read what it answers', async () => {
    const response = await registerAt(sandbox, metadata, { origin: local });
    expect(response.headers.get('access-control-allow-origin')).toBe(local);
  });

  it('is forgotten by a reset', async () => {
    await using other = await createSandbox();
    const information = (await (await registerAt(other)).json()) as Information;
    await other.reset();
    const response = await send('GET', information.registration_client_uri, undefined, bearer(information));
    expect(response.status).toBe(401);
  });

  it('is limited where requests are', async () => {
    await using limited = await createSandbox({ rateLimit: 2 });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await registerAt(limited)).status);
    expect(statuses).toEqual([201, 201, 429]);
  });
});

describe('registration that is not open', () => {
  it('is neither announced nor answered when it is off', async () => {
    observes('setting registration');
    await using closed = await createSandbox({ registration: 'off' });
    const config = await (await get(`${closed.url}/.well-known/openid-configuration`)).json();
    expect(config).not.toHaveProperty('registration_endpoint');
    expect((await registerAt(closed)).status).toBe(501);
    expect((await send('GET', `${closed.url}/connect/register/any`)).status).toBe(501);
  });
});

describe('the login page of a client that describes itself', () => {
  it('shows the hosts of its document and of its redirect URI, and warns that anybody here may be listening', async () => {
    const site = await openSite(({ url }) => {
      const document = { client_id: url.href, client_name: 'Trust me', redirect_uris: ['http://127.0.0.1:33418/'] };
      return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(document) };
    });
    const client_id = `${site.elsewhere}/client.json`;
    const query = authorizeQuery({ client_id, redirect_uri: 'http://127.0.0.1:33418/' });
    const response = await get(`${sandbox.url}/oauth2/authorize?${query}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('Trust me');
    expect(html).toContain(`document at ${new URL(site.elsewhere).host}`);
    expect(html).toContain('return to <code>127.0.0.1:33418</code>');
    expect(html).toContain('any program that runs here');
    await site.close();
  });

  it('is a page with the reason where there is no such document, and nobody is redirected', async () => {
    const query = authorizeQuery({ client_id: 'http://127.0.0.1:1/client.json' });
    const response = await get(`${sandbox.url}/oauth2/authorize?${query}`, { accept: 'text/html' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(await response.text()).toContain('metadata_document_unavailable');
  });
});

describe('pairwise subjects', () => {
  it('stay the same with a seed, and with none are new on each start', async () => {
    const frontend = {
      client_id: 'frontend',
      subject_type: 'pairwise',
      redirect_uris: ['http://localhost:5173/callback'],
      scope: 'openid profile email',
    } as const;
    const subjects = [];
    for (const seed of ['a seed for tests', 'a seed for tests', undefined, undefined]) {
      await using run = await createSandbox({ clients: [frontend], ...(seed === undefined ? {} : { seed }) });
      subjects.push(decodeJwt((await signIn(run.url)).id_token).sub);
    }
    expect(subjects[0]).toMatch(/^[\w-]{43}$/);
    expect(subjects[0]).toBe(subjects[1]);
    expect(new Set(subjects).size).toBe(3);
  });
});

describe('protected resource metadata over HTTP', () => {
  const path = '/.well-known/oauth-protected-resource';

  it('may be kept as long as other metadata, and read from other origins', async () => {
    await using kept = await createSandbox({ metadataMaxAge: 60 });
    for (const name of ['products', 'bikes', 'products']) {
      const response = await get(`${kept.url}${path}/api/${name}`, { origin });
      expect(response.headers.get('cache-control')).toBe('public, max-age=60');
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(await response.json()).toMatchObject({ resource: `${kept.issuer}/api/${name}` });
    }
    const strange = await get(`${kept.url}${path}/api/cars`);
    expect([strange.status, strange.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('of an issuer with a path has that path after the well-known name', async () => {
    await using several = await createSandbox({ issuers: { tenant: {} } });
    const response = await get(`${several.url}${path}/tenant/api/products`);
    expect(await response.json()).toMatchObject({
      resource: `${several.issuer}/tenant/api/products`,
      authorization_servers: [`${several.issuer}/tenant`],
    });
    const refused = await get(`${several.url}/tenant/api/products`);
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${several.issuer}${path}/tenant/api/products"`,
    );
  });

  it('is neither served nor named in a challenge when it is off', async () => {
    await using off = await createSandbox({ features: { 'protected-resource-metadata': false } });
    expect((await get(`${off.url}${path}/api/products`)).status).toBe(501);
    for (const address of ['/api/products', '/userinfo']) {
      const challenge = (await get(off.url + address)).headers.get('www-authenticate');
      expect(challenge).toMatch(/^Bearer/);
      expect(challenge).not.toContain('resource_metadata');
    }
  });
});
