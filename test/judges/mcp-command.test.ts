import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readingTools, tools } from '../../src/extensions/mcp/mcp-server.ts';
import { observes } from '../observed.ts';
import { type RunningChild, runningChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';

const bundle = join(import.meta.dirname, '..', '..', 'dist', 'grantbox.cjs');
const secret = 'a-secret-of-the-configuration';
let sandbox: RunningChild;
beforeAll(async () => {
  sandbox = await runningChild({ args: ['start'] });
  await control('POST /clients', {
    client_id: 'backend',
    client_secret: secret,
    redirect_uris: ['http://localhost:3000/callback'],
    scope: 'openid products:read',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  });
  await control('POST /users', { sub: 'dora', password: 'a-password-of-dora', claims: { name: 'Dora' } });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(client => client.close()));
});

async function control(call: string, body?: unknown): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = call.split(' ');
  const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${sandbox.url}/_sandbox${path}`, body === undefined ? { method } : init);
  return (await response.json()) as Record<string, unknown>;
}

/** The SDK's client with the process of the command. It checks each result against the schema of its tool. */
async function agent(args: readonly string[] = ['--url', sandbox.url], env = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundle, 'mcp', ...args],
    env: { ...getDefaultEnvironment(), ...env },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  await client.listTools();
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
  const [{ text } = { text: '' }] = content as { text: string }[];
  if (isError) return text;
  expect(JSON.parse(text)).toEqual(structuredContent);
  return structuredContent;
}

/** A token request that is refused, and its id. */
async function refusedRequest(): Promise<string> {
  const response = await fetch(`${sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`backend:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'products:write' }),
  });
  expect(response.status).toBe(400);
  return response.headers.get('x-request-id') ?? '';
}

describe('grantbox mcp', () => {
  it('offers only tools that read, each with an object schema and hints', async () => {
    observes('command mcp');
    const client = await agent();
    expect(client.getServerVersion()).toMatchObject({ name: 'grantbox', title: 'Grantbox sandbox' });
    expect(client.getInstructions()).toContain(sandbox.url);
    const { tools: offered } = await client.listTools();
    expect(offered.map(({ name }) => name)).toEqual(readingTools.map(({ name }) => name));
    for (const { annotations, inputSchema, outputSchema, description = '' } of offered) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
      expect(description).toMatch(/\.$/);
    }
    expect(await call(client, 'create_user', { sub: 'eve' })).toBe(
      'create_user changes the sandbox, and this server only reads: start it as grantbox mcp --allow-changes',
    );
    expect(JSON.stringify(await control('GET /users'))).not.toContain('"eve"');
  });

  it('says what failed, why, and how to mend it', async () => {
    const client = await agent();
    const requestId = await refusedRequest();
    const { problems, total } = await call(client, 'list_problems', { client_id: 'backend' });
    expect(problems[0]).toMatchObject({ client_id: 'backend', code: 'invalid_scope', requestId });
    expect(total).toBe(1);
    const explained = await call(client, 'explain_problem', { id: problems[0].id });
    expect(explained).toMatchObject({
      requestId,
      certainty: 'certain',
      title: expect.stringContaining('products:write'),
    });
    expect(explained.fixes[0].text).not.toBe('');
    expect(await call(client, 'explain_problem', { id: requestId })).toEqual(explained);
    expect(await call(client, 'explain_problem')).toMatchObject({ requestId });
    expect(await call(client, 'explain_problem', { id: 'prb_none' })).toMatch(
      /^explain_problem: the history has no problem "prb_none"/,
    );
    const read = await call(client, 'read_request', { requestId });
    expect(read.exchange.requestBody).toContain('grant_type=client_credentials');
    expect(read.exchange.requestHeaders).toContain('authorization: Basic [redacted]');
    expect(read.events).toContainEqual(expect.objectContaining({ type: 'error.returned', error: 'invalid_scope' }));
  });

  it('shows flows step by step, and tokens with their uses', async () => {
    const client = await agent();
    const requestId = await refusedRequest();
    const login = await control('POST /login', { client: 'backend', user: 'dora', as: 'tokens' });
    await fetch(`${sandbox.url}/api/bikes`, { headers: { Authorization: `Bearer ${login.access_token}` } });
    const { flows } = await call(client, 'list_flows', { q: 'client:backend kind:client_credentials status:failed' });
    expect(flows[0]).toMatchObject({ client_id: 'backend', kind: 'client_credentials', refusal: { requestId } });
    const { flow, requests } = await call(client, 'read_flow', { id: flows[0].id });
    expect(flow.id).toBe(flows[0].id);
    expect(requests).toMatchObject([
      { requestId, request: { body: { text: expect.stringContaining('scope=products') } } },
    ]);
    expect(await call(client, 'list_flows', { q: 'colour:red' })).toMatch(/^list_flows: q: .*colour/);
    const { tokens } = await call(client, 'list_tokens', { q: 'client:backend user:dora' });
    const access = tokens.find(({ tokenType }: { tokenType: string }) => tokenType === 'access');
    expect(access).toMatchObject({ status: 'valid', token: expect.stringMatching(/\.\[redacted\]$/) });
    const read = await call(client, 'read_token', { tokenId: access.tokenId });
    expect(read.claims).toMatchObject({ sub: 'dora' });
    expect(read.events).toContainEqual(expect.objectContaining({ type: 'error.returned', endpoint: 'api' }));
    const decoded = await call(client, 'decode_token', { token: login.access_token });
    expect(decoded).toMatchObject({
      format: 'jwt',
      signature: { ok: true },
      issued: { tokenId: access.tokenId, status: 'valid' },
      faults: [],
      refusals: [expect.objectContaining({ endpoint: 'api', error: 'insufficient_scope' })],
    });
  });

  it('compares a token with what an API expects', async () => {
    const client = await agent();
    const { access_token: token } = await control('POST /login', { client: 'backend', user: 'dora', as: 'tokens' });
    const decoded = (expected: object) => call(client, 'decode_token', { token, expected });
    const { iss: issuer } = (await decoded({})).claims;
    const right = await decoded({ issuer, audience: 'backend', typ: 'at+jwt' });
    expect(right.faults).toEqual([]);
    const wrong = await decoded({ audience: 'my-api' });
    expect(wrong.faults).toEqual(['aud is "backend", and "my-api" is expected.']);
  });

  it('answers with no secret, whatever tool or resource is asked', async () => {
    const client = await agent();
    const login = await control('POST /login', { client: 'backend', user: 'dora', as: 'tokens' });
    await refusedRequest();
    const { flows } = await call(client, 'list_flows');
    const { tokens } = await call(client, 'list_tokens');
    const given: Readonly<Record<string, Record<string, unknown>>> = {
      read_flow: { id: flows[0].id },
      read_token: { tokenId: tokens[0].tokenId },
      read_request: { requestId: await refusedRequest() },
      decode_token: { token: 'an opaque token' },
      wait_for_event: { type: 'token.issued' },
    };
    const results = readingTools.map(({ name }) => call(client, name, given[name]));
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'grantbox://problems/{id}',
      'grantbox://flows/{id}',
    ]);
    const addresses = [...resources.map(({ uri }) => uri), `grantbox://flows/${flows[0].id}`];
    const read = addresses.map(async uri => (await client.readResource({ uri })).contents);
    const texts = (await Promise.all([...results, ...read])).map(each => JSON.stringify(each));
    expect(texts.filter(text => text.startsWith('"'))).toEqual([]); // no tool failed
    const raw = [
      secret,
      'sensor-secret',
      'a-password-of-dora',
      String(login.refresh_token),
      String(login.access_token),
    ];
    for (const text of texts) expect(raw.filter(each => text.includes(each))).toEqual([]);
    expect(texts.join()).toContain('`pkce_mismatch`');
  });

  it('waits for an event that comes later', async () => {
    const client = await agent();
    const { last_id: after } = await call(client, 'list_events', { limit: 1 });
    const waiting = call(client, 'wait_for_event', { after, q: 'client:backend', type: 'error.returned', seconds: 60 });
    const requestId = await refusedRequest();
    expect(await waiting).toMatchObject({ happened: true, event: { requestId, error: 'invalid_scope' } });
    expect(await call(client, 'wait_for_event', { after: after + 1e6, seconds: 1 })).toEqual({ happened: false });
  });

  it('refuses what does not fit the schema of a tool, in a sentence', async () => {
    const client = await agent();
    expect(await call(client, 'list_problems', { limit: 'many' })).toMatch(
      /^list_problems: limit: expected number, found "many"/,
    );
    expect(await call(client, 'list_problems', { cliant: 'a' })).toMatch(
      /^list_problems: cliant is not a member of the input/,
    );
    expect(await call(client, 'list_problem')).toBe(
      '"list_problem" is not a tool of this server; did you mean list_problems?',
    );
    expect(await call(client, 'list_tokens', { q: 'colour:red' })).toMatch(/^list_tokens: .*colour/);
    expect(await call(client, 'read_token', { tokenId: '..' })).toMatch(/^read_token: expected an id other than/);
    expect(await call(client, 'list_clients', { client_id: 'none' })).toMatch(
      /^list_clients: unknown client "none": expected one of/,
    );
    await expect(client.readResource({ uri: 'grantbox://nothing' })).rejects.toThrow(
      'expected one of grantbox://configuration',
    );
  });
});

describe('grantbox mcp --allow-changes', () => {
  it('creates clients and users, issues tokens, arms faults, moves the clock, and resets', async () => {
    observes('command mcp --allow-changes');
    await using own = await runningChild();
    const client = await agent(['--url', own.url, '--allow-changes']);
    const { tools: offered } = await client.listTools();
    expect(offered.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const hints = new Map(offered.map(({ name, annotations }) => [name, annotations]));
    expect(hints.get('create_client')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(hints.get('reset_sandbox')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });

    const made = await call(client, 'create_client', {
      client_id: 'cli',
      client_secret: secret,
      grant_types: ['client_credentials'],
      scope: 'products:read',
    });
    expect(made).toMatchObject({ client_id: 'cli', changed: true, entry: { client_secret: '[redacted]' } });
    const patched = await call(client, 'change_client', { client_id: 'cli', members: { client_name: 'Command line' } });
    expect(JSON.stringify(patched)).not.toContain(secret);
    expect((await call(client, 'list_clients', { client_id: 'cli' })).clients).toEqual([
      expect.objectContaining({ entry: expect.objectContaining({ client_name: 'Command line' }) }),
    ]);
    expect(await call(client, 'create_client', { client_id: 'cli' })).toMatch(/^create_client: .*client_id/);
    await call(client, 'create_user', { sub: 'eve', claims: { name: 'Eve' } });
    const { token } = await call(client, 'mint_token', { client: 'frontend', user: 'eve', lifetime: 60 });
    expect(await call(client, 'decode_token', { token })).toMatchObject({ claims: { sub: 'eve' }, faults: [] });
    await call(client, 'move_clock', { advance: '5m' });
    expect((await call(client, 'decode_token', { token })).faults).toEqual([
      expect.stringMatching(/^Expired \d+ min( \d+ s)? ago\.$/), // 4 min, and what a busy machine adds
    ]);

    expect(await call(client, 'arm_fault', { fault: 'unavailable', endpoint: 'jwks' })).toMatchObject({
      fault: 'unavailable',
    });
    expect((await fetch(`${own.url}/oauth2/jwks`)).status).toBe(503);
    await call(client, 'arm_fault', { fault: 'unavailable', endpoint: 'jwks' });
    expect(await call(client, 'disarm_faults')).toEqual({ disarmed: 1 });
    expect((await call(client, 'list_faults')).armed).toEqual([]);
    expect(await call(client, 'delete_user', { sub: 'eve' })).toMatchObject({ sub: 'eve' });
    expect(await call(client, 'reset_sandbox')).toEqual({ reset: 'everything' });
    expect(await call(client, 'read_clock')).toMatchObject({ offset: 0 });
    expect((await call(client, 'describe_sandbox')).clients).not.toContain('cli');
  });
});

describe('the process of grantbox mcp', () => {
  it('writes only messages of the protocol, survives a broken line, and ends with its input', async () => {
    const child = spawn(process.execPath, [bundle, 'mcp', '--url', sandbox.url], { stdio: 'pipe' });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    child.stdin.write('this is not JSON\n');
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'read_clock' } });
    send({ id: 3, method: 'nothing/known' });
    await expect.poll(() => out.split('\n').length).toBe(4);
    // a call that waits does not keep it
    send({ id: 4, method: 'tools/call', params: { name: 'wait_for_event', arguments: { after: 1e9, seconds: 60 } } });
    child.stdin.end();
    const [code] = await once(child, 'close');
    const messages = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('starts before the sandbox, and says what to do as long as nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const client = await agent(['--url', url]);
    expect(await call(client, 'list_problems')).toBe(
      `list_problems: ${url} did not answer (ECONNREFUSED); is the sandbox running?`,
    );
  });

  it('sends the control token, and says where it is missing', async () => {
    await using guarded = await runningChild({ env: { CONTROL_TOKEN: 'let-me-in' } });
    const without = await agent(['--url', guarded.url]);
    expect(await call(without, 'list_problems')).toContain('the sandbox requires its CONTROL_TOKEN');
    expect(await call(without, 'list_tokens')).toMatch(/^list_tokens: .*token/i);
    const client = await agent(['--url', guarded.url], { CONTROL_TOKEN: 'let-me-in' });
    expect((await call(client, 'list_problems')).problems).toMatchObject([{ reason: 'control_token_missing' }]);
    expect(await call(client, 'list_tokens')).toEqual({ tokens: [] });
  });

  it('says that a dashboard that is off explains nothing', async () => {
    await using quiet = await runningChild({ env: { DASHBOARD: 'off' } });
    const client = await agent(['--url', quiet.url]);
    expect(await call(client, 'list_problems')).toContain('start the sandbox with DASHBOARD=on');
    expect(await call(client, 'list_tokens')).toEqual({ tokens: [] });
  });

  it('reaches a sandbox with a certificate of its own by --insecure', async () => {
    await using secured = await runningChild({ env: { TLS: 'self-signed' } });
    const url = secured.url.replace('http:', 'https:');
    const client = await agent(['--url', url, '--insecure']);
    expect(await call(client, 'read_clock')).toMatchObject({ offset: 0 });
    expect(await call(await agent(['--url', url]), 'read_clock')).toContain('has a certificate that is not trusted');
  });
});
