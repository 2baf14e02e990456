import { describe, expect, it } from 'vitest';
import { commandLogin } from '../../../src/extensions/examine/drive/command-login.ts';
import { createSandbox } from '../../../src/index.ts';
import { careful } from './careful-client.ts';
import { createCarefulMcp } from './careful-mcp.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({
  plan: 'mcp-client',
  entry: careful,
  create: createCarefulMcp,
  recommended: [
    'basic-cimd',
    'scope-from-www-authenticate',
    'scope-from-scopes-supported',
    'scope-omitted-when-undefined',
    'offline-access-scope',
  ],
});

describe('a command that drives an MCP client', () => {
  it('finds the MCP server, the scenario and its client in the environment', async () => {
    const names = 'GRANTBOX_MCP_URL MCP_CONFORMANCE_SCENARIO MCP_CONFORMANCE_CONTEXT';
    const print = commandLogin(`for name in ${names}; do printenv $name; done`, { cwd: '/', env: process.env });
    const mcp = { url: 'http://127.0.0.1:1/mcp', client: { client_id: 'a' } };
    const { signal } = new AbortController();
    const told = await print({
      issuer: 'http://localhost:1',
      module: 'pre-registration',
      step: 'sign-in',
      mcp,
      signal,
    });
    const said = 'http://127.0.0.1:1/mcp\nauth/pre-registration\n{"client_id":"a"}';
    expect(told).toEqual({ believed: true, said });
  });
});

describe('an issuer that all modules share', () => {
  it('keeps no client of a module', async () => {
    const sandbox = await createSandbox({ clients: [careful] });
    const modules = ['pre-registration', 'client-credentials-basic'];
    const options = {
      plan: 'mcp-client',
      issuers: 'first',
      modules,
      user: 'alice',
      login: createCarefulMcp(),
    } as const;
    for (const _ of [1, 2]) expect((await sandbox.examine(options)).summary.pass).toBe(3);
    expect((await sandbox.clients.list()).map(({ client_id }) => client_id)).toEqual([careful.client_id]);
    await sandbox.stop();
  });
});
