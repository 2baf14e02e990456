import type { RequestListener } from 'node:http';
import type { TakeUnread } from '../../server/http/unread-request.ts';

/** A listener that exists before the app does: the app needs the address, which is known only once a server listens. */
export interface DeferredListener {
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
