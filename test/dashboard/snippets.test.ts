import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type ConnectSources, connectFacts, familyTitles, usableClients } from '../../src/dashboard/connect-pages.ts';
import type { Reach } from '../../src/dashboard/facts.ts';
import { js, jsx, quoted, type Snippet, sh, snippets, yaml } from '../../src/dashboard/snippets/snippets.ts';
import { all } from '../../src/providers/all.ts';
import type { SandboxConfig } from '../../src/sandbox/config/sandbox-config.ts';
import type { Provider } from '../../src/sandbox/provider.ts';
import { loadConfig } from '../support/load-config.ts';

const issuer = 'http://localhost:9000';

/** What a sandbox with this configuration knows when somebody opens the page. */
async function sources(content: SandboxConfig = {}, reach: Partial<Reach> = {}): Promise<ConnectSources> {
  const { clients, users, collections, loginMode } = await loadConfig({ overrides: content });
  return {
    ...{ issuer, clients, users, collections },
    endpoints: [
      { name: 'authorize', path: '/oauth2/authorize' },
      { name: 'token', path: '/oauth2/token' },
      { name: 'jwks', path: '/oauth2/jwks' },
    ],
    reach: { allowedHosts: [], scheme: 'http', hasOwnCa: false, canRegister: true, loginMode, ...reach },
  };
}

async function made(content?: SandboxConfig, reach?: Partial<Reach>, chosen?: string): Promise<readonly Snippet[]> {
  return snippets(connectFacts(await sources(content, reach), chosen));
}

function find(all: readonly Snippet[], id: string): Snippet {
  const found = all.find(each => each.id === id);
  if (found === undefined) throw new Error(`no ${id} among ${all.map(each => each.id).join(' ')}`);
  return found;
}

const code = async (id: string, content?: SandboxConfig, reach?: Partial<Reach>, chosen?: string) =>
  find(await made(content, reach, chosen), id).code;

const shop: NonNullable<SandboxConfig['clients']>[number] = {
  client_id: 'shop',
  client_secret: 'a secret',
  redirect_uris: ['https://shop.test/signin'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: 'openid email orders:read',
  audience: 'https://orders.test',
};
const orders = { readScope: 'orders:read', fields: { name: 'string' } } as const;

/** Every one: as it starts, with a secret, over HTTPS behind a proxy with a back channel, with hostile names. */
const evil = `"'\`\${1}</script><b>\\ # {{ %s`;
const configurations: readonly [string, SandboxConfig, Partial<Reach>][] = [
  ['as it starts', {}, {}],
  ['with a client that has a secret', { clients: [shop], collections: { orders } }, {}],
  ['with a back channel and passwords', { loginMode: 'password' }, { backchannelUrl: 'http://idp:9000' }],
  ['with a secret that is posted', { clients: [{ ...shop, token_endpoint_auth_method: 'client_secret_post' }] }, {}],
  ['with its own CA and a file', {}, { hasOwnCa: true, configFile: 'clients.config.ts', canRegister: false }],
  [
    'with hostile names',
    {
      clients: [{ ...shop, client_id: evil, client_secret: evil, audience: evil.replaceAll(' ', '_') }],
      users: [{ sub: `${evil}!`, password: evil, claims: { name: `<img src=x onerror=alert(1)>\n${evil}` } }],
    },
    { configFile: `${evil}\n- injected: true` },
  ],
];

/** A provider as a sandbox with this preset knows it. */
function speaking({ name: preset, options }: Provider): [string, SandboxConfig, Partial<Reach>] {
  const provider = { name: preset, options, address: issuer, accessTokenType: 'JWT' };
  return [
    `of the preset ${preset}`,
    { preset, clients: [{ ...shop, client_id: evil, client_secret: evil }] },
    { provider },
  ];
}

describe.each([...configurations, ...all.map(speaking)])('the snippets %s', (_what, content, reach) => {
  it('are of each family, with ids of their own', async () => {
    const all = await made(content, reach);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id, title, where, code: text } of all) {
      expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
      expect([title, where].every(words => words.trim() !== '')).toBe(true);
      expect(text.endsWith('\n')).toBe(true);
    }
    const found = new Set(all.map(({ family }) => family));
    expect(Object.keys(familyTitles).filter(family => !found.has(family) && family !== 'browser')).toEqual([]);
  });

  it('can be parsed as what they are', async () => {
    for (const { id, language, code: text } of await made(content, reach)) {
      if (language === 'ts' || language === 'tsx' || language === 'js') {
        await expect(transform(text, { loader: language, logLevel: 'silent' }), `${id}\n${text}`).resolves.toBeTruthy();
      }
      if (language === 'json') expect(JSON.parse(text)).toBeTruthy();
      if (language === 'sh') execFileSync('bash', ['-n'], { input: text });
      if (language === 'yaml') expectYaml(text);
      if (language === 'python' || language === 'csharp' || language === 'java') expectBalanced(text);
      if (language === 'http') expect(text.trimEnd().split('\n')).toHaveLength(2);
    }
  });
});

/** Of what these snippets have of YAML: maps and lists by two spaces, scalars, one folded text. */
function expectYaml(text: string): void {
  let before = 0;
  for (const line of text.trimEnd().split('\n')) {
    if (line === '') continue;
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    expect(indent % 2, line).toBe(0);
    expect(indent - before, line).toBeLessThanOrEqual(4);
    const entry = /^ *(- )?("[^"]*"|[\w./-]+):( (.*))?$|^ *- .+$|^ *--[\w-]+ .+$/.exec(line);
    expect(entry, line).not.toBeNull();
    const value = entry?.[4];
    if (value?.startsWith('"')) expect(() => JSON.parse(value), line).not.toThrow();
    else expect(value ?? '', line).not.toMatch(/^[&*!%@`{]|: |^\[[^\]]*$/);
    before = indent;
  }
}

/** Brackets outside of strings: nothing ends what it did not begin. */
function expectBalanced(text: string): void {
  const open: string[] = [];
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  for (const bare of text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'/g, '""')) {
    if ('([{'.includes(bare)) open.push(bare);
    if (bare in pairs) expect(open.pop(), text).toBe(pairs[bare]);
  }
  expect(open, text).toEqual([]);
  expect(text.replace(/"(?:[^"\\\n]|\\.)*"/g, ''), text).not.toContain('"');
}

describe('a snippet', () => {
  it('prints nothing raw but what cannot end a text of its language', () => {
    const folder = join(import.meta.dirname, '../../templates/snippets');
    const texts = readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'));
    const raw = texts.flatMap(text => text.match(/<%-.*?%>/g) ?? []);
    // `field` quotes for the shell; the words of commands are constants of these files, or made by it
    const functions =
      /^<%- ((jsx|oneLine|word|encodeURIComponent|field)\(.*\)|include\('catalogue-.*\)(\.trimEnd\(\))?) -?%>$/;
    const constants = /^<%- (k|published|pipeline\.published|clients|curl|by|request|padding) %>$/;
    expect(raw.length).toBeGreaterThan(10);
    expect(raw.filter(each => !functions.test(each) && !constants.test(each))).toEqual([]);
  });

  it('is for the front end that is registered, wherever that is on this machine', async () => {
    const text = await code('spa');
    expect(text).toContain(`authority: '${issuer}'`);
    expect(text).toContain(`client_id: 'frontend'`);
    expect(text).toContain(`redirect_uri: window.location.origin + '/callback'`);
    expect(text).toContain(`'${issuer}/api/products'`);
    expect(await code('react')).toContain('onSigninCallback={() => window.history.replaceState(');
  });

  it('has the registered redirect URI of a client that takes no other', async () => {
    const strict = {
      client_id: 'strict',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['https://spa.test/back'],
    };
    const text = await code('spa', { clients: [strict as typeof shop] });
    expect(text).toContain(`redirect_uri: 'https://spa.test/back'`);
    const playwright = await code('playwright', { clients: [strict as typeof shop] });
    expect(playwright).toContain(`const app = 'https://spa.test'`);
  });

  it('of a web application is for a client with a secret, if there is one', async () => {
    const content = { clients: [shop], collections: { orders } };
    expect(await code('node', content)).toContain(`client.ClientSecretBasic('a secret')`);
    expect(await code('node', content)).toContain(`app.get('/signin'`);
    expect(await code('next', content)).toContain(`clientSecret: 'a secret'`);
    expect(await code('flask', content)).toContain(`client_secret="a secret"`);
    expect(await code('aspnet', content)).toContain(`options.CallbackPath = "/signin"`);
    expect(await code('env', content)).toContain(`OIDC_AUDIENCE='https://orders.test'`);
  });

  it('of a web application is for a public client, where no other logs users in', async () => {
    expect(await code('node')).toContain('client.None()');
    expect(await code('next')).toContain(`client: { token_endpoint_auth_method: 'none' }`);
  });

  it('says which redirect URI is missing, and takes that of Auth.js where it is registered', async () => {
    const missing = find(await made({ clients: [shop] }), 'next');
    expect(missing.note).toContain(
      'https://shop.test/api/auth/callback/grantbox, which is not registered for shop yet',
    );
    const registered = { ...shop, redirect_uris: ['http://localhost:3000/api/auth/callback/ours'] };
    const fitting = find(await made({ clients: [registered] }), 'next');
    expect(fitting.code).toContain(`id: 'ours'`);
    expect(fitting.note).not.toContain('not registered');
  });

  it('is for the client that was chosen, wherever it fits', async () => {
    const other = { ...shop, client_id: 'other', client_secret: 'another' };
    const content = { clients: [shop, other] };
    expect(await code('curl', content, {}, 'other')).toContain(`'other:another'`);
    expect(await code('node', content, {}, 'other')).toContain(`'other'`);
    expect(await code('node', content, {}, 'nobody')).toContain(`'shop'`);
    expect(usableClients((await sources(content)).clients).map(({ client_id }) => client_id)).toEqual([
      'shop',
      'other',
    ]);
  });

  it('is not for a client that authenticates with a key', async () => {
    const jwks_uri = 'https://shop.test/jwks';
    const { client_secret: _, ...rest } = shop;
    const keyed = { ...rest, token_endpoint_auth_method: 'private_key_jwt', jwks_uri } as const;
    const ids = (await made({ clients: [keyed] })).map(({ id }) => id);
    expect(ids).not.toContain('curl');
    expect(ids).not.toContain('spa');
    expect(ids).toContain('compose');
    expect(usableClients((await sources({ clients: [keyed] })).clients)).toEqual([]);
  });

  it('checks issuer, audience, type and scope in an API', async () => {
    const text = await code('express', { clients: [shop], collections: { orders } });
    expect(text).toContain(`issuer: '${issuer}', audience: 'https://orders.test', typ: 'at+jwt'`);
    expect(text).toContain(`app.get('/orders', requireScope('orders:read')`);
    const spring = await code('spring', { clients: [shop] });
    expect(spring).toContain('new JOSEObjectType("at+jwt")');
    expect(spring).toContain(`new JwtIssuerValidator("${issuer}")`);
    expect(spring).toContain('aud.contains("https://orders.test")');
    const net = await code('aspnet-api', { clients: [shop] }, { backchannelUrl: 'http://idp:9000' });
    expect(net).toContain('options.MetadataAddress = "http://idp:9000/.well-known/openid-configuration"');
    expect(net).toContain(`ValidIssuer = "${issuer}"`);
  });

  it('says so where access tokens are opaque', async () => {
    const all = await made({ clients: [{ ...shop, access_token_format: 'opaque' }] });
    expect(find(all, 'express').note).toContain(`access_token_format: 'jwt'`);
  });

  it('writes to a collection that cannot be read', async () => {
    const text = await code('curl');
    expect(text).toContain(`'${issuer}/api/telemetry'`);
    expect(text).toMatch(/-d '\{"sensor":"sensor","metric":"metric","value":1\}'/);
  });

  it.each([
    ['http://localhost:9000', '127.0.0.1:9000:9000'],
    ['http://idp.localhost:9100', '127.0.0.1:9100:9000'],
    ['http://192.168.1.5:9000', '9000:9000'],
    ['http://idp.example:9000', '9000:9000'],
  ])('publishes the port of %s as %s: to this machine alone, where others do not use the name', async (at, ports) => {
    const all = await snippets(connectFacts({ ...(await sources()), issuer: at }));
    expect(find(all, 'compose').code).toContain(`      - "${ports}"\n`);
    expect(find(all, 'github-actions').code).toMatch(/ {10}- "127\.0\.0\.1:9\d00:9000"\n/);
  });

  it('gives containers one issuer and two addresses', async () => {
    const text = await code('compose');
    expect(text).toContain(`ISSUER: ${issuer}\n      BACKCHANNEL_URL: http://idp:9000\n`);
    expect(text).toContain('OIDC_METADATA_URL: http://idp:9000/.well-known/openid-configuration');
    expect(text).toContain('condition: service_healthy');
    const named = await code('compose', {}, { backchannelUrl: 'http://login:9000', configFile: 'clients.config.ts' });
    expect(named).toContain('  login:\n    image: grantbox');
    expect(named).toContain('BACKCHANNEL_URL: http://login:9000');
    expect(named).toContain('./clients.config.ts:/app/clients.config.ts:ro');
  });

  it.each([
    ['http://localhost:9000/login/oauth', 'http://localhost:9000/login/oauth', 'http://idp:9000/login/oauth'],
    ['http://localhost:9000/', 'http://localhost:9000/', 'http://idp:9000/'],
    ['https://accounts.google.com', 'https://accounts.google.com', 'https://accounts.google.com'],
  ])('tells containers the issuer identifier %s', async (iss, onHost, inService) => {
    const all = await snippets(connectFacts({ ...(await sources()), iss }));
    expect(find(all, 'compose').code).toContain(`OIDC_ISSUER: ${iss}\n`);
    expect(find(all, 'github-actions').code).toContain(`OIDC_ISSUER: ${onHost}\n`);
    expect(find(all, 'gitlab').code).toContain(`OIDC_ISSUER: ${inService}\n`);
    expect(find(all, 'env').code).toContain(`OIDC_ISSUER='${iss}'\n`);
  });

  it('signs in the first user in pipelines', async () => {
    const content: SandboxConfig = { users: [{ sub: 'dora' }] };
    expect(await code('github-actions', content)).toContain('AUTO_LOGIN: dora');
    expect(await code('gitlab', content)).toContain('AUTO_LOGIN: dora');
    expect(await code('gitlab', { users: [] })).not.toContain('AUTO_LOGIN');
  });

  it('logs in as the login page asks', async () => {
    expect(await code('playwright')).toContain(`getByRole('button', { name: 'Alice Archer' })`);
    expect(await code('playwright')).toContain(`getByTestId('login-user-alice')`);
    const typed = await code('playwright', { loginMode: 'password', users: [{ sub: 'dora', password: 'd0ra' }] });
    expect(typed).toContain(`getByTestId('login-username').fill('dora')`);
    expect(typed).toContain(`getByTestId('login-password').fill('d0ra')`);
    expect(await code('cypress')).toContain(`cy.origin('${issuer}'`);
  });

  it('tells an MCP server how to name this issuer', async () => {
    const all = await made();
    expect(JSON.parse(find(all, 'mcp-metadata').code)).toMatchObject({ authorization_servers: [issuer] });
    expect(find(all, 'mcp-challenge').code).toContain('resource_metadata="http://localhost:3001/.well-known/');
    expect(find(all, 'mcp-inspector').note).toContain('registers itself');
    expect(find(await made({}, { canRegister: false }), 'mcp-inspector').note).toContain('frontend');
  });
});

describe('a literal', () => {
  const texts = ['plain', `it's "q"`, 'a\\b', '\\"', 'two\nlines', '</script>', '${x`', '\u2028', 'ü 日本 😀', ''];

  it.each(texts)('of JavaScript and of JSX holds %j', async text => {
    expect(runInNewContext(js(text))).toBe(text);
    expect(js(text)).not.toMatch(/[<\n]/);
    const { code: built } = await transform(`<div id=${jsx(text)} />`, { loader: 'tsx', jsxFactory: 'idOf' });
    expect(runInNewContext(built, { idOf: (_: unknown, { id }: { id: string }) => id })).toBe(text);
  });

  it.each(texts)('of a shell holds %j', text => {
    expect(execFileSync('bash', ['-c', `printf %s ${sh(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it.each(texts)('of JSON, Python and C# holds %j', text => {
    expect(JSON.parse(quoted(text))).toBe(text);
    expect(quoted(text)).toMatch(/^[\x20-\x7e]*$/);
  });

  it.each([
    ['http://localhost:9000', 'http://localhost:9000'],
    ['alice', 'alice'],
    ['alice@example.com', 'alice@example.com'],
    ['true', '"true"'],
    ['no', '"no"'],
    ['12', '"12"'],
    ['a: b', '"a: b"'],
    ['a #b', '"a #b"'],
    ['- a', '"- a"'],
    ['a:', '"a:"'],
    ['', '""'],
  ])('of YAML for %j is %s', (text, expected) => {
    expect(yaml(text)).toBe(expected);
  });
});
