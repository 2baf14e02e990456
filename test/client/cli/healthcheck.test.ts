import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type HealthcheckOptions, healthcheck } from '../../../src/client/cli/healthcheck.ts';
import { observes } from '../../observed.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<number> {
  server = createServer(listener);
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Where an answer comes, a busy machine has time for it. */
const check = (options: HealthcheckOptions) => healthcheck({ timeoutSeconds: 60, ...options });
const at = (port: number) => ({ PORT: String(port) });

it.each([undefined, '', 'localhost', '0.0.0.0', '::', '127.0.0.1'])(
  'is well where /health answers 200, HOST=%s',
  async host => {
    const port = await serve((request, response) =>
      response.writeHead(request.url === '/health' ? 200 : 404).end('{"status":"UP"}'),
    );
    expect(await check({ environment: { HOST: host, PORT: String(port) } })).toEqual({
      code: 0,
      message: `http://127.0.0.1:${port}/health answered 200`,
    });
  },
);

it.each([
  ['', '/health'],
  ['/', '/health'],
  ['/realms/demo', '/realms/demo/health'],
  ['/health', '/health'],
  ['/ready', '/ready'],
])('takes the address of a sandbox, of an issuer or of the check itself: %s', async (typed, asked) => {
  observes('command healthcheck --url');
  const port = await serve((request, response) => response.writeHead(request.url === asked ? 200 : 404).end());
  expect(await check({ url: `http://127.0.0.1:${port}${typed}`, environment: { PORT: '1' } })).toEqual({
    code: 0,
    message: `http://127.0.0.1:${port}${asked} answered 200`,
  });
});

it('is not well where the answer is another', async () => {
  const port = await serve((_, response) => response.writeHead(503).end());
  expect(await check({ environment: at(port) })).toEqual({
    code: 1,
    message: `http://127.0.0.1:${port}/health answered 503`,
  });
});

it('is not well where nobody listens', async () => {
  const port = await serve(() => undefined);
  await new Promise(resolve => server?.close(resolve));
  expect(await check({ environment: at(port) })).toEqual({
    code: 2,
    message: `http://127.0.0.1:${port}/health did not answer: ECONNREFUSED`,
  });
});

it('does not wait for an answer that does not come', async () => {
  const port = await serve(() => undefined);
  const { code, message } = await check({ environment: at(port), timeoutSeconds: 0.1 });
  expect({ code, message }).toEqual({
    code: 2,
    message: `http://127.0.0.1:${port}/health did not answer: no response in 0.1 s`,
  });
});

it.each(['abc', '0', '70000', '1.5'])('says that PORT=%s is no port', async port => {
  expect(await check({ environment: { PORT: port } })).toEqual({
    code: 1,
    message: `PORT: expected a port from 1 to 65535, found "${port}"`,
  });
});

it('asks with a host name that every sandbox answers to', async () => {
  const port = await serve((request, response) =>
    response.writeHead(request.headers.host === 'localhost' ? 200 : 403).end(),
  );
  expect(await check({ environment: at(port) })).toMatchObject({ code: 0 });
});
