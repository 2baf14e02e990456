import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defined } from '../../base/defined.ts';
import type { TlsServerOptions } from '../tls/tls-options.ts';
import { type ConnectionLimit, connectionLimit, limitConnections } from './connection-limit.ts';
import { answerInTurn, type InTurn } from './in-turn.ts';
import type { PortSetting } from './port-taken.ts';
import type { TakeUnread } from './unread-request.ts';

export interface Listening {
  readonly port: number;
  /** From now on each answer closes its connection. New connections are still accepted. */
  announceEnd(): void;
  /**
   * Finishes the requests in flight, and those that clients send before they learn of the end. Cuts what is left after
   * `graceSeconds`.
   */
  close(graceSeconds: number): Promise<void>;
}

export interface ListenOptions {
  /** How the port is chosen, for the sentence about a port that is taken. Default: `--port` and `PORT`. */
  readonly setting?: PortSetting;
  /** Present: the server speaks HTTPS. */
  readonly tls?: TlsServerOptions | undefined;
  /** The most bytes of address and headers of a request. Default: that of Node, 16 KiB. */
  readonly maxHeaderSize?: number | undefined;
  /** Answers requests that Node could not read. Default: Node answers them without a word. */
  readonly unread?: TakeUnread | undefined;
  /** Takes a sentence for the log about connections that cannot be accepted. */
  readonly tell?: (message: string) => void;
  /** Default: derived from the limit of this process on open files. */
  readonly limit?: ConnectionLimit | undefined;
  /** Milliseconds a client may leave its answer unread. Default 30 s. */
  readonly stalledMilliseconds?: number;
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
 * has the first only.
 * @throws ListenError
 */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  options: ListenOptions = {},
): Promise<Listening> {
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const inTurn = answerInTurn(listener);
  const create = await serverMaker(inTurn.listener, options);
  for (let attempt = 1; ; attempt++) {
    const servers: Server[] = [];
    try {
      await listenOnAll(create, hosts, port, servers);
      for (const server of servers) server.on('error', error => options.tell?.(acceptError(error)));
      const { announceEnd } = inTurn;
      return { port: portOf(servers[0]) ?? port, announceEnd, close: grace => closeTold(inTurn, servers, grace) };
    } catch (error) {
      await closeAll(servers, 0);
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!(isTaken && port === 0 && attempt < 5)) throw await listenError(error, host, port, options.setting);
    }
  }
}

const limits = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

async function serverMaker(listener: RequestListener, options: ListenOptions): Promise<() => Server> {
  const {
    tls,
    unread,
    maxHeaderSize,
    tell = () => {},
    limit = connectionLimit(),
    stalledMilliseconds = 30_000,
  } = options;
  const hold = limit === undefined ? undefined : limitConnections(limit, tell);
  const secure = tls === undefined ? undefined : await import('./secure-server.ts');
  // the listener refuses a request without a host itself
  const how = { ...limits, requireHostHeader: false, ...defined({ maxHeaderSize }) };
  return () => {
    const server =
      secure === undefined || tls === undefined
        ? createServer(how, listener)
        : secure.createSecureServer(how, tls, listener);
    if (unread !== undefined) server.on('clientError', unread);
    server.on('checkExpectation', listener); // Node would answer 417 without a word; RFC 9110 §10.1.1 allows to ignore it
    server.timeout = stalledMilliseconds;
    hold?.(server);
    return server;
  };
}

/**
 * Listens on all addresses at once if the port is known. Otherwise the system chooses a port for the first address, and
 * the others use it.
 */
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

/** Undefined if the machine has no such loopback address. */
function listenOn(server: Server, host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const isAbsent = host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
      if (isAbsent) resolve(undefined);
      else reject(error);
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve(server);
    });
  });
}

async function listenError(
  error: unknown,
  host: string,
  port: number,
  setting: PortSetting = { flag: '--port', variable: 'PORT' },
): Promise<ListenError> {
  const { code, message, address = host } = error as NodeJS.ErrnoException & { readonly address?: string };
  if (code === 'EADDRINUSE')
    return new ListenError(await (await import('./port-taken.ts')).portTaken(address, port, setting), error);
  const known: Readonly<Record<string, string>> = {
    EACCES: `Port ${port} needs more rights than this process has: choose one above 1023 with ${setting.flag} or ${setting.variable}.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: change --host or HOST.`,
    ENOTFOUND: `The host ${host} is not known: change --host or HOST.`,
  };
  return new ListenError(known[code ?? ''] ?? `Cannot listen on ${host}, port ${port}: ${message}`, error);
}

/** The log line for an error such as EMFILE; without a listener the error would end the process. */
function acceptError(error: Error): string {
  return `A connection could not be accepted: ${error.message}`;
}

/** Long enough for a client that sends one request after the other. */
const noticeMilliseconds = 50;

/**
 * Announces the end before closing. A request sent before its client could know is then answered, and does not meet a
 * closed connection.
 */
async function closeTold(inTurn: InTurn, servers: readonly Server[], graceSeconds: number): Promise<void> {
  inTurn.announceEnd();
  if (graceSeconds > 0 && (await connectionsOf(servers)) > 0) {
    await new Promise(resolve => setTimeout(resolve, noticeMilliseconds));
    await new Promise(resolve => setImmediate(resolve)); // read what has arrived, even if the timer was late
  }
  await closeAll(servers, graceSeconds);
}

async function connectionsOf(servers: readonly Server[]): Promise<number> {
  const counts = servers.map(
    server => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count))),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
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
