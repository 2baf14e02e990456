import { describe, expect, it } from 'vitest';
import { commandLogin } from '../../../src/extensions/examine/drive/command-login.ts';
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
