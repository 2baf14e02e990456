import { X509Certificate } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { entraAt, type Members, origin, tenant, tenantConfig } from '../support/entra.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

let sandbox: Sandbox;
let app: ReturnType<typeof entraAt>;
beforeAll(async () => {
  sandbox = await createSandbox({ ...tenantConfig, autoLogin: 'alice' });
  app = entraAt(sandbox.issuer);
});
afterAll(() => sandbox.stop());

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(path.startsWith('http') ? path : sandbox.url + path, { headers, redirect: 'manual' });
  return { status: response.status, body: (await response.json()) as Members, location: response.headers };
};
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const claimsOf = (token: unknown): Members => decodeJwt(String(token));
const everyScope = 'openid profile email offline_access User.Read';

describe('the preset entra', () => {
  it('has the metadata, tokens and answers of the golden file', async () => {
    const graph = await app.logIn(everyScope);
    const api = await app.logIn('openid api://bikes/read');
    const legacy = await app.logIn('openid api://legacy/.default');
    const web = { client_id: 'web', client_secret: 'web-secret' };
    const machine = await app.token({ grant_type: 'client_credentials', scope: 'api://bikes/.default', ...web }, {});
    const refused = await app.token({ grant_type: 'client_credentials', client_id: 'nobody' });
    const random = [
      'sid',
      'uti',
      'sub',
      'refresh_token',
      'kid',
      'x5t',
      'x5c',
      'n',
      'timestamp',
      'trace_id',
      'refresh_token_expires_in',
    ];
    const { body: keys } = await get(`/${tenant}/discovery/v2.0/keys`);
    expectGolden(
      'entra',
      {
        metadata: steadyHosts((await get(`/${tenant}/v2.0/.well-known/openid-configuration`)).body),
        commonMetadata: steadyHosts((await get('/common/v2.0/.well-known/openid-configuration')).body),
        firstMetadata: steadyHosts((await get(`/${tenant}/.well-known/openid-configuration`)).body),
        instanceDiscovery: steadyHosts((await get('/common/discovery/instance')).body),
        key: steadyHosts((keys.keys as readonly Members[])[0] ?? {}),
        tokenResponse: graph,
        accessTokenHeader: decodeProtectedHeader(String(api.access_token)) as Members,
        graphToken: claimsOf(graph.access_token),
        accessToken: claimsOf(api.access_token),
        firstAccessToken: claimsOf(legacy.access_token),
        idToken: claimsOf(graph.id_token),
        userinfo: (await get('/oidc/userinfo', bearer(graph.access_token))).body,
        machineResponse: machine.body,
        machineToken: claimsOf(machine.body.access_token),
        error: { ...refused.body, error_description: '(text)', error_uri: '(page)' },
      },
      { url: sandbox.url, random: [...random, 'correlation_id'] },
    );
  });

  it('keeps every promise of its metadata', async () => {
    const promises = await metadataPromises(
      { ...tenantConfig, keysFile: writeKeysFile() },
      { identifier: address => `${address}/v2.0` },
    );
    const unknown =
      /^(http_logout_supported|tenant_region_scope|cloud_\w+|msgraph_host) .*: no check knows this member$/;
    expect(notKept(promises).filter(line => !unknown.test(line))).toEqual([]);
  });

  it('answers at common, organizations, consumers and the domain as at the tenant, and at no other name', async () => {
    for (const name of ['common', 'organizations', 'consumers', 'sandbox.onmicrosoft.com']) {
      const other = entraAt(`${sandbox.url}/${name}`);
      const { id_token } = await other.logIn(everyScope);
      expect(claimsOf(id_token)).toMatchObject({ iss: `${sandbox.issuer}/v2.0`, tid: tenant });
      expect((await get(`/${name}/discovery/keys`)).status).toBe(200);
    }
    const { body: own } = await get('/sandbox.onmicrosoft.com/v2.0/.well-known/openid-configuration');
    expect(own.issuer).toBe(`${sandbox.issuer}/v2.0`);
    const stranger = entraAt(`${sandbox.url}/contoso`);
    expect(await stranger.token({ client_id: 'spa' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_codes: [90002] },
    });
  });

  it('signs tokens of both versions by keys with certificates', async () => {
    const { body } = await get('/common/discovery/v2.0/keys');
    const { keys } = body as unknown as { keys: readonly { x5c: readonly string[]; alg?: string }[] };
    for (const { x5c, alg } of keys) {
      expect(alg).toBeUndefined();
      const certificate = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'));
      expect(certificate.verify(certificate.publicKey)).toBe(true);
    }
    const set = createLocalJWKSet(body as unknown as JSONWebKeySet);
    const { access_token, id_token } = await app.logIn('openid api://legacy/read');
    await jwtVerify(String(id_token), set, { issuer: `${sandbox.issuer}/v2.0`, audience: 'spa' });
    await jwtVerify(String(access_token), set, { issuer: `${sandbox.issuer}/`, audience: 'api://legacy' });
  });

  it('gives each application its own sub and all the same oid', async () => {
    const page = claimsOf((await app.logIn(everyScope)).id_token);
    const code = (await app.authorize('web')).get('code') ?? '';
    const server = claimsOf((await app.token(app.webRedemption(code), {})).body.id_token);
    expect(server.oid).toBe(page.oid);
    expect(server.sub).not.toBe(page.sub);
  });

  it('answers tokens of version 1.0 with numbers as texts, for a resource in place of scopes', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'web',
      redirect_uri: 'https://web.example/callback',
      resource: 'api://bikes',
    });
    const first = await fetch(`${sandbox.url}/common/oauth2/authorize?${query}`, { redirect: 'manual' });
    const second = await fetch(first.headers.get('location') ?? '', { redirect: 'manual' });
    const code = new URL(second.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { code_verifier: _, ...form } = app.webRedemption(code);
    const { body } = await app.post('/oauth2/token', { ...form, resource: 'api://bikes' });
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: '4500',
      ext_expires_in: '4500',
      resource: 'api://bikes',
    });
    expect(body.expires_on).toMatch(/^\d{10}$/);
    expect(claimsOf(body.id_token)).toMatchObject({ ver: '1.0', iss: `${sandbox.issuer}/`, upn: expect.any(String) });
    expect(claimsOf(body.access_token)).toMatchObject({ ver: '2.0', aud: 'api://bikes', scp: 'read' });
  });

  it('knows the permissions of Graph that nobody configured, in any case', async () => {
    const scope = 'openid mail.send https://graph.microsoft.com/Calendars.Read';
    const { scope: granted, access_token } = await app.logIn(scope);
    expect(granted).toBe('openid Mail.Send Calendars.Read');
    expect(claimsOf(access_token)).toMatchObject({ scp: 'openid Mail.Send Calendars.Read', ver: '1.0' });
    const form = { grant_type: 'password', username: 'alice', password: 'alice-password', scope: '.default' };
    await using tested = await createSandbox({
      preset: 'entra',
      users: tenantConfig.users ?? [],
      clients: [{ client_id: 'bare', client_secret: 's', grant_types: ['password'], scope: 'openid' }],
    });
    const bare = { client_id: 'bare', client_secret: 's' };
    expect((await entraAt(tested.issuer).token({ ...form, ...bare }, {})).body.scope).toBe('User.Read');
  });

  it('ends the session for an application that sends only its address', async () => {
    const query = new URLSearchParams({ post_logout_redirect_uri: `${origin}/`, state: 'a', 'client-request-id': 'b' });
    const response = await fetch(`${sandbox.issuer}/oauth2/v2.0/logout?${query}`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`${origin}/?state=a`);
    const foreign = await fetch(`${sandbox.issuer}/oauth2/logout?post_logout_redirect_uri=https://evil.example/`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect([foreign.status, foreign.headers.get('location')]).toEqual([200, null]);
  });

  it('answers calls that it does not offer with 501 in the form of its errors', async () => {
    const response = await fetch(`${sandbox.issuer}/saml2`);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(
        /^this sandbox speaks like Microsoft Entra ID, but does not offer SAML\. Trace/,
      ),
      error_codes: [],
      trace_id: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
    });
  });

  it('shows on Connect what applications of this tenant need', async () => {
    const page = await fetch(`${sandbox.issuer}/dashboard/connect`, { headers: { accept: 'text/html' } });
    const text = (await page.text()).replace(/<[^>]+>/g, '').replaceAll('&#39;', "'");
    expect(text).toContain(`clientId: 'spa',\n    authority: '${sandbox.issuer}',`);
    expect(text).toContain(`clientSecret: 'web-secret',\n    authority: '${sandbox.issuer}',`);
    expect(text).toContain(`Issuer in tokens${sandbox.issuer}/v2.0`);
  });

  it('finds a user by the name with the domain, by which users sign in', async () => {
    const form = { grant_type: 'password', client_id: 'web', client_secret: 'web-secret', scope: 'openid' };
    const login = { username: 'Alice@sandbox.onmicrosoft.com', password: 'alice-password' };
    await using typed = await createSandbox({ ...tenantConfig, features: { password: true } });
    const { body } = await entraAt(typed.issuer).token({ ...form, ...login }, {});
    expect(decodeJwt(String(body.id_token))).toMatchObject({ preferred_username: 'alice@sandbox.onmicrosoft.com' });
  });

  it('has the ids of the login page that tests of applications select', async () => {
    await using typed = await createSandbox({ ...tenantConfig, loginMode: 'password' });
    const query = 'client_id=spa&response_type=code&redirect_uri=https://app.example/callback&scope=openid';
    const challenge = 'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';
    const page = await fetch(`${typed.issuer}/oauth2/v2.0/authorize?${query}&${challenge}`, {
      headers: { accept: 'text/html' },
    });
    const html = await page.text();
    for (const id of ['i0281', 'i0116', 'i0118', 'idSIButton9']) expect(html).toContain(` id="${id}"`);
  });
});

function steadyHosts(members: Members): Members {
  return JSON.parse(JSON.stringify(members).replaceAll(new URL(sandbox.url).host, 'localhost:9000')) as Members;
}
