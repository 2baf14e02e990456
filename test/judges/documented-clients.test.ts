import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { applicationText } from '../../src/client/cli/init-command.ts';
import { variants } from '../../src/client/cli/init-variants.ts';
import type { Sandbox } from '../../src/index.ts';
import type { ConfigSources } from '../../src/sandbox/config/load-config.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { type } from '../client/cli/support.ts';
import { createAgent } from '../support/agent.ts';
import { blocksOf } from '../support/documents.ts';
import { loadConfig } from '../support/load-config.ts';
import { newFolder } from '../support/new-folder.ts';
import { snippetsOf } from '../support/snippets.ts';

// Each example that names a client is taken as it is written, and logs a user in with a library, over HTTP.

/** The first block of a document that contains this text. */
function blockWith(document: string, text: string): string {
  const found = blocksOf(document).find(block => block.text.includes(text));
  if (found === undefined) throw new Error(`no block of ${document} contains ${text}`);
  return found.text;
}

/** A sandbox at a free port, with these files in the folder where it starts. */
async function startWith(files: Readonly<Record<string, string>>, env: ConfigSources['env'] = {}): Promise<Sandbox> {
  const cwd = newFolder();
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    return await startSandbox(
      await loadConfig({ cwd, env, flags: { port: '0', 'log-level': 'silent', watch: 'off' } }),
    );
  } finally {
  }
}

interface Application {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly redirect_uri: string;
  readonly scope: string;
}

function discover(sandbox: Sandbox, { client_id, client_secret }: Application): Promise<client.Configuration> {
  const authentication = client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret);
  const options = { execute: [client.allowInsecureRequests] };
  return client.discovery(new URL(sandbox.issuer), client_id, undefined, authentication, options);
}

/** The tokens after a sign-in: authorization code, PKCE, ID token checked. */
async function signedIn(sandbox: Sandbox, application: Application, sub: string) {
  const { redirect_uri, scope } = application;
  const config = await discover(sandbox, application);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
  const request = { redirect_uri, scope, state, code_challenge, code_challenge_method: 'S256' };
  const browser = createAgent(sandbox.url);
  const page = await browser.open(client.buildAuthorizationUrl(config, request));
  const { url } = await browser.submit(page, `login-user-${sub}`);
  const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier, expectedState: state });
  expect(tokens.scope).toBe(scope);
  return { config, browser, tokens };
}

/** What UserInfo says of the user after a sign-in. */
async function whoLogsIn(sandbox: Sandbox, application: Application, sub: string): Promise<client.UserInfoResponse> {
  const { config, tokens } = await signedIn(sandbox, application, sub);
  return client.fetchUserInfo(config, tokens.access_token, sub);
}

describe('the client of the README', () => {
  const shop = {
    client_id: 'shop',
    redirect_uri: 'http://localhost:5173/callback',
    scope: 'openid profile offline_access roles',
  };

  it('knows the roles of the user, refreshes after a restart, and signs out', async () => {
    const files = { 'clients.config.ts': blockWith('README.md', 'satisfies SandboxConfig') };
    const env = { STATE_FILE: join(newFolder(), 'state.json') };
    const before = await startWith(files, env);
    const { config, tokens } = await signedIn(before, shop, 'dora');
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'dora', roles: ['admin'] });
    const user = await client.fetchUserInfo(config, tokens.access_token, 'dora');
    expect(user).toMatchObject({ name: 'Dora Dahl', roles: ['admin'] });
    await before.stop();

    await using after = await startWith(files, env);
    const again = await discover(after, shop);
    const refreshed = await client.refreshTokenGrant(again, tokens.refresh_token ?? '');
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ sub: 'dora', roles: ['admin'] });

    const { browser, tokens: newer } = await signedIn(after, shop, 'dora');
    const post_logout_redirect_uri = 'http://localhost:5173/';
    const end = { id_token_hint: newer.id_token ?? '', post_logout_redirect_uri };
    const { url } = await browser.open(client.buildEndSessionUrl(again, end));
    expect(url.href).toBe(post_logout_redirect_uri);
  });
});

describe('the client of the documentation', () => {
  const dora = { client_id: 'shop', redirect_uri: 'http://localhost:3000/callback', scope: 'openid profile email' };

  it('logs in where the environment names it', async () => {
    const [, CLIENTS = ''] = /CLIENTS: '(.*)'/.exec(blockWith('docs/deployment.md', 'CLIENTS:')) ?? [];
    const [, USERS = ''] = /USERS: '(.*)'/.exec(blockWith('docs/deployment.md', 'CLIENTS:')) ?? [];
    await using sandbox = await startWith({}, { CLIENTS, USERS });
    expect(await whoLogsIn(sandbox, dora, 'dora')).toMatchObject({ email: 'dora@example.com' });
  });

  it('logs in where the file names it', async () => {
    await using sandbox = await startWith({
      'clients.config.ts': blockWith('docs/clients-and-users.md', 'satisfies SandboxConfig'),
    });
    expect(await whoLogsIn(sandbox, dora, 'dora')).toMatchObject({ name: 'Dora Dahl', email: 'dora@example.com' });
  });
});

describe('a client that grantbox init writes', () => {
  const withLogin = [...variants.values()].filter(({ facts }) => facts.machine === undefined);

  it.each(withLogin.map(variant => [variant.name, variant] as const))(
    'logs in as its comment says: %s',
    async (name, variant) => {
      const file = (await type(['init', name, '--print'])).out;
      const application = await applicationText(variant);
      for (const line of application.split('\n')) expect(file).toContain(line);
      await using sandbox = await startWith({ 'clients.config.ts': file });
      const [registered] = [...(await sandbox.clients.list())];
      const [redirect_uri = ''] = registered?.redirect_uris ?? [];
      const [, quoted, listed] = /scope: (?:'([^']+)'|(.+))/.exec(application) ?? [];
      const scope = quoted ?? listed?.replaceAll(', ', ' ') ?? registered?.scope ?? '';
      expect(application).toMatch(new RegExp(`: '?${name}'?`));
      const who = { client_id: name, client_secret: registered?.client_secret, redirect_uri, scope };
      const user = await whoLogsIn(sandbox, who, 'alice');
      expect(user).toMatchObject({ name: expect.any(String), email: 'alice@example.com' });
    },
  );
});

describe('a snippet of the page Connect', () => {
  const shop = { client_id: 'shop', redirect_uris: ['http://localhost:3000/callback'] };
  const backOffice = { ...shop, client_id: 'back-office', client_secret: 'back-office-secret' };
  const given = JSON.stringify([shop, backOffice]);

  it.each([
    ['frontend', undefined, ['spa', 'react', 'next', 'node', 'flask', 'aspnet']],
    ['shop', given, ['spa', 'react', 'next', 'node', 'flask', 'aspnet']],
    ['back-office', given, ['next', 'node', 'flask', 'aspnet']],
  ])('logs in %s', async (client_id, CLIENTS, ids) => {
    await using sandbox = await startWith({}, CLIENTS === undefined ? {} : { CLIENTS });
    const snippet = await snippetsOf(sandbox.url, client_id);
    const client_secret = client_id === 'back-office' ? backOffice.client_secret : undefined;
    for (const id of ids) {
      const code = snippet(id);
      expect(code, id).toContain(client_id);
      expect(code.includes('-secret'), id).toBe(client_secret !== undefined);
      const who = { client_id, client_secret, redirect_uri: redirectUriIn(code), scope: scopeIn(code) };
      expect(await whoLogsIn(sandbox, who, 'alice'), id).toMatchObject({
        name: 'Alice Archer',
        email: 'alice@example.com',
      });
    }
  });
});

/** One that is written out; those of an application that calls itself by any address, or by its path, are at port 3000. */
function redirectUriIn(code: string): string {
  const [whole] = /http:\/\/localhost:3000\/[\w/-]+/.exec(code) ?? [];
  return whole ?? 'http://localhost:3000/callback';
}

function scopeIn(code: string): string {
  const [, scope] = /scope['"]?[:=] ?(?:\{ scope: )?['"]([^'"]+)['"]/.exec(code) ?? [];
  if (scope !== undefined) return scope;
  // OpenIdConnectOptions.Scope has openid and profile from the start
  return ['openid', 'profile', ...[...code.matchAll(/Scope\.Add\("([^"]+)"\)/g)].map(([, added]) => added)].join(' ');
}
