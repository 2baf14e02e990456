import type { Request, Response } from 'express';
import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { createEventBatches, mostInBatch } from './event-batches.ts';
import { type FeedMessage, feedMessage } from './feed.ts';
import { waitForMessage } from './wait.ts';

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
    /**
     * Serves `GET …/events`. It resumes after `Last-Event-ID`, or after `?after=` on a first connection; `?wait=` returns one
     * message.
     */
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
    /** Ends all streams after a sign-out. Browsers that are still signed in reconnect by themselves. */
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

/**
 * Events as text of the stream (WHATWG HTML §9.2.6). `counts`: the counts in the navigation, by name; sent after each event that
 * changes them.
 */
function createFrames(events: EventLog, counts: () => object) {
  /** Empty if no page shows any of the events. */
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
