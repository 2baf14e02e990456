import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { cookieHeader, keepCookies } from '../../../src/server/wire/cookie-jar.ts';
import { AnswerTooLong, send } from '../../../src/server/wire/send.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<number> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Answers with what was sent. */
const echo: RequestListener = async (req, res) => {
  const body = Buffer.concat(await req.toArray()).toString();
  res.writeHead(201, { 'X-Kind': ['one', 'two'] });
  res.end(JSON.stringify([req.method, req.url, req.headers.host, req.headers['content-length'], body]));
};

it.each(['POST', 'DELETE'])('sends %s with its body and the length of it', async method => {
  const url = `http://127.0.0.1:${await serve(echo)}/a?b=c`;
  const { status, text, headersDistinct } = await send(url, { method, body: 'ä' });
  expect({ status, kinds: headersDistinct['x-kind'] }).toEqual({ status: 201, kinds: ['one', 'two'] });
  expect(JSON.parse(text)).toEqual([method, '/a?b=c', new URL(url).host, '2', 'ä']);
});

it('connects where it is told, and asks for what it is told', async () => {
  const port = await serve(echo);
  const headers = { Host: 'idp.test' };
  const { text } = await send('http://idp.test/x', { hostname: '127.0.0.1', port, path: '/a/../b', headers });
  expect(JSON.parse(text)).toEqual(['GET', '/a/../b', 'idp.test', null, '']);
});

it.each<[string, RequestListener]>([
  ['says how long it is', (_, res) => void res.writeHead(200, { 'Content-Length': 11 }).write('x')],
  ['does not', (_, res) => void res.write('x'.repeat(11))],
])('takes no longer answer than it is told, where the answer %s', async (_, listener) => {
  const url = `http://127.0.0.1:${await serve(listener)}/`;
  await expect(send(url, { maxBytes: 10 })).rejects.toThrow(AnswerTooLong);
});

it.each<[string, RequestListener]>([
  ['no answer', () => undefined],
  ['half an answer', (_, res) => void res.writeHead(200, { 'Content-Length': 2 }).write('x')],
])('does not wait for ever for the rest of %s', async (_, listener) => {
  const url = `http://127.0.0.1:${await serve(listener)}/`;
  await expect(send(url, { timeoutSeconds: 0.2 })).rejects.toThrow('no response in 0.2 s');
});

it('keeps cookies by name, until the server ends them', () => {
  const jar = new Map<string, string>();
  expect(cookieHeader(jar)).toEqual({});
  keepCookies(jar, ['a=1; Path=/', 'b=x=y; HttpOnly', 'c=3']);
  keepCookies(jar, ['a=2', 'c=; Max-Age=0']);
  keepCookies(jar);
  expect(cookieHeader(jar)).toEqual({ Cookie: 'a=2; b=x=y' });
});
