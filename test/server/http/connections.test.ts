import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionLimit } from '../../../src/server/http/connection-limit.ts';
import { type Listening, type ListenOptions, listen } from '../../../src/server/http/listen.ts';
import { createSelfSigned } from '../../../src/server/tls/self-signed.ts';
import { until } from '../../support/child.ts';

const made = await createSelfSigned([], new Date());
let listening: Listening | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening?.close(0);
});

async function serve(listener: RequestListener, options: ListenOptions = {}): Promise<number> {
  listening = await listen(listener, '127.0.0.1', 0, options);
  return listening.port;
}

/** A connection whose answers pile up until somebody reads them. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

function readAll(socket: Socket): { text: string; isClosed: boolean } {
  const read = { text: '', isClosed: false };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    read.text += chunk;
  });
  socket.on('close', () => {
    read.isClosed = true;
  });
  return read;
}

const requestTo = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const megabyte = Buffer.alloc(1_000_000, 'x');

describe('requests that come over one connection without waiting', () => {
  it.each(['GET', 'POST'])('are not begun while nobody reads the answers to %s requests', async method => {
    let begun = 0;
    const port = await serve((req, res) => {
      begun++;
      req.resume();
      res.end(megabyte);
    });
    const silent = await open(port);
    silent.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab`.repeat(3000));
    await until(() => begun > 0);
    for (let asked = 0; asked < 50; asked++) await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
    expect(begun - 50).toBeLessThan(30); // what fits into the buffers of the two systems
  });

  it('stop being read', async () => {
    const port = await serve((_, res) => res.end(megabyte));
    const silent = await open(port);
    const requests = requestTo('/').repeat(500_000); // more than those buffers hold
    silent.write(requests);
    for (let asked = 0; asked < 50; asked++) await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
    expect(silent.writableLength).toBeGreaterThan(0);
  });

  it('are answered in their order, bodies included, when somebody reads', async () => {
    const port = await serve((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      req.on('end', () => res.end(`[${req.url} ${body}]`));
    });
    const socket = await open(port);
    const read = readAll(socket);
    const posted = (n: number) => `POST /${n} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nbody${n % 10}`;
    const numbers = Array.from({ length: 5000 }, (_, n) => n);
    socket.write(numbers.map(posted).join(''));
    await until(() => read.text.includes('[/4999 '));
    expect(read.text.match(/\[.*?\]/g)).toEqual(numbers.map(n => `[/${n} body${n % 10}]`));
  });

  it('wait for the one before', async () => {
    const asked: string[] = [];
    let release: (() => void) | undefined;
    const port = await serve((req, res) => {
      asked.push(req.url ?? '');
      release = () => res.end('done');
    });
    const socket = await open(port);
    socket.write(['/1', '/2', '/3', '/4'].map(requestTo).join(''));
    await until(() => asked.length === 1);
    release?.();
    await until(() => asked.length > 1);
    expect(asked).toEqual(['/1', '/2']);
  });
});

describe('a client that reads nothing of its answer', () => {
  it.each([
    ['HTTP', undefined],
    ['HTTPS', made],
  ])('is cut off after a while, but not one that waits for an answer, over %s', async (_, certificates) => {
    let release: (() => void) | undefined;
    let isCutOff = false;
    const listener: RequestListener = (req, res) => {
      if (req.url === '/slow') release = () => res.end('at last');
      else {
        res.once('close', () => {
          isCutOff = true;
        });
        res.end(Buffer.alloc(30_000_000));
      }
    };
    const port = await serve(listener, { tls: certificates?.server, stalledMilliseconds: 200 });
    const connected = async () => {
      const socket = await open(port);
      if (certificates === undefined) return socket;
      // it reads as much as its buffer holds: TLS needs answers, too
      const secure = connectTls({ socket, ca: certificates.ca, servername: 'localhost' });
      secure.on('error', () => undefined);
      await once(secure, 'secureConnect');
      return secure;
    };
    const patient = await connected();
    const read = readAll(patient);
    patient.write(requestTo('/slow'));
    const silent = await connected();
    silent.write(requestTo('/'));
    await until(() => isCutOff); // it never finishes by itself: 30 MB are more than the systems hold
    release?.();
    await until(() => read.text.includes('at last') || read.isClosed);
    expect(read.text).toContain('at last');
  });
});

describe('a stop', () => {
  it('answers a request that was sent before its client could know, and says that it is the last', async () => {
    const port = await serve((_, res) => res.end('hello'));
    const socket = await open(port);
    const read = readAll(socket);
    socket.write(requestTo('/'));
    await until(() => read.text.endsWith('hello'));
    expect(read.text).not.toContain('Connection: close');
    const closed = listening?.close(5);
    socket.write(requestTo('/'));
    await until(() => read.isClosed);
    expect(read.text).toMatch(/hello[\s\S]*HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*hello$/);
    await closed;
  });

  it('says so in an answer that had not begun, too', async () => {
    let release: (() => void) | undefined;
    const headers = { 'X-Own': 'header', 'Content-Length': 5 };
    const port = await serve((_, res) => {
      release = () => res.writeHead(200, headers).end('hello');
    });
    const socket = await open(port);
    const read = readAll(socket);
    socket.write(requestTo('/'));
    await until(() => release !== undefined);
    const closed = listening?.close(5);
    release?.();
    await closed;
    await until(() => read.isClosed);
    expect(read.text).toMatch(/\r\nConnection: close\r\n[\s\S]*hello$/);
  });
});

describe('more connections than this process may open', () => {
  it('are closed, and the log is told once why', async () => {
    const told: string[] = [];
    const tell = (message: string) => void told.push(message);
    const port = await serve((_, res) => res.end('hello'), { limit: { connections: 2, files: 66 }, tell });
    const first = await open(port);
    await open(port);
    for (const refused of [await open(port), await open(port)]) await once(refused.resume(), 'close');
    expect(told).toEqual([
      'A connection was closed without a response: 2 connections are open, and this process may open 66 files (ulimit -n). Raise this limit or close unused connections.',
    ]);
    const read = readAll(first);
    first.write(requestTo('/'));
    await until(() => read.text.endsWith('hello'));
    first.destroy();
    await until(() => first.destroyed);
  });

  it.runIf(process.platform === 'linux')('are those beyond the limit that the system has set', () => {
    const limit = connectionLimit();
    expect(limit?.connections).toBeGreaterThan(0);
    expect(limit?.files).toBeGreaterThan(limit?.connections ?? 0);
  });
});
