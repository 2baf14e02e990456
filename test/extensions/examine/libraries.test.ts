import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExamineOptions } from '../../../src/extensions/examine/examination.ts';
import { examinationAsText } from '../../../src/extensions/examine/examination-formats.ts';
import { apiLineOf, apiLines } from '../../../src/extensions/examine/libraries/api-lines.ts';
import { libraryLines, lineOf } from '../../../src/extensions/examine/libraries/lines.ts';
import {
  fetcherNames,
  type KeyRequest,
  libraryNames,
  recognisedFetcher,
} from '../../../src/extensions/examine/libraries/recognise.ts';
import { planList } from '../../../src/extensions/examine/plan-list.ts';
import { examinationAsHtml } from '../../../src/extensions/examine/results/html.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

const callback = 'http://localhost:7999/callback';
const callbacks = ['/login/oauth2/code/grantbox', '/api/auth/callback/grantbox'].map(
  path => `http://localhost:7999${path}`,
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [{ client_id: 'web', client_secret: 'secret', redirect_uris: [callback, ...callbacks], scope: 'openid' }],
  });
});
afterAll(() => sandbox.stop());

interface Sent {
  readonly agent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of the authorization request, in order; the others follow. */
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

const usual = { response_type: 'code', client_id: 'web', redirect_uri: callback, scope: 'openid', state: 'a-state' };

/** An app that checks nothing, and sends what a library sends. */
function appThatSends({ agent = 'node', headers = {}, query = {}, form = {} }: Sent): ExamineOptions['login'] {
  return async ({ issuer }) => {
    const asked = new URLSearchParams({ ...query, ...usual, ...query });
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
    const response = await fetch(`${issuer}/oauth2/authorize?${asked}`, { redirect: 'manual', headers: browser });
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { ok } = await fetch(`${issuer}/oauth2/token`, {
      method: 'POST',
      headers: { 'User-Agent': agent, Authorization: `Basic ${btoa('web:secret')}`, ...headers },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: asked.get('redirect_uri') ?? '',
        ...form,
      }),
    });
    return ok;
  };
}

const examined = (sent: Sent, modules: readonly string[] = [], plan = 'oauth-bcp') =>
  sandbox.examine({ plan, modules, user: 'alice', login: appThatSends(sent) });

const digits = '0123456789abcdef0123456789abcdef';
const [spring = '', authJs = ''] = callbacks;
const ordered = (...names: readonly (keyof typeof usual)[]) =>
  Object.fromEntries(names.map(name => [name, usual[name]]));
const sku = (value: string) => ({ 'x-client-SKU': value });
const mcpOrder = {
  ...ordered('response_type', 'client_id'),
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  ...ordered('redirect_uri'),
};
const verifier = { code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' };
const mcpVersion = { 'MCP-Protocol-Version': '2025-11-25' };

describe('the library', () => {
  it.each<[name: string, sent: Sent, told: string]>([
    ['openid-client', { agent: 'openid-client/v6.8.9' }, 'Its requests have the User-Agent openid-client/v6.8.9.'],
    ['openid-client 5', { agent: 'openid-client/5.7.1 (https://github.com/panva/openid-client)' }, 'User-Agent'],
    ['oauth4webapi', { agent: 'oauth4webapi/v3.8.8' }, 'the User-Agent oauth4webapi/v3.8.8.'],
    ['Auth.js', { agent: 'oauth4webapi/v3.8.8', query: { redirect_uri: authJs } }, '/auth/callback/'],
    ['MSAL Node', { form: sku('msal.js.node') }, 'the parameter x-client-SKU=msal.js.node.'],
    ['MSAL Browser', { query: sku('msal.js.browser') }, 'x-client-SKU'],
    ['ASP.NET Core', { query: sku('ID_NET8_0') }, 'x-client-SKU'],
    ['Spring Security', { agent: 'Java/21.0.2', query: { redirect_uri: spring } }, '/login/oauth2/code/'],
    ['Authlib', { agent: 'Authlib/1.3.2 (+https://authlib.org/)' }, 'Authlib/1.3.2'],
    ['auth0-spa-js', { query: { auth0Client: btoa('{"name":"auth0-spa-js","version":"2.28.3"}') } }, 'auth0Client'],
    ['MCP SDK', { query: mcpOrder, form: verifier, headers: mcpVersion }, 'MCP-Protocol-Version'],
    ['okta-auth-js', { headers: { 'X-Okta-User-Agent-Extended': 'okta-auth-js/8.0.1' } }, 'okta-auth-js/8.0.1'],
    ['passport-openidconnect', { agent: 'Node-oauth' }, 'Node-oauth'],
    [
      'passport-oauth2',
      { agent: 'Node-oauth', query: ordered('response_type', 'redirect_uri', 'client_id') },
      'Node-oauth',
    ],
    [
      'keycloak-js',
      {
        query: {
          ...ordered('client_id', 'redirect_uri'),
          state: '01234567-89ab-cdef-0123-456789abcdef',
          response_mode: 'query',
          ...ordered('response_type', 'scope'),
        },
      },
      'in this order',
    ],
    [
      'oidc-client-ts',
      { query: { ...ordered('client_id', 'redirect_uri', 'response_type', 'scope'), state: digits } },
      'in this order',
    ],
  ])('is told by what it sends: %s', async (name, sent, told) => {
    expect((await examined(sent)).library).toEqual({ name, told: expect.stringContaining(told) });
  });

  it.each<[what: string, sent: Sent]>([
    ['a client of nobody', {}],
    ['another User-Agent that has the name in it', { agent: 'my-app (openid-client/6)' }],
    ['a library of Microsoft for another language', { form: sku('MSAL.Python') }],
    ['a callback of Auth.js without its library', { query: { redirect_uri: authJs } }],
    ['a state of 32 digits in another order', { query: { state: digits } }],
    ['the order of the MCP SDK without its header', { query: mcpOrder, form: verifier }],
    ['the header of MCP in another order', { headers: mcpVersion }],
    ['broken values', { query: { auth0Client: 'no base64' }, headers: { 'X-Okta-User-Agent-Extended': 'other/1' } }],
  ])('is not told by %s', async (_, sent) => {
    expect(await examined(sent)).not.toHaveProperty('library');
  });

  it('has its line in what failed, and is named in the result', async () => {
    const result = await examined({ agent: 'openid-client/v6.8.9' }, ['pkce', 'no-secret-in-url']);
    expect(result.modules.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['test', 'pass'],
      ['pkce', 'fail'],
      ['no-secret-in-url', 'pass'],
    ]);
    expect(result.modules[1]?.mend).toContain('client.calculatePKCECodeChallenge(verifier)');
    const words = 'The app uses openid-client. Its requests have the User-Agent openid-client/v6.8.9.';
    expect(examinationAsText(result)).toContain(words);
    expect(await examinationAsHtml(result)).toContain(words);
    const general = await examined({}, ['pkce']);
    expect(general.modules[1]?.mend).not.toContain('client.');
  });
});

describe('the lines', () => {
  it('belong to libraries that are told, and to modules that exist', () => {
    expect(libraryNames).toEqual(expect.arrayContaining(Object.keys(libraryLines)));
    const known = new Set(planList().flatMap(({ modules }) => modules.map(({ id }) => id)));
    const named = Object.values(libraryLines).flatMap(lines => lines.flatMap(({ modules }) => modules));
    expect(named.filter(id => !known.has(id))).toEqual([]);
  });

  it.each(Object.entries(libraryLines))('of %s have one for each module, as a sentence', (name, lines) => {
    const named = lines.flatMap(({ modules }) => modules);
    expect(new Set(named).size).toBe(named.length);
    for (const { mend } of lines) expect(mend).toMatch(/^[A-Za-z].*\.$/);
    expect(lineOf(name, named[0] ?? '')).toBe(lines[0]?.mend);
    expect(lineOf(name, 'no-such-module')).toBeUndefined();
  });
});

const jose = { 'user-agent': 'jose/v6.2.18', accept: 'application/json, application/jwk-set+json' };
const springApi = { 'user-agent': 'Java/21.0.2', accept: 'application/json, application/jwk-set+json' };

describe('the library of an API', () => {
  it.each<[name: string | undefined, requests: readonly KeyRequest[]]>([
    ['jose', [jose, jose]],
    ['Spring Security', [springApi]],
    ['Spring Security', [{ ...springApi, 'user-agent': 'Java-http-client/21.0.2' }]],
    ['ASP.NET Core', [{ 'x-client-sku': 'ID_NET8_0', 'x-client-ver': '8.0.1' }]],
    [undefined, []],
    [undefined, [jose, springApi]],
    [undefined, [jose, { 'user-agent': 'Go-http-client/1.1' }]],
    [undefined, [{ ...springApi, accept: '*/*' }]],
    [undefined, [{ 'x-client-sku': 'MSAL.NetCore' }]],
  ])('is %s by what it sends for the keys: %j', (name, requests) => {
    expect(recognisedFetcher(requests)?.name).toBe(name);
  });

  it('has lines for modules that exist', () => {
    expect(fetcherNames).toEqual(expect.arrayContaining(Object.keys(apiLines)));
    const known = planList()
      .find(({ id }) => id === 'resource-server')
      ?.modules.map(({ id }) => id);
    const wanted = { issuer: 'i', jwksUri: 'j', audience: 'a', alg: 'RS256', scope: 's' };
    for (const [name, lines] of Object.entries(apiLines)) {
      const named = lines.flatMap(({ modules }) => modules);
      expect(known).toEqual(expect.arrayContaining(named));
      expect(new Set(named).size).toBe(named.length);
      for (const id of named) expect(apiLineOf(name, id, wanted)).toMatch(/[^.]$/);
    }
  });

  it('is told by its requests, and its line takes the place of those of several libraries', async () => {
    const keys = createRemoteJWKSet(new URL(`${sandbox.issuer}/oauth2/jwks`));
    const server = createServer(async (req, res) => {
      const [, token = ''] = req.headers.authorization?.split(' ') ?? [];
      const isGood = await jwtVerify(token, keys).then(Boolean, () => false);
      res.writeHead(isGood ? 200 : 401, isGood ? {} : { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const modules = ['issuer', 'audience-list', 'dpop-as-bearer'];
    const result = await sandbox.examine({ api: { url }, modules });
    server.close();
    expect(result.library).toEqual({ name: 'jose', told: expect.stringMatching(/the User-Agent jose\/v\d/) });
    const mend = Object.fromEntries(result.modules.map(each => [each.id, each.mend]));
    expect(mend.issuer).toBe(`Give jwtVerify() issuer: '${sandbox.issuer}'`);
    expect(mend['dpop-as-bearer']).toContain('Refuse a token with cnf');
    expect(examinationAsText(result)).toContain('The API uses jose. Who fetched the keys sent the User-Agent jose/v');
    expect(await examinationAsHtml(result)).toContain('The API uses jose.');
  });
});
