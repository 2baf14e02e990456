import type { RequestListener } from 'node:http';
import { type Listening, type ListenOptions, listen } from '../../server/http/listen.ts';
import type { TakeUnread } from '../../server/http/unread-request.ts';
import type { Config } from '../config/config.ts';

/**
 * Listens on the port of the sandbox, and with `managementPort` on a second one for probes and metrics alone. If both are the same, it
 * is one port, which answers everything.
 * @throws ListenError
 */
export async function listenWithProbes(
  { host, port, managementPort }: Pick<Config, 'host' | 'port' | 'managementPort'>,
  listener: RequestListener,
  options: ListenOptions,
): Promise<Listening> {
  const main = await listen(listener, host, port, options);
  if (managementPort === undefined || managementPort === main.port) return main;
  const setting = { flag: '--management-port', variable: 'MANAGEMENT_PORT' };
  const probes = await listen(onlyProbes(listener), host, managementPort, { ...options, setting }).catch(
    async error => {
      await main.close(0);
      throw error;
    },
  );
  return {
    port: main.port,
    announceEnd() {
      main.announceEnd();
      probes.announceEnd();
    },
    close: async grace => void (await Promise.all([main.close(grace), probes.close(grace)])),
  };
}

/** Keycloak has its probes below the path of its HTTP server, which may be any. */
const probe = /^(?:\/[^?]*?)??(\/(?:health(?:\/(?:live|ready|started))?|ready|metrics))(?=\?|$)/;

function onlyProbes(listener: RequestListener): RequestListener {
  return (req, res) => {
    const path = probe.exec(req.url ?? '')?.[1];
    if (path === undefined) {
      res.writeHead(404, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
      return res.end(
        'this port answers /health, /health/live, /health/ready, /health/started, /ready and /metrics only\n',
      );
    }
    req.url = path;
    listener(req, res);
  };
}

/** A listener that exists before the app does: the app needs the address, which is known only once a server listens. */
interface DeferredListener {
  readonly listener: RequestListener;
  /** Takes requests that Node could not read; those before `open` get no answer. */
  readonly unread: TakeUnread;
  /**
   * Routes requests to `listener` from now on, and replays those that arrived before it was ready. `unread` takes those
   * that could not be read.
   */
  open(listener: RequestListener, unread?: TakeUnread): void;
}

/** Creates a listener that queues requests until `open` is called. */
export function createDeferredListener(): DeferredListener {
  const waiting: Parameters<RequestListener>[] = [];
  let current: RequestListener = (req, res) => void waiting.push([req, res]);
  let takeUnread: TakeUnread = (_error, socket) => void socket.destroy();
  return {
    listener: (req, res) => current(req, res),
    unread: (error, socket) => takeUnread(error, socket),
    open(listener, unread = takeUnread) {
      takeUnread = unread;
      current = listener;
      for (const [req, res] of waiting.splice(0)) listener(req, res);
    },
  };
}

/**
 * Sends a request to the issuer with the longest path that begins the request path, and to the first issuer where there
 * is none. `others` is read on each request, because issuers come and go. The cost does not depend on their number.
 */
export function byPath(first: RequestListener, others: ReadonlyMap<string, RequestListener>): RequestListener {
  return (req, res) => {
    const listener = others.size === 0 ? first : (longest(others, pathOf(req.url ?? '')) ?? first);
    return listener(req, res);
  };
}

/** RFC 8414 §3.1, RFC 9728 §3.1: a well-known name precedes the path of the issuer. */
const wellKnown = /^\/\.well-known\/[a-z-]+(?=\/)/;

function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.replace(wellKnown, '');
}

/** Nobody names an issuer with more segments, and a stranger may send thousands. */
const mostSegments = 32;

function longest(others: ReadonlyMap<string, RequestListener>, path: string): RequestListener | undefined {
  let found: RequestListener | undefined;
  let end = 0;
  for (let segments = 0; segments < mostSegments && end !== -1; segments++) {
    end = path.indexOf('/', end + 1);
    found = others.get(end === -1 ? path : path.slice(0, end)) ?? found;
  }
  return found;
}
