import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, connectionFailure } from '../../../src/client/cli/ask.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
}

describe('a request of a command', () => {
  it('is sent with its body, and follows no redirect', async () => {
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      response.writeHead(302, { Location: '/y' }).end(`${request.method} ${request.headers['content-length']} ${body}`);
    });
    expect(await ask(url, { method: 'POST', body: 'ü=1' }, {})).toMatchObject({
      status: 302,
      text: 'POST 4 ü=1',
      headers: { location: '/y' },
    });
  });

  it.each([
    ['no answer', () => undefined],
    ['half an answer', (_, response) => response.writeHead(200, { 'Content-Length': 10 }).write('half')],
  ] satisfies [string, RequestListener][])('does not wait for ever: %s', async (_, listener) => {
    const url = await serve(listener);
    await expect(ask(url, { timeoutSeconds: 0.2 }, {})).rejects.toMatchObject({
      name: 'CommandFailure',
      code: 2,
      message: `${url.origin} did not answer: no response in 0.2 s`,
    });
  });

  it('says so where the connection is cut', async () => {
    const url = await serve((_, response) => void response.socket?.destroy());
    await expect(ask(url, {}, {})).rejects.toMatchObject({
      code: 2,
      message: `${url.origin} did not answer: ECONNRESET`,
    });
  });

  it('takes no answer without an end', async () => {
    const part = 'x'.repeat(1_000_000);
    const url = await serve((_, response) => {
      const more = () => {
        if (response.writable) response.write(part, more);
      };
      more();
    });
    await expect(ask(url, { timeoutSeconds: 60 }, {})).rejects.toThrow('more than 8000000 bytes');
  });
});

it.each([
  ['ENOTFOUND', 2, 'the name sandbox.test cannot be resolved on this machine (ENOTFOUND). Inside a container'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 1, 'not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Download its CA once'],
  ['EHOSTUNREACH', 2, 'https://sandbox.test:9443 did not answer: EHOSTUNREACH'],
])('explains %s', (code, exitCode, text) => {
  const failure = connectionFailure(new URL('https://sandbox.test:9443/x'), Object.assign(new Error('no'), { code }));
  expect(failure.code).toBe(exitCode);
  expect(failure.message).toContain(text);
});
