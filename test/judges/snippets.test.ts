import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { type } from '../client/cli/support.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { freePort } from '../support/free-port.ts';
import { snippetsOf } from '../support/snippets.ts';
import { signIn } from '../support/wire.ts';
import { createProvider } from './support/mcp.ts';
import { runModule } from './support/run-snippet.ts';

// What the page of snippets says is run as it stands: with the libraries, against the sandbox that says it.

const run = promisify(execFile);
let sandbox: Sandbox;
let appPort: number;
const secret = `it's "secret" & more`;

beforeAll(async () => {
  appPort = await freePort();
  const login = {
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`http://localhost:${appPort}/signed-in`],
    scope: 'openid profile products:read',
  } as const;
  const clients: ClientEntry[] = [
    { ...login, client_id: 'frontend', loopback_redirects: true, token_endpoint_auth_method: 'none' },
    { ...login, client_id: 'web', client_secret: secret },
    { ...login, client_id: 'posting', client_secret: secret, token_endpoint_auth_method: 'client_secret_post' },
    {
      client_id: 'robot',
      client_secret: secret,
      token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
      grant_types: ['client_credentials'],
      scope: 'telemetry:write',
    },
    {
      client_id: 'poster',
      client_secret: secret,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      scope: 'products:read',
    },
  ];
  sandbox = await createSandbox({ clients });
});
afterAll(() => sandbox.stop());

describe('the snippet for openid-client', () => {
  it.each(['frontend', 'web', 'posting'])('logs a user in, as %s', async client => {
    const code = (await snippetsOf(sandbox.url, client))('node');
    await using app = await runModule(code, appPort);
    const start = await fetch(`http://localhost:${appPort}/login`, { redirect: 'manual' });
    const browser = createAgent(sandbox.url);
    const page = await browser.open(start.headers.get('location') ?? '');
    const { url } = await browser.submit(page, 'login-user-alice');
    expect(url.origin + url.pathname).toBe(`http://localhost:${appPort}/signed-in`);
    const claims = await (await fetch(url)).json();
    expect(claims, app.output()).toMatchObject({ iss: sandbox.issuer, sub: 'alice', aud: client });
  });
});

describe('the snippet for Express and jose', () => {
  it('lets in access tokens with the scope, and nothing else', async () => {
    const port = await freePort();
    const code = (await snippetsOf(sandbox.url, 'frontend'))('express').replace(
      'app.listen(4000)',
      `app.listen(${port})`,
    );
    await using api = await runModule(code, port);
    const call = async (token?: string) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`http://localhost:${port}/products`, { headers });
      return {
        status: response.status,
        challenge: response.headers.get('www-authenticate'),
        body: await response.text(),
      };
    };
    const good = await signIn(sandbox.url, 'alice', { scope: 'openid products:read' });
    const poor = await signIn(sandbox.url, 'alice', { scope: 'openid' });
    expect(await call(good.access_token), api.output()).toMatchObject({ status: 200, body: '{"sub":"alice"}' });
    expect(await call(poor.access_token)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('products:read'),
    });
    expect(await call()).toMatchObject({ status: 401, challenge: 'Bearer' });
    for (const refused of [good.id_token, good.refresh_token, `${good.access_token.slice(0, -4)}AAAA`]) {
      expect(await call(refused)).toMatchObject({ status: 401, challenge: 'Bearer error="invalid_token"' });
    }
  });
});

it.each(['express', 'jwt-bearer', 'passport'])('examine --api finds nothing wrong with the snippet: %s', async id => {
  const port = await freePort();
  const code = (await snippetsOf(sandbox.url, 'frontend'))(id);
  await using api = await runModule(code.replace('app.listen(4000)', `app.listen(${port})`), port);
  const given = ['--api', `http://localhost:${port}/products`, '--scope', 'products:read', '--sandbox', sandbox.url];
  const { code: exit, out, note } = await type(['examine', ...given]);
  expect({ exit, note, mentioned: out.match(/^FAIL.*/gm) }, out + api.output()).toEqual({
    ...{ exit: 0, note: '', mentioned: null },
  });
});

it('sandbox.examine passes the snippet for Express and jose, also while its keys change and cannot be had', async () => {
  await using own = await createSandbox();
  const port = await freePort();
  const code = (await snippetsOf(own.url, 'frontend'))('express')
    .replace('app.listen(4000)', `app.listen(${port})`)
    // jose asks for the keys at most once in 30 s, which the test does not wait for
    .replace(
      /createRemoteJWKSet\((new URL\(.*?\))\)/,
      'createRemoteJWKSet($1, { cooldownDuration: 0, timeoutDuration: 500 })',
    );
  expect(code).toContain('cooldownDuration');
  await using api = await runModule(code, port);
  const url = `http://localhost:${port}/products`;
  const { modules } = await own.examine({ api: { url, scope: 'products:read', rotate: true } });
  const of = (wanted: string) => modules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  expect({ fail: of('fail'), inconclusive: of('inconclusive'), warn: of('warn') }, api.output()).toEqual({
    ...{ fail: [], inconclusive: [] },
    warn: ['clock-skew', 'certificate-bound', 'dpop-as-bearer'], // it sets no clockTolerance, and reads no cnf
  });
  expect(of('not_applicable').filter(id => !id.startsWith('dpop'))).toEqual([]);
});

describe('the snippet for curl', () => {
  it.each([
    ['robot', /HTTP\/1\.1 201/, /"sensor":"sensor"/],
    ['poster', /HTTP\/1\.1 200/, /City bike/],
  ])('gets a token for %s and calls the API with it', async (client, status, body) => {
    const code = (await snippetsOf(sandbox.url, client))('curl');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code]);
    expect(stdout).toMatch(status);
    expect(stdout).toMatch(body);
    expect(sandbox.events.latest('token.issued', 1)[0]?.client_id).toBe(client);
  });

  it('trusts the CA that is made on start for this once', async () => {
    await using https = await createSandbox({ tls: 'self-signed' });
    const page = await run('curl', ['-sk', `${https.url}/dashboard/connect`]);
    const [, code = ''] = /<pre id="code-curl"[^>]*>([\s\S]*?)<\/pre>/.exec(page.stdout) ?? [];
    const text = code
      .replaceAll('&#39;', "'")
      .replaceAll('&#34;', '"')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', text]);
    expect(stdout).toMatch(/HTTP\/1\.1 201/);
  });
});

describe('the environment', () => {
  it('is read by a shell as it was meant', async () => {
    const code = (await snippetsOf(sandbox.url, 'web'))('env');
    const { stdout } = await run('bash', [
      '-euo',
      'pipefail',
      '-c',
      `${code}\nprintf '%s\\n' "$OIDC_CLIENT_SECRET" "$OIDC_ISSUER"`,
    ]);
    expect(stdout).toBe(`${secret}\n${sandbox.issuer}\n`);
  });
});

describe('the snippets for an MCP server', () => {
  it('lead an MCP client to the login page, and from there to a token for that server', async () => {
    const snippet = await snippetsOf(sandbox.url, 'frontend');
    const port = await freePort();
    const here = (text: string) => text.replaceAll('localhost:3001', `localhost:${port}`);
    const [, challenge = ''] = /^WWW-Authenticate: (.*)$/m.exec(here(snippet('mcp-challenge'))) ?? [];
    const metadata = here(snippet('mcp-metadata'));
    const server = createServer(({ url }, res) =>
      url === '/.well-known/oauth-protected-resource/mcp'
        ? res.setHeader('Content-Type', 'application/json').end(metadata)
        : res.writeHead(401, { 'WWW-Authenticate': challenge }).end(),
    ).listen(port, 'localhost');
    await once(server, 'listening');
    try {
      const provider = createProvider();
      const refused = await fetch(`http://localhost:${port}/mcp`, { method: 'POST' });
      const [, resourceMetadata = ''] =
        /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
      const asked = { serverUrl: `http://localhost:${port}/mcp`, resourceMetadataUrl: new URL(resourceMetadata) };
      expect(await auth(provider, asked)).toBe('REDIRECT');
      const browser = createAgent(sandbox.url);
      const page = await browser.open(provider.sentTo.at(-1) ?? '');
      const { url } = await browser.submit(page, 'login-user-alice');
      const authorizationCode = url.searchParams.get('code') ?? '';
      expect(await auth(provider, { ...asked, authorizationCode })).toBe('AUTHORIZED');
      const { aud, scope } = decodeJwt(provider.stored.tokens?.access_token ?? '');
      expect([aud, scope]).toEqual([`http://localhost:${port}/mcp`, 'products:read']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
