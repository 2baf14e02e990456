import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../base/defined.ts';
import { clientClosedRequest, connectionDropped, type Emit } from '../../base/events/event.ts';
import { shorten } from '../../protocol/parameters.ts';
import { jsonAnswer, send } from './answer.ts';
import type { AnswerPage, MachineEndpoint } from './machine-endpoints.ts';
import { onlyUrl, recordAll, tapRequestBody } from './recording.ts';
import { contextOf, type RequestContext, type SenderMark, setContext } from './request-context.ts';
import { createUnreadTaker, type TakeUnread } from './unread-request.ts';

/** Where breakpoints see each response before it is sent. */
export interface ResponseTap {
  watch?: (req: IncomingMessage, res: ServerResponse) => void;
}

export interface FrontDoorOptions {
  /** True if headers and bodies are kept for the dashboard. */
  readonly recording: boolean;
  /** First number in the ids of requests, below 36^4; absent: random on each start. */
  readonly firstId?: number;
  readonly isAllowedHost: (host: string | undefined) => boolean;
  /** Paths that answer whatever `Host` says, because probes use the address of the process. */
  readonly forAnyHost?: ReadonlySet<string | undefined>;
  /** The most bytes of address and headers. */
  readonly maxHeaderSize: number;
  /** Names of the allowed hosts, for the refusal of a different one. */
  readonly hostNames: readonly string[];
  /** By `GET /path`. */
  readonly machineEndpoints: ReadonlyMap<string, MachineEndpoint>;
  /** Answers their requests that have an `Origin`; loaded with the first. */
  readonly answerPage: () => Promise<AnswerPage>;
  /** Everything else; loaded when it is first needed. */
  readonly app: () => Promise<RequestListener>;
  readonly emit: (requestId: string) => Emit;
  readonly responseTap?: ResponseTap;
  /** Marks requests of our own pages. */
  readonly mark?: SenderMark | undefined;
  /** The page of a request in the dashboard; undefined when that is off. */
  readonly explanationOf?: (requestId: string) => string | undefined;
  /** Headers of each answer, by the id of the request. */
  readonly headers?: ((requestId: string) => Readonly<Record<string, string>>) | undefined;
  /** Sees each request with its id before it is answered. */
  readonly arrived?: (req: IncomingMessage, requestId: string) => void;
  /** Called with an error that is a bug of the sandbox. */
  readonly onError: (error: unknown, requestId: string) => void;
}

/** Listens to requests, and to those that Node could not read. */
export type FrontDoor = RequestListener & { readonly unread: TakeUnread };

/** Where every request enters: it gets an id, its host is checked, and it is sent on to its endpoint or the app. */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { recording, isAllowedHost, machineEndpoints, answerPage, app, emit, mark, responseTap, onError } = options;
  const nextId = createRequestIds(options.firstId);
  const record = recording ? recordAll : onlyUrl;

  function enter(req: IncomingMessage, res: ServerResponse): RequestContext {
    const id = nextId();
    const context = createContext(id, emit(id));
    setContext(req, context);
    mark?.take(req, context);
    options.arrived?.(req, id);
    const started = performance.now();
    const { url = '' } = req; // before a router rewrites it
    if (recording) tapRequestBody(req);
    responseTap?.watch?.(req, res);
    for (const [name, value] of Object.entries(options.headers?.(id) ?? {})) res.setHeader(name, value);
    function complete(isAnswered: boolean): void {
      if (context.complete === undefined) return;
      context.complete = undefined;
      const { endpoint } = context;
      const milliseconds = Math.round((performance.now() - started) * 100) / 100;
      const served = { ...servedBy(req, res, context, url, isAnswered), milliseconds };
      if (lookers.has(endpoint)) context.emit({ type: 'page.served', ...served });
      else {
        const exchange = record(req, res, url, context);
        const { faults, by } = context;
        context.emit({ type: 'request.completed', ...defined({ ...served, faults, by, exchange }) });
      }
    }
    context.complete = () => complete(true);
    res.once('close', () => complete(false));
    return context;
  }

  const listener: RequestListener = (req, res) => {
    const context = enter(req, res);
    if (!isAllowedHost(req.headers.host) && !options.forAnyHost?.has(req.url)) return refuseHost(req, res, options);
    const fail = (error: unknown) => {
      onError(error, context.id);
      send(res, jsonAnswer(500, { error: 'server_error', error_description: 'the sandbox failed; its log says why' }));
    };
    const found = machineEndpoints.get(`${methodAskedFor(req)} ${req.url}`);
    if (found === undefined) return void app().then(handle => handle(req, res), fail);
    context.endpoint = found.endpoint;
    if (req.headers.origin === undefined) found.handle(req, res);
    else answerPage().then(answer => answer(found, req, res, fail), fail);
  };
  return Object.assign(listener, { unread: createUnreadTaker({ ...options, nextId }) });
}

/** A preflight is answered by the endpoint of the request it asks for (Fetch, CORS-preflight fetch). */
function methodAskedFor({ method, headers }: IncomingMessage): string | undefined {
  const isPreflight = method === 'OPTIONS' && headers.origin !== undefined;
  return isPreflight ? headers['access-control-request-method'] : method;
}

/** Remembers the client an event names, so that a later error can name it too. */
function createContext(id: string, emit: Emit): RequestContext {
  const context: RequestContext = {
    id,
    endpoint: 'unknown',
    emit(fact) {
      if ('client_id' in fact && fact.client_id !== undefined) context.client_id = fact.client_id;
      if (fact.type === 'fault.applied') context.faults = [...(context.faults ?? []), fact.fault];
      emit(fact);
    },
  };
  return context;
}

const lookers: ReadonlySet<string> = new Set(['assets', 'control_read', 'dashboard', 'health', 'ready', 'user_search']);

function servedBy(
  { method = '' }: IncomingMessage,
  res: ServerResponse,
  { endpoint, isDropped, isBroken }: RequestContext,
  url: string,
  isAnswered: boolean,
) {
  const path = url.split('?', 1)[0]?.slice(0, 200) ?? '';
  const status = isBroken ? 500 : isDropped ? connectionDropped : finalStatus(res, isAnswered);
  return { endpoint, method, path, status };
}

/**
 * The status of the answer, or that the client closed the connection first: Node says 200 until an answer is written. A
 * live stream counts as answered, because it ends only when its reader leaves.
 */
function finalStatus(res: ServerResponse, isAnswered: boolean): number {
  const { writableFinished, writableEnded, headersSent, statusCode } = res;
  const isStream = headersSent && !writableEnded;
  return isAnswered || writableFinished || isStream ? statusCode : clientClosedRequest;
}

/** RFC 9112 §3.2: a request has a `Host`. One of HTTP/1.0 may leave it out, but then nobody knows which name it called. */
const withoutHost = {
  status: 400,
  reason: 'host_missing',
  description: 'the request has no Host header, which this server and HTTP/1.1 require',
  sent: 'no Host header',
} as const;

function foreignHost(host: string) {
  const description = 'the host in the Host header is not allowed: if it is yours, add it to ALLOWED_HOSTS';
  return { status: 421, reason: 'host_not_allowed', description, sent: shorten(host, 200) } as const;
}

function refuseHost(
  req: IncomingMessage,
  res: ServerResponse,
  { hostNames, explanationOf }: Pick<FrontDoorOptions, 'hostNames' | 'explanationOf'>,
): void {
  const { id, emit, endpoint } = contextOf(req);
  const { host } = req.headers;
  const refusal = host === undefined ? withoutHost : foreignHost(host);
  const expected = [...hostNames, '*.localhost'].join(' or ');
  emit({ type: 'error.returned', endpoint, form: 'json', error: 'invalid_request', ...refusal, expected });
  const explanation = explanationOf?.(id);
  const help: Record<string, string> = explanation === undefined ? {} : { Link: `<${explanation}>; rel="help"` };
  const { status, description: error_description } = refusal;
  send(res, jsonAnswer(status, { error: 'invalid_request', error_description }, { Connection: 'close', ...help }));
}

/** `req_<start><count>`: short, in order, and different after a restart, so that an old link finds nothing else. */
function createRequestIds(first = Math.floor(Math.random() * 36 ** 4)): () => string {
  const start = first.toString(36).padStart(4, '0');
  let count = 0;
  return () => `req_${start}${(++count).toString(36)}`;
}
