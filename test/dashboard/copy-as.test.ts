import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCurl, asFetch, asHttpFile, callOf, type HttpCall } from '../../src/dashboard/http-call.ts';

const run = promisify(execFile);

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const arrived: Arrived[] = [];
const server = createServer(async (req, res) => {
  arrived.push({ method: req.method, url: req.url, headers: req.headers, body: await text(req) });
  res.end();
});
let origin: string;

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function sent(command: string, args: readonly string[]): Promise<Arrived | undefined> {
  arrived.length = 0;
  await run(command, args, { cwd: '/' });
  return arrived[0];
}

const nasty = `it's $HOME \`id\` $(id) "quoted" \\n \\ !! %s {a,b} * ~ & ; | < > # \t tab`;
const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const json = ['Content-Type', 'application/json'] as const;

const calls: readonly (readonly [what: string, path: string, call: Omit<HttpCall, 'url'>])[] = [
  ['a plain request', '/x', { method: 'GET', headers: [] }],
  [
    'headers',
    '/x?a=1&b=2',
    {
      method: 'GET',
      headers: [
        ['Authorization', `Bearer ${nasty}`],
        ['X-Empty', ''],
      ],
    },
  ],
  ['an address with brackets', '/x?a[0]={b}&c=d%20e', { method: 'GET', headers: [] }],
  ['a path that climbs', '/a/../b/./c', { method: 'GET', headers: [] }],
  ['a form', '/token', { method: 'POST', headers: [form], body: 'a=b&c=%27d%27' }],
  [
    'a nasty body',
    '/token',
    { method: 'POST', headers: [json], body: JSON.stringify({ nasty, lines: 'a\nb' }, null, 2) },
  ],
  ['a body that names a file', '/token', { method: 'POST', headers: [form], body: '@/etc/passwd' }],
  ['an empty body', '/token', { method: 'POST', headers: [form], body: '' }],
  ['a body of no type', '/token', { method: 'POST', headers: [], body: 'plain' }],
  ['another method', '/token', { method: 'DELETE', headers: [] }],
  ['a GET with a body', '/token', { method: 'GET', headers: [json], body: '{}' }],
  ['letters of the world', '/token', { method: 'PUT', headers: [json], body: '{"name":"Zoë 太郎 🦊"}' }],
];

function expectArrived(got: Arrived | undefined, path: string, { method, headers, body = '' }: Omit<HttpCall, 'url'>) {
  expect(got).toMatchObject({ method, url: path, body });
  for (const [name, value] of headers) expect(got?.headers[name.toLowerCase()]).toBe(value.trim());
  if (!headers.some(([name]) => name === 'Content-Type')) {
    expect(got?.headers['content-type'] ?? 'text/plain;charset=UTF-8').toBe('text/plain;charset=UTF-8');
  }
}

describe('copied as curl', () => {
  it.each(calls)('%s arrives as it was', async (_, path, call) => {
    expectArrived(await sent('bash', ['-c', asCurl({ ...call, url: origin + path })]), path, call);
  });
});

describe('copied as fetch', () => {
  const possible = calls.filter(([, path, { method, body }]) => !path.includes('..') && (method !== 'GET' || !body));
  it.each(possible)('%s arrives as it was', async (_, path, call) => {
    const code = asFetch({ ...call, url: origin + path });
    const url = new URL(path, origin);
    expectArrived(await sent(process.execPath, ['--input-type=module', '-e', code]), url.pathname + url.search, call);
  });
});

describe('copied as .http', () => {
  it.each(calls)('%s is written as on the wire', (_, path, call) => {
    const [head = '', ...body] = asHttpFile({ ...call, url: origin + path }).split('\n\n');
    const [line, ...headers] = head.trimEnd().split('\n');
    expect(line).toBe(`${call.method} ${origin}${path}`);
    expect(headers).toEqual(call.headers.map(([name, value]) => `${name}: ${value}`.trimEnd()));
    expect(body.join('\n\n')).toBe(call.body === undefined ? '' : `${call.body}\n`);
  });

  it.each(['a\n### another', '< /etc/passwd', 'x\n<@ ./secret', '{{$processEnv HOME}}', '> {% client.log() %}'])(
    'never has a body that would mean something else: %j',
    body => {
      const file = asHttpFile({ method: 'POST', url: 'http://localhost/', headers: [], body });
      expect(file).not.toContain(body);
      expect(file).toMatch(/^# The body/);
    },
  );

  it('never has an address or a header that would name a variable', () => {
    const headers = [['X-Test', '{{$processEnv HOME}}']] as const;
    expect(asHttpFile({ method: 'GET', url: 'http://localhost/', headers })).not.toContain('{{');
    expect(asHttpFile({ method: 'GET', url: 'http://localhost/?x={{y}}', headers: [] })).not.toContain('{{');
  });
});

describe('a recorded request', () => {
  it('is copied without what belonged to its connection or its browser', () => {
    const headers = {
      Host: 'localhost:9000',
      Connection: 'keep-alive',
      'Content-Length': '3',
      'User-Agent': 'Mozilla/5.0',
      'Sec-Fetch-Site': 'same-origin',
      'sec-ch-ua': '"Chromium"',
      Accept: '*/*',
      Origin: 'http://localhost:3000',
      DPoP: 'a-proof',
    };
    const exchange = {
      url: '/token?x=1',
      ip: '127.0.0.1',
      requestHeaders: Object.entries(headers).flat().join('\n'),
      requestBody: { text: 'a=b', bytes: 3 },
      responseHeaders: '',
    };
    expect(callOf({ method: 'POST', exchange }, 'http://localhost:9000')).toEqual({
      method: 'POST',
      url: 'http://localhost:9000/token?x=1',
      headers: [
        ['Origin', 'http://localhost:3000'],
        ['DPoP', 'a-proof'],
      ],
      body: 'a=b',
    });
  });
});
