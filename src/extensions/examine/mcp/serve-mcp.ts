import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { recordIn } from '../../../base/text/record.ts';

/** A request to the MCP server of a module, or for a document beside it. */
export interface McpCall {
  /** The name of the endpoint in a report. Default: `mcp`. */
  readonly endpoint?: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The method of the JSON-RPC message: `tools/list`. */
  readonly rpc?: string;
  /** `Bearer` or `DPoP`, as it was written. */
  readonly scheme?: string;
  readonly token?: string;
  /** The DPoP proof. */
  readonly proof?: string;
}

/** A refusal of the MCP server. Its challenge also says where the metadata is, if the rules tell that. */
export interface McpRefusal {
  readonly status: number;
  readonly challenge?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the MCP server of a module behaves. */
export interface McpRules {
  /** The path of its metadata (RFC 9728). */
  readonly metadataAt: string;
  /** Whether its challenge says so. */
  readonly isTold: boolean;
  /** The scope of its challenge. */
  readonly scope?: string;
  readonly scheme: string;
  /** The members of its metadata, read for each request. */
  metadata(): object;
  /** Other documents, by path. */
  readonly documents: Readonly<Record<string, object>>;
  /** Refuses a call that has a token. `before`: the calls so far. */
  refuse?(call: Omit<McpCall, 'status'>, before: readonly McpCall[]): McpRefusal | undefined;
}

/** A running MCP server of a module. */
export interface RunningMcp {
  readonly calls: readonly McpCall[];
  close(): void;
}

/**
 * Serves one MCP server on a free port of this machine: it answers a client that has a token, and says to others where to
 * get one. It has one tool.
 */
export async function serveMcp(rulesAt: (origin: string) => McpRules): Promise<RunningMcp & { readonly url: string }> {
  const calls: McpCall[] = [];
  const server = createServer(async (req, res) => {
    const { call, message } = await callOf(req);
    const { status, headers = {}, body } = answerTo(call, message);
    calls.push({ ...call, status });
    write(res, status, headers, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rules = rulesAt(origin);
  const answerTo = (call: Omit<McpCall, 'status'>, message: Message): McpAnswer => {
    const document = call.path === rules.metadataAt ? rules.metadata() : rules.documents[call.path];
    if (document !== undefined) return { status: 200, body: document };
    if (call.path !== '/mcp') return { status: 404 };
    const refusal = call.token === undefined ? { status: 401 } : rules.refuse?.(call, calls);
    if (refusal !== undefined) return refused(refusal, rules, origin);
    return call.method === 'POST' ? answered(message) : { status: 405 };
  };
  return {
    url: `${origin}/mcp`,
    calls,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Message = Readonly<Record<string, unknown>>;

interface McpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function callOf(req: IncomingMessage): Promise<{ call: Omit<McpCall, 'status'>; message: Message }> {
  const message = recordIn(await text(req)) ?? {};
  const [scheme, token] = req.headers.authorization?.split(' ') ?? [];
  const proof = req.headers.dpop;
  const call = {
    method: req.method ?? '',
    path: new URL(req.url ?? '/', 'http://mcp').pathname,
    ...(typeof message.method === 'string' ? { rpc: message.method } : {}),
    ...(scheme === undefined ? {} : { scheme }),
    ...(token === undefined ? {} : { token }),
    ...(typeof proof === 'string' ? { proof } : {}),
  };
  return { call, message };
}

function refused({ status, challenge = {}, headers }: McpRefusal, rules: McpRules, origin: string): McpAnswer {
  const scope = rules.scope === undefined ? {} : { scope: rules.scope };
  const told = rules.isTold ? { resource_metadata: origin + rules.metadataAt } : {};
  const parameters = Object.entries({ ...scope, ...told, ...challenge }).map(([name, value]) => `${name}="${value}"`);
  const challenged = `${rules.scheme} ${parameters.length === 0 ? 'realm="mcp"' : parameters.join(', ')}`;
  return { status, headers: { 'WWW-Authenticate': challenged, ...headers }, body: { error: challenge.error ?? '' } };
}

const tool = { name: 'examined', description: 'Ends the examination of this module', inputSchema: { type: 'object' } };

/** The answer to one message of JSON-RPC; a notification gets none. */
function answered({ id, method, params }: Message): McpAnswer {
  if (id === undefined) return { status: 202 };
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: (params as Message | undefined)?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'grantbox-examine', version: '1' },
    },
    ping: {},
    'tools/list': { tools: [tool] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  const result = results[String(method)];
  const unknown = { code: -32601, message: 'Method not found' };
  return { status: 200, body: { jsonrpc: '2.0', id, ...(result === undefined ? { error: unknown } : { result }) } };
}

function write(res: ServerResponse, status: number, headers: Readonly<Record<string, string>>, body?: object): void {
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json' };
  res.writeHead(status, { ...typed, ...headers }).end(body === undefined ? '' : JSON.stringify(body));
}
