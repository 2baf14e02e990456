import type { Request, Response } from 'express';
import type { SandboxEvent } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { createEventBatches, mostInBatch } from './event-batches.ts';
import { feedMessage } from './feed.ts';
import { issuedCount } from './home-page.ts';

/** The live streams of the dashboard: server-sent events (WHATWG HTML §9.2). */
export interface Live {
  /** `GET …/events`: resumes after `Last-Event-ID`, or after `?after=` on a first connection. */
  serve(req: Request, res: Response): void;
  close(): void;
}

const mostStreams = 100;
const heartbeatMilliseconds = 15_000;
/** A reader this far behind is cut off; it comes back and resumes. */
const mostUnsentBytes = 1_000_000;

export function createLive(events: EventLog): Live {
  const streams = new Set<Response>();
  const batches = createEventBatches(events, batch => sendAll(framesOf(batch, events)));
  let heartbeat: NodeJS.Timeout | undefined;
  let closed = false;

  function sendAll(text: string): void {
    for (const stream of streams) {
      if (stream.writableLength > mostUnsentBytes) stream.destroy();
      else if (text !== '') stream.write(text);
    }
  }

  function join(res: Response): void {
    // What waits for the next batch is in the log, which the newcomer reads: nothing may come twice.
    batches.flush();
    batches.start();
    heartbeat ??= setInterval(() => sendAll(': still here\n\n'), heartbeatMilliseconds).unref();
    streams.add(res);
    res.once('close', () => leave(res));
  }

  function leave(res: Response): void {
    streams.delete(res);
    if (streams.size > 0) return;
    batches.stop();
    clearInterval(heartbeat);
    heartbeat = undefined;
  }

  return {
    serve(req, res) {
      if (closed || streams.size >= mostStreams) return refuse(res);
      res.status(200).set(streamHeaders);
      if (req.method === 'HEAD') {
        res.end();
        return;
      }
      join(res);
      res.write(`retry: 1000\n\n${missedFrames(req, events)}`);
    },
    close() {
      closed = true;
      for (const stream of streams) stream.end();
    },
  };
}

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Tells nginx and its kind not to hold the stream back.
  'X-Accel-Buffering': 'no',
};

function refuse(res: Response): void {
  res.status(503).set('Retry-After', '5').json({ error: 'too_many_streams' });
}

/** What happened since the browser last listened, or the word that this is not known any more. */
function missedFrames(req: Request, events: EventLog): string {
  const text = req.headers['last-event-id'] ?? req.query.after;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) return `id: ${events.lastId}\n: connected\n\n`;
  const last = Number(text);
  // An id from the future is one of a sandbox that was started before this one.
  const missed = last > events.lastId ? undefined : events.since(last);
  return missed === undefined ? resyncFrame(events) : framesOf(missed, events);
}

function framesOf(batch: readonly SandboxEvent[], events: EventLog): string {
  if (batch.length > mostInBatch) return resyncFrame(events);
  let frames = '';
  for (const event of batch) {
    const message = feedMessage(event, events);
    if (message !== undefined)
      frames += `event: ${message.kind}\nid: ${event.id}\ndata: ${JSON.stringify(message.data)}\n\n`;
  }
  return frames;
}

function resyncFrame(events: EventLog): string {
  return `event: resync\nid: ${events.lastId}\ndata: ${JSON.stringify({ total: issuedCount(events) })}\n\n`;
}
