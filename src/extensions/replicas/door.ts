import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SharedState } from './shared-state.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** Parts of the door of a replica. */
export interface DoorOptions {
  readonly state: SharedState;
  /** Where requests go. */
  readonly listener: RequestListener;
  /** The issuer whose listener a request has reached. */
  readonly ownerOf: (req: IncomingMessage) => string | undefined;
  /** Appends the complete request to the log of its issuer. */
  readonly complete: (req: IncomingMessage) => void;
  /** Resolves when everything that was appended to the log of this issuer is in the engine. */
  readonly sent: (owner: string) => Promise<void>;
  /** Called with an error that is a bug of ours. */
  readonly onError: (error: unknown) => void;
}

/**
 * Lets each request in with the newest state, and sends its answer when all that it changed is in the engine, so that
 * the next request of the same caller may go to any replica. While the engine is away it answers 503.
 */
export function createDoor(options: DoorOptions): RequestListener {
  const { state, listener, ownerOf, complete, sent, onError } = options;

  function refuseIt(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (!refuse(req, res, error)) onError(error);
  }

  async function enter(req: IncomingMessage, res: ServerResponse, pass: Pass): Promise<void> {
    await state.refresh();
    const ready = async () => {
      const owner = ownerOf(req) ?? '';
      await state.publish(owner);
      complete(req);
      await sent(owner);
    };
    holdAnswer(res, ready, error => refuseIt(req, res, error));
    pass(() => listener(req, res));
  }
  return (req, res) => {
    if (isFree(req.url ?? '')) return listener(req, res);
    const pass = holdBody(req);
    enter(req, res, pass).catch(error => pass(() => refuseIt(req, res, error)));
  };
}

/** Files, and questions about this process: they need no engine. */
function isFree(url: string): boolean {
  return /^\/(?:assets\/|health(?:[/?]|$)|ready(?:\?|$)|metrics(?:\?|$)|favicon\.ico)/.test(url);
}

/** Answers in the place of the sandbox: 503 while the engine is away. Returns false for an error that is a bug of ours. */
function refuse(req: IncomingMessage, res: ServerResponse, error: unknown): boolean {
  const isAway = error instanceof StoreUnavailable;
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return isAway;
  }
  const said = isAway ? error.description : 'the sandbox failed; its log says why';
  const isPage = /\btext\/html\b/.test(req.headers.accept ?? '');
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  res.writeHead(isAway ? 503 : 500, {
    'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'no-store',
    ...(isAway ? { 'Retry-After': '1' } : {}),
    // the page of a client has to see why it failed, and the answer has nothing else in it
    ...(req.headers.origin === undefined ? {} : { 'Access-Control-Allow-Origin': '*' }),
  });
  res.end(isPage ? pageOf(said) : jsonOf(isAway ? 'temporarily_unavailable' : 'server_error', said));
  return isAway;
}

function jsonOf(error: string, error_description: string): string {
  return JSON.stringify({ error, error_description });
}

/** A page without styles, scripts and templates: what they need may be away, too. */
function pageOf(said: string): string {
  const text = said.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not ready</title>
<h1>The sandbox is not ready</h1><p>${text}.</p><p>Load this page again in a moment.</p></html>`;
}

/** More than this is left with the sender until the request goes on. */
const mostHeld = 64 * 1024;

/** Lets `go` begin with a request that had to wait, and then gives its body on, so that one who records it misses nothing. */
type Pass = (go: () => void) => void;

/** Keeps the body of a request that has to wait, as the parser hands it over. */
export function holdBody(req: IncomingMessage): Pass {
  const { push } = req;
  const held: Parameters<typeof push>[] = [];
  let bytes = 0;
  req.push = (...all) => {
    held.push(all);
    const [chunk] = all;
    if (Buffer.isBuffer(chunk)) bytes += chunk.length;
    return bytes < mostHeld;
  };
  return go => {
    req.push = push;
    go();
    for (const each of held.splice(0)) req.push(...each);
  };
}

type End = (...all: unknown[]) => ServerResponse;

/**
 * Has an answer wait, when it is complete, until `ready` has resolved; then it is sent as it was written. If `ready`
 * rejects, `instead` answers, because nothing has been sent. An answer that is written in pieces is not held back: it is
 * a stream, or a file.
 */
function holdAnswer(res: ServerResponse, ready: () => Promise<void>, instead: (error: unknown) => void): void {
  const { writeHead, write, end } = res;
  let head: unknown[] | undefined;
  let isEnded = false;

  function restore(): void {
    Object.assign(res, { writeHead, write, end });
    if (head !== undefined) (writeHead as End).apply(res, head);
  }
  res.writeHead = ((...all: unknown[]) => {
    if (isEnded) return res;
    head = all;
    res.statusCode = Number(all[0]); // for those who look at it before it is sent
    return res;
  }) as typeof res.writeHead;
  res.write = ((...all: unknown[]) => {
    if (isEnded) return false;
    restore();
    return (res.write as unknown as End)(...all);
  }) as unknown as typeof res.write;
  res.end = ((...all: unknown[]) => {
    if (isEnded) return res; // the first answer counts
    isEnded = true;
    ready()
      .then(() => {
        restore();
        (res.end as End)(...all);
      })
      .catch(error => {
        head = undefined;
        restore();
        instead(error);
      })
      .catch(() => void res.destroy());
    return res;
  }) as typeof res.end;
}
