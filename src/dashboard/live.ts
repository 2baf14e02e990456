import type { Request, Response } from 'express';
import type { SandboxEvent } from '../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../base/events/event-log.ts';
import { tokenTypeOf } from '../record/flows/token-status.ts';
import { isOurOwn } from '../record/progress.ts';
import { integerOf, textOf } from './query.ts';

export type Live = ReturnType<typeof createLive>;

const mostStreams = 100;
const heartbeatMilliseconds = 15_000;
/** The most unread bytes of a reader. Above this limit it gets no events until it has read them all. */
const mostUnsentBytes = 1_000_000;

/**
 * The live streams of the dashboard: server-sent events (WHATWG HTML §9.2). `counts`: the counts in the navigation, by name; sent after
 * each event that changes them. `catchUp` reads new events over several turns of the event loop, so that `counts` has little to read.
 */
export function createLive(events: EventLog, counts: () => object, catchUp: () => Promise<void>) {
  const streams = new Set<Response>();
  const waits = new Set<Response>();
  const frames = createFrames(events, counts);
  const write = createWriter(frames.resync);
  const batches = createEventBatches(events, batch => sendAll(frames.of(batch)), catchUp);
  let heartbeat: NodeJS.Timeout | undefined;
  let closed = false;

  function sendAll(text: string): void {
    if (text !== '') for (const stream of streams) write(stream, text);
  }

  function join(res: Response): void {
    // a new reader gets waiting events from the log, so they must not be delivered again
    batches.flush();
    batches.start();
    heartbeat ??= setInterval(() => sendAll(': still here\n\n'), heartbeatMilliseconds).unref();
    streams.add(res);
    res.once('close', () => leave(res));
  }

  function wait(req: Request, res: Response): void {
    waits.add(res);
    res.once('close', () => waits.delete(res));
    waitForMessage(events, req, res);
  }

  function leave(res: Response): void {
    streams.delete(res);
    if (streams.size > 0) return;
    batches.stop();
    clearInterval(heartbeat);
    heartbeat = undefined;
  }

  return {
    serve(req: Request, res: Response) {
      if (closed || streams.size + waits.size >= mostStreams) return refuse(res);
      if (req.query.wait !== undefined) return wait(req, res);
      res.status(200).set(streamHeaders);
      if (req.method === 'HEAD') {
        res.end();
        return;
      }
      join(res);
      write(res, `retry: 1000\n\n${frames.opening(req)}`);
    },
    endOfBrowsers: () => end([...streams].filter(isOfBrowser), [...waits].filter(isOfBrowser)),
    close(): void {
      closed = true;
      end(streams, waits);
    },
  };
}

/** A slow reader gets no buffer, but one message to reload once it has read the rest. */
function createWriter(resync: () => string): (stream: Response, text: string) => void {
  const behind = new WeakSet<Response>();
  return function write(stream, text) {
    if (behind.has(stream)) return;
    stream.write(text);
    if (stream.writableLength <= mostUnsentBytes) return;
    behind.add(stream);
    stream.once('drain', () => {
      behind.delete(stream);
      if (!stream.writableEnded) write(stream, resync());
    });
  };
}

function end(streams: Iterable<Response>, waits: Iterable<Response>): void {
  for (const stream of streams) stream.end();
  for (const waiting of waits) refuse(waiting);
}

/** Scripts send CONTROL_TOKEN itself, which a sign-out does not revoke. */
function isOfBrowser({ req }: Response): boolean {
  return req.headers.authorization === undefined;
}

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // tells nginx and similar proxies not to buffer the stream
  'X-Accel-Buffering': 'no',
};

function refuse(res: Response): void {
  res.status(503).set('Retry-After', '5').json({ error: 'too_many_streams' });
}

function createFrames(events: EventLog, counts: () => object) {
  function of(batch: readonly SandboxEvent[]): string {
    if (batch.length > mostInBatch) return resync();
    const frames = batch.map(event => frame(feedMessage(event, events), event.id)).join('');
    return frames === '' ? '' : frames + latestCounts();
  }

  /** Tells the page that events may be missing, so it reloads its data. */
  function resync(): string {
    return frame({ kind: 'resync', data: {} }, events.lastId) + latestCounts();
  }

  function latestCounts(): string {
    return frame({ kind: 'counts', data: counts() }, events.lastId);
  }

  /** The events since the browser last listened, or a resync if the log no longer has them. */
  function missed(req: Request): string {
    const text = req.headers['last-event-id'] ?? req.query.after;
    if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) return `id: ${events.lastId}\n: connected\n\n`;
    const last = Number(text);
    // an id from the future belongs to an earlier start of the sandbox
    const since = last > events.lastId ? undefined : events.since(last);
    return since === undefined ? resync() : of(since);
  }

  // without an id, so that the browser resumes after the newest event it received
  const start = () => `event: start\ndata: ${JSON.stringify({ start: events.start })}\n\n`;
  return { of, resync, opening: (req: Request) => start() + missed(req) };
}

function frame(message: FeedMessage | undefined, id: number): string {
  if (message === undefined) return '';
  return `event: ${message.kind}\nid: ${id}\ndata: ${JSON.stringify(message.data)}\n\n`;
}

/** Most events of one batch. A longer batch is replaced by the message to reload, because no browser could show it. */
const mostInBatch = 500;

const batchMilliseconds = 50;

/**
 * Collects events for a moment, so that a busy sandbox writes twenty times a second instead of a thousand times. A batch stops one event above `mostInBatch`; its length shows that it is too long. `catchUp` reads the new events
 * before a batch is delivered, which may take several turns of the event loop.
 */
export function createEventBatches(
  events: EventLog,
  deliver: (batch: readonly SandboxEvent[]) => void,
  catchUp: () => Promise<void>,
) {
  let batch: SandboxEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const collected = batch;
    batch = [];
    if (collected.length > 0) deliver(collected);
  }

  return {
    flush,
    start(): void {
      unsubscribe ??= events.subscribe(event => {
        if (batch.length <= mostInBatch) batch.push(event);
        timer ??= setTimeout(() => void catchUp().then(flush, flush), batchMilliseconds).unref();
      });
    },
    stop(): void {
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(timer);
      timer = undefined;
      batch = [];
    },
  };
}

const mostSeconds = 60;

/**
 * Serves `GET …/events?wait=token&client=frontend&timeout=10`: answers with the first message of this kind and these values as
 * JSON, or with 204 after the timeout. With `after`, events after that id are searched first.
 */
function waitForMessage(events: EventLog, req: Request, res: Response): void {
  const isWanted = matcherOf(req);
  const seconds = Math.min(integerOf(req.query.timeout) ?? 10, mostSeconds);
  const tell = (event: SandboxEvent) => {
    const message = feedMessage(event, events);
    if (message === undefined || !isWanted(message)) return false;
    res.json({ kind: message.kind, id: event.id, data: message.data });
    return true;
  };
  const after = integerOf(req.query.after);
  if (after !== undefined && events.since(after)?.some(tell)) return;
  const stop = events.subscribe(event => {
    if (tell(event)) end();
  });
  const timer = setTimeout(() => {
    end();
    if (!res.headersSent) res.status(204).end();
  }, seconds * 1000);
  const end = () => {
    stop();
    clearTimeout(timer);
  };
  res.once('close', end);
}

/** All query parameters other than `wait`, `timeout` and `after` are compared with the data of the message. */
function matcherOf({ query }: Request): (message: FeedMessage) => boolean {
  const { wait, timeout: _, after: __, ...members } = query;
  const kind = textOf(wait);
  const wanted = Object.entries(members);
  return ({ kind: told, data }) => {
    const values = data as Readonly<Record<string, unknown>>; // of any shape, only read
    return told === kind && wanted.every(([name, value]) => String(values[name] ?? '') === value);
  };
}

interface FeedMessage {
  /** Never `error`: EventSource uses that name for a lost connection. */
  readonly kind:
    | 'token'
    | 'revoked'
    | 'request'
    | 'problem'
    | 'session'
    | 'key'
    | 'clock'
    | 'fault'
    | 'issuer'
    | 'configuration'
    | 'reset'
    | 'resync'
    | 'counts';
  readonly data: object;
}

function feedMessage(event: SandboxEvent, events: EventLog): FeedMessage | undefined {
  switch (event.type) {
    case 'token.issued':
    case 'code.issued':
      return { kind: 'token', data: tokenData(event, events) };
    case 'token.revoked':
      return { kind: 'revoked', data: { ids: revokedIds(event.authorizationId, event.id, events) } };
    case 'token.ended':
    case 'token.resumed':
      return {
        kind: 'revoked',
        data: { ended: event.tokenId, as: event.type === 'token.ended' ? 'expired' : 'valid' },
      };
    case 'request.completed':
      return isOurOwn(event.endpoint)
        ? undefined
        : { kind: 'request', data: { endpoint: event.endpoint, status: event.status, requestId: event.requestId } };
    case 'error.returned':
      return { kind: 'problem', data: { error: event.error, client: event.client_id, requestId: event.requestId } };
    case 'login.succeeded':
    case 'session.ended':
      return { kind: 'session', data: { user: event.sub, client: event.client_id } };
    case 'key.created':
      return { kind: 'key', data: { kid: event.kid } };
    case 'clock.changed':
      return { kind: 'clock', data: {} };
    case 'fault.armed':
    case 'fault.disarmed':
      return { kind: 'fault', data: { fault: event.fault } };
    case 'issuer.created':
    case 'issuer.ended':
      return { kind: 'issuer', data: {} };
    case 'configuration.reloaded':
    case 'configuration.refused':
      return { kind: 'configuration', data: {} };
    case 'sandbox.reset':
      return { kind: 'reset', data: {} };
    default:
      return undefined;
  }
}

function tokenData(event: IssuedEvent, events: EventLog): object {
  const { tokenId, sub, client_id } = event;
  return {
    id: tokenId,
    type: tokenTypeOf(event),
    user: sub,
    client: client_id,
    ...ended(event, events),
  };
}

function ended(event: IssuedEvent, events: EventLog): object {
  const parent = event.parentTokenId === undefined ? undefined : events.issued(event.parentTokenId);
  if (parent === undefined) return {};
  if (parent.type === 'code.issued') return { ended: parent.tokenId, as: 'used' };
  return tokenTypeOf(event) === 'refresh' ? { ended: parent.tokenId, as: 'replaced' } : {};
}

const mostIds = 200;

function revokedIds(authorizationId: string, before: number, events: EventLog): string[] {
  const ids: string[] = [];
  for (const event of events.ofAuthorization(authorizationId)) {
    if (event.type === 'token.issued' && event.tokenType !== 'id' && event.id < before) ids.push(event.tokenId);
  }
  return ids.slice(-mostIds);
}
