import type { Request } from 'express';
import type { SandboxEvent } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';
import { mostInBatch } from './event-batches.ts';
import { type FeedMessage, feedMessage } from './feed.ts';

/** An event as text of the stream (WHATWG HTML §9.2.6). */
export interface Frames {
  /** Empty where no page shows any of it. */
  of(batch: readonly SandboxEvent[]): string;
  /** Names the start of the sandbox, then what happened since the browser last listened, or the word that this is not known any more. */
  opening(req: Request): string;
  /** The word that something may be missing, so that a page reads all of it again. */
  resync(): string;
}

/** `counts`: what the navigation shows beside its entries, by name; it is told after all that changes it. */
export function createFrames(events: EventLog, counts: () => object): Frames {
  function of(batch: readonly SandboxEvent[]): string {
    if (batch.length > mostInBatch) return resync();
    const frames = batch.map(event => frame(feedMessage(event, events), event.id)).join('');
    return frames === '' ? '' : frames + latestCounts();
  }

  function resync(): string {
    return frame({ kind: 'resync', data: {} }, events.lastId) + latestCounts();
  }

  function latestCounts(): string {
    return frame({ kind: 'counts', data: counts() }, events.lastId);
  }

  function missed(req: Request): string {
    const text = req.headers['last-event-id'] ?? req.query.after;
    if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) return `id: ${events.lastId}\n: connected\n\n`;
    const last = Number(text);
    // An id from the future is one of a sandbox that was started before this one.
    const since = last > events.lastId ? undefined : events.since(last);
    return since === undefined ? resync() : of(since);
  }

  // without an id: the browser resumes after the newest event it was told
  const start = `event: start\ndata: ${JSON.stringify({ start: events.start })}\n\n`;
  return { of, resync, opening: req => start + missed(req) };
}

function frame(message: FeedMessage | undefined, id: number): string {
  if (message === undefined) return '';
  return `event: ${message.kind}\nid: ${id}\ndata: ${JSON.stringify(message.data)}\n\n`;
}
