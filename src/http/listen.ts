import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TlsServerOptions } from '../tls/tls-options.ts';

export interface Listening {
  readonly port: number;
  /** Answers what is in flight, then ends; what lasts longer than so many seconds is cut. */
  close(graceSeconds: number): Promise<void>;
}

/** Why a server could not listen, in one sentence. */
export class ListenError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ListenError';
  }
}

/**
 * Listens on a host and port. `localhost` is both loopback addresses, as a browser may try either; a machine without IPv6
 * has the first only. With `tls` it speaks HTTPS.
 * @throws ListenError
 */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  tls?: TlsServerOptions,
): Promise<Listening> {
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const create = await serverMaker(listener, tls);
  for (let attempt = 1; ; attempt++) {
    const servers: Server[] = [];
    try {
      await listenOnAll(create, hosts, port, servers);
      return { port: portOf(servers[0]) ?? port, close: grace => closeAll(servers, grace) };
    } catch (error) {
      await closeAll(servers, 0);
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!(isTaken && port === 0 && attempt < 5)) throw listenError(error, host, port);
    }
  }
}

const limits = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

async function serverMaker(listener: RequestListener, tls: TlsServerOptions | undefined): Promise<() => Server> {
  if (tls === undefined) return () => createServer(limits, listener);
  const { createSecureServer } = await import('./secure-server.ts');
  return () => createSecureServer(limits, tls, listener);
}

/** At once where the port is known; otherwise the first address gets one from the system, and the others follow. */
async function listenOnAll(
  create: () => Server,
  hosts: readonly string[],
  port: number,
  servers: Server[],
): Promise<void> {
  const [first = '', ...others] = hosts;
  if (port === 0) {
    const server = await listenOn(create(), first, 0);
    if (server !== undefined) servers.push(server);
    if (others.length > 0) await listenOnAll(create, others, portOf(server) ?? 0, servers);
    return;
  }
  const results = await Promise.allSettled(hosts.map(address => listenOn(create(), address, port)));
  for (const result of results) if (result.status === 'fulfilled' && result.value) servers.push(result.value);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function portOf(server: Server | undefined): number | undefined {
  return (server?.address() as AddressInfo | null | undefined)?.port;
}

/** Undefined where the machine has no such loopback address. */
function listenOn(server: Server, host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
      if (isAbsent) resolve(undefined);
      else reject(error);
    });
    server.listen(port, host, () => resolve(server));
  });
}

function listenError(error: unknown, host: string, port: number): ListenError {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is taken: stop what listens there, or choose another with --port or PORT.`,
    EACCES: `Port ${port} needs more rights than this process has: choose one above 1023 with --port or PORT.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: change --host or HOST.`,
    ENOTFOUND: `The host ${host} is not known: change --host or HOST.`,
  };
  return new ListenError(known[code ?? ''] ?? `Cannot listen on ${host}, port ${port}: ${message}`, error);
}

async function closeAll(servers: readonly Server[], graceSeconds: number): Promise<void> {
  await Promise.all(servers.map(server => closeOne(server, graceSeconds)));
}

function closeOne(server: Server, graceSeconds: number): Promise<void> {
  return new Promise(resolve => {
    // a kept-alive connection becomes idle only after its answer, which close() itself does not wait for
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    const cut = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
