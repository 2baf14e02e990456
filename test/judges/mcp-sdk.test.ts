import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { auth, extractWWWAuthenticateParams, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSelfSigned } from '../../src/server/tls/self-signed.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { runningChild } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';
import { openSite } from '../support/site.ts';
import { callback, createProvider, type Provider, startMcpServer } from './support/mcp.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.stop());

/** What the user does where the application sent them: sign in. The code that comes back. */
async function signIn({ sentTo }: Provider, origin = sandbox.url): Promise<string> {
  const agent = createAgent(origin);
  const { url } = await agent.submit(await agent.open(sentTo.at(-1) ?? ''), 'login-user-alice');
  expect(url.href.startsWith(callback)).toBe(true);
  return url.searchParams.get('code') ?? '';
}

/** From the first refusal to the first call of a tool, as any MCP client does it; what the tool says. */
async function callTool(url: URL, provider: Provider, origin?: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(client.connect(transport as Parameters<typeof client.connect>[0])).rejects.toThrow(UnauthorizedError);
  await transport.finishAuth(await signIn(provider, origin));
  const again = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await client.connect(again as Parameters<typeof client.connect>[0]);
  const { content } = await client.callTool({ name: 'who' });
  await client.close();
  return content;
}

describe('the MCP SDK', () => {
  it.each(['none', 'client_secret_post', 'client_secret_basic'])(
    'finds the server, registers with the method %s, logs in and calls a tool of an MCP server',
    async method => {
      await using mcp = await startMcpServer(sandbox.issuer);
      const provider = createProvider(undefined, undefined, method);
      const content = await callTool(mcp.url, provider);
      const { client, tokens } = provider.stored;
      expect(content).toEqual([{ type: 'text', text: `called by ${client?.client_id}` }]);
      expect(provider.sentTo[0]?.searchParams.get('resource')).toBe(mcp.url.href);
      expect(decodeJwt(tokens?.access_token ?? '')).toMatchObject({ aud: mcp.url.href, scope: 'products:read' });
      expect(sandbox.events.latest('client.registered', 1)).toMatchObject([{ client_name: 'An MCP client' }]);
    },
  );

  it('refreshes its tokens, still for that server', async () => {
    await using mcp = await startMcpServer(sandbox.issuer);
    const provider = createProvider();
    await callTool(mcp.url, provider);
    const first = provider.stored.tokens;
    expect(await auth(provider, { serverUrl: mcp.url })).toBe('AUTHORIZED');
    const { access_token = '', refresh_token } = provider.stored.tokens ?? {};
    expect(refresh_token).not.toBe(first?.refresh_token);
    expect(decodeJwt(access_token).aud).toBe(mcp.url.href);
  });

  it('needs no registration with a client metadata document', async () => {
    await using mcp = await startMcpServer(sandbox.issuer);
    const site = await openSite(({ url }) => ({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(documentOf(url.href)),
    }));
    const client_id = `${site.elsewhere}/client.json`;
    const registered = sandbox.events.latest('client.registered', 100).length;
    const content = await callTool(mcp.url, createProvider({ client_id }));
    expect(content).toEqual([{ type: 'text', text: `called by ${client_id}` }]);
    expect(site.requests.map(({ url }) => url.href)).toEqual([client_id]);
    expect(sandbox.events.latest('client.registered', 100)).toHaveLength(registered);
    await site.close();
  });

  it('chooses its metadata document over a registration', async () => {
    await using documents = await serveDocument();
    await using child = await runningChild({ env: { NODE_EXTRA_CA_CERTS: documents.caFile } });
    const issuer = child.ready.issuer ?? '';
    await using mcp = await startMcpServer(issuer);
    const provider = createProvider(undefined, documents.client_id);
    const content = await callTool(mcp.url, provider, new URL(issuer).origin);
    expect(content).toEqual([{ type: 'text', text: `called by ${documents.client_id}` }]);
  });

  it('walks from the refusal of the sample backend to its data', async () => {
    const serverUrl = `${sandbox.url}/api/products`;
    const refused = await fetch(serverUrl);
    const { resourceMetadataUrl = new URL(sandbox.url), scope = '' } = extractWWWAuthenticateParams(refused);
    expect([refused.status, scope]).toEqual([401, 'products:read']);
    const provider = createProvider();
    const options = { serverUrl, resourceMetadataUrl, scope };
    expect(await auth(provider, options)).toBe('REDIRECT');
    expect(await auth(provider, { ...options, authorizationCode: await signIn(provider) })).toBe('AUTHORIZED');
    const authorization = `Bearer ${provider.stored.tokens?.access_token}`;
    expect((await fetch(serverUrl, { headers: { authorization } })).status).toBe(200);
    // a token for the products is for nothing else
    expect((await fetch(`${sandbox.url}/api/bikes`, { headers: { authorization } })).status).toBe(401);
  });
});

function documentOf(client_id: string): object {
  return {
    client_id,
    client_name: 'A documented client',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** A document at an https address of this machine, and the file with the CA to trust. */
async function serveDocument() {
  const { server: certificate, ca } = await createSelfSigned([], new Date());
  const folder = newFolder();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca);
  const server = createServer(certificate, (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(documentOf(client_id)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const client_id = `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
  return {
    client_id,
    caFile,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
