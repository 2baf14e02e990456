import { createServer as createPlainServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type HealthcheckOptions, healthcheck } from '../../../src/client/cli/healthcheck.ts';
import { type Listening, listen } from '../../../src/server/http/listen.ts';
import { createSelfSigned } from '../../../src/server/tls/self-signed.ts';

const { server } = await createSelfSigned([], new Date());
let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close(0);
});

async function serve(status = 200): Promise<number> {
  listening = await listen((_, response) => response.writeHead(status).end(), '127.0.0.1', 0, { tls: server });
  return listening.port;
}

/** Where an answer comes, a busy machine has time for it. */
const check = (options: HealthcheckOptions) => healthcheck({ timeoutSeconds: 60, ...options });

it.each(['self-signed', 'off', undefined])('finds a sandbox that speaks HTTPS well, with TLS=%s', async TLS => {
  const port = await serve();
  const message = `https://127.0.0.1:${port}/health answered 200`;
  expect(await check({ environment: { PORT: String(port), TLS } })).toEqual({ code: 0, message });
});

it('takes a whole https address', async () => {
  const url = `https://localhost:${await serve()}/health`;
  expect(await check({ url })).toEqual({ code: 0, message: `${url} answered 200` });
});

it('is not well where the answer over HTTPS is another', async () => {
  const port = await serve(503);
  expect(await check({ environment: { PORT: String(port) } })).toEqual({
    code: 1,
    message: `https://127.0.0.1:${port}/health answered 503`,
  });
});

it('is not well where a server without HTTPS answers 400', async () => {
  const plain = createPlainServer((_, response) => response.writeHead(400).end());
  await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo; // a TCP server's address is never a string
  const { code, message } = await check({ environment: { PORT: String(port) } });
  expect(code).toBe(2);
  expect(message).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/health did not answer: /);
  plain.closeAllConnections();
  await new Promise(resolve => plain.close(resolve));
});

it('asks at a whole http address over HTTP only', async () => {
  const port = await serve();
  const url = `http://127.0.0.1:${port}/health`;
  expect(await check({ url })).toEqual({ code: 1, message: `${url} answered 400` });
});
