import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { clientClosedRequest, type Emit } from '../events/event.ts';
import { jsonAnswer, send } from './answer.ts';
import { type RequestContext, setContext } from './request-context.ts';

export type Handler = (req: IncomingMessage, res: ServerResponse) => void;

export interface FrontDoorOptions {
  readonly isAllowedHost: (host: string | undefined) => boolean;
  /** `GET /path` → handler: routes that need nothing of Express when no browser page is asking. */
  readonly fastLane: ReadonlyMap<string, { readonly endpoint: string; readonly handle: Handler }>;
  /** Everything else; loaded when it is first needed. */
  readonly app: () => Promise<RequestListener>;
  readonly emit: (requestId: string) => Emit;
  /** Told of what should not have happened. */
  readonly onError: (error: unknown, requestId: string) => void;
}

/** Where every request enters: it gets an id, its host is checked, and it is sent on to the fast lane or the app. */
export function createFrontDoor({ isAllowedHost, fastLane, app, emit, onError }: FrontDoorOptions): RequestListener {
  const nextId = createRequestIds();

  function enter(req: IncomingMessage, res: ServerResponse): RequestContext {
    const id = nextId();
    const context = createContext(id, emit(id));
    setContext(req, context);
    const started = performance.now();
    const path = (req.url ?? '').split('?', 1)[0]?.slice(0, 200) ?? ''; // before a router rewrites it
    res.once('close', () => complete(req, res, context, path, performance.now() - started));
    return context;
  }

  return (req, res) => {
    const context = enter(req, res);
    if (!isAllowedHost(req.headers.host)) return refuseHost(res);
    // a request with an Origin wants CORS headers, which are Express's business
    const lane = req.headers.origin === undefined ? fastLane.get(`${req.method} ${req.url}`) : undefined;
    if (lane !== undefined) {
      context.endpoint = lane.endpoint;
      return lane.handle(req, res);
    }
    app().then(
      handle => handle(req, res),
      error => {
        onError(error, context.id);
        send(
          res,
          jsonAnswer(500, { error: 'server_error', error_description: 'the sandbox failed; its log says why' }),
        );
      },
    );
  };
}

/** Remembers the client an event names, so that a later error can name it too. */
function createContext(id: string, emit: Emit): RequestContext {
  const context: RequestContext = {
    id,
    endpoint: 'unknown',
    emit(fact) {
      if ('client_id' in fact && fact.client_id !== undefined) context.client_id = fact.client_id;
      emit(fact);
    },
  };
  return context;
}

function complete(
  { method = '' }: IncomingMessage,
  res: ServerResponse,
  { emit, endpoint }: RequestContext,
  path: string,
  took: number,
): void {
  const milliseconds = Math.round(took * 100) / 100;
  emit({ type: 'request.completed', endpoint, method, path, status: finalStatus(res), milliseconds });
}

/** Until it is answered, every response says 200. A live stream is answered, and ends when its reader leaves. */
function finalStatus({ writableFinished, writableEnded, headersSent, statusCode }: ServerResponse): number {
  const isStream = headersSent && !writableEnded;
  return writableFinished || isStream ? statusCode : clientClosedRequest;
}

function refuseHost(res: ServerResponse): void {
  const error_description = 'this Host is not served here; add it to ALLOWED_HOSTS if it is yours';
  send(res, jsonAnswer(421, { error: 'invalid_request', error_description }, { Connection: 'close' }));
}

/** `req_<start><count>`: short, in order, and different after a restart, so that an old link finds nothing else. */
function createRequestIds(): () => string {
  const start = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0');
  let count = 0;
  return () => `req_${start}${(++count).toString(36)}`;
}
