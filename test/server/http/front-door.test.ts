import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { clientClosedRequest } from '../../../src/base/events/event.ts';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import { createProgress } from '../../../src/record/progress.ts';
import { createFrontDoor } from '../../../src/server/http/front-door.ts';
import { createRequestLog } from '../../../src/server/http/log/request-log.ts';
import { answerPages, type MachineEndpoint } from '../../../src/server/http/machine-endpoints.ts';
import { sendText } from '../../../src/server/http/send-text.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A front door before a handler that is known as the sample API. */
async function open(handle: RequestListener) {
  const events = createEventLog({ capacity: 10, now: () => 0 });
  const frontDoor = createFrontDoor({
    recording: true,
    isAllowedHost: host => host === 'localhost',
    hostNames: ['localhost'],
    maxHeaderSize: 16_384,
    machineEndpoints: new Map([['GET /api/products', { endpoint: 'api', handle }]]),
    answerPage: async () => endpoint => endpoint.handle,
    app: async () => handle,
    emit: requestId => fact => void events.append(fact, requestId),
    onError: error => {
      throw error;
    },
  });
  const server = createServer(frontDoor).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { events, port, completed: () => events.waitFor('request.completed') };
}

async function ask(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /api/products HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

describe('an answer that an error of the sandbox breaks off', () => {
  it('is a failure of the sandbox and not of the client', async () => {
    async function* text() {
      yield 'the beginning';
      throw new Error('a template that throws');
    }
    const { port, completed } = await open((_req, res) => void sendText(res, text()).catch(() => {}));
    await ask(port);
    expect(await completed()).toMatchObject({ endpoint: 'api', status: 500 });
  });
});

describe('a request that was given up', () => {
  it('is no success: its status is 499', async () => {
    let socket: Socket | undefined;
    const { events, port, completed } = await open(() => socket?.destroy());
    socket = await ask(port);
    expect(await completed()).toMatchObject({ endpoint: 'api', status: clientClosedRequest });
    expect(createProgress(events)().find(({ name }) => name === 'API call')).toMatchObject({ done: false });
  });

  it('is said to be so in the log', async () => {
    const destination = new PassThrough();
    const log = createRequestLog({ level: 'info', format: 'json', destination });
    const happened = { type: 'request.completed', endpoint: 'api', method: 'GET', path: '/api/products' } as const;
    const exchange = { url: '/api/products', ip: '', requestHeaders: '', responseHeaders: '' };
    const stamp = { id: 1, at: 0, requestId: 'req_1', milliseconds: 1, exchange };
    log.event({ ...happened, ...stamp, status: clientClosedRequest });
    await log.close();
    destination.end();
    expect(JSON.parse(await text(destination))).toMatchObject({
      msg: 'GET /api/products 499 client closed request',
      status: 499,
    });
  });
});

/** A front door with a metadata endpoint and a token endpoint, and which has no app. */
async function openWithoutApp() {
  const handle: RequestListener = (_, res) => void res.writeHead(200).end('answered');
  const cors = {
    corsOrigins: [],
    clientOrigins: () => new Set(['https://app.test']),
    faults: () => undefined,
  };
  const failures: unknown[] = [];
  const frontDoor = createFrontDoor({
    recording: false,
    isAllowedHost: () => true,
    hostNames: ['localhost'],
    maxHeaderSize: 16_384,
    machineEndpoints: new Map<string, MachineEndpoint>([
      ['GET /keys', { endpoint: 'jwks', handle, cors: 'anyone' }],
      ['POST /token', { endpoint: 'token', handle, cors: 'clients', credentials: true }],
    ]),
    answerPage: () => answerPages(cors),
    app: () => Promise.reject(new Error('the app was loaded')),
    emit: () => () => undefined,
    onError: error => void failures.push(error),
  });
  const server = createServer(frontDoor).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const send = (method: string, path: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  return { send, failures };
}

describe('the page of another origin', () => {
  it('is answered before the app is loaded', async () => {
    const { send, failures } = await openWithoutApp();
    const keys = await send('GET', '/keys', { origin: 'https://elsewhere.test' });
    const token = await send('POST', '/token', { origin: 'https://app.test' });
    expect([keys.status, token.status, failures]).toEqual([200, 200, []]);
    expect(keys.headers.get('access-control-allow-origin')).toBe('https://elsewhere.test');
    expect(keys.headers.get('access-control-allow-credentials')).toBeNull();
    expect(token.headers.get('access-control-allow-origin')).toBe('https://app.test');
    expect(token.headers.get('access-control-allow-credentials')).toBe('true');
  });

  it('gets no leave to read from an origin of no client', async () => {
    const { send } = await openWithoutApp();
    const { status, headers } = await send('POST', '/token', { origin: 'https://elsewhere.test' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('has its preflight answered there, too', async () => {
    const { send, failures } = await openWithoutApp();
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'dpop' };
    const { status, headers } = await send('OPTIONS', '/token', { origin: 'https://app.test', ...asked });
    expect([status, failures]).toEqual([204, []]);
    expect(headers.get('access-control-allow-headers')).toBe('dpop');
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('waits for the app where the endpoint is none for machines, or the method is not', async () => {
    const { send, failures } = await openWithoutApp();
    const origin = 'https://app.test';
    const page = await send('GET', '/elsewhere', { origin });
    const preflight = await send('OPTIONS', '/token', { origin, 'access-control-request-method': 'DELETE' });
    const options = await send('OPTIONS', '/token', { 'access-control-request-method': 'POST' });
    expect([page.status, preflight.status, options.status]).toEqual([500, 500, 500]);
    expect(failures).toHaveLength(3);
  });
});

describe('a request that was answered', () => {
  it('has the status of its answer', async () => {
    const { port, completed } = await open((_, res) => void res.writeHead(204).end());
    const socket = await ask(port);
    expect(await completed()).toMatchObject({ status: 204 });
    socket.destroy();
  });

  it('has it, too, when it is a live stream, which ends when its reader leaves', async () => {
    const { port, completed } = await open((_, res) => void res.writeHead(200).write(': connected\n\n'));
    const socket = await ask(port);
    await once(socket, 'data');
    socket.destroy();
    expect(await completed()).toMatchObject({ status: 200 });
  });
});
