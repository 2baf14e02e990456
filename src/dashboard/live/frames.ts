import type { Request } from 'express';
import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { mostInBatch } from './event-batches.ts';
import { type FeedMessage, feedMessage } from './feed.ts';

/**
 * Events as text of the stream (WHATWG HTML §9.2.6). `counts`: the counts in the navigation, by name; sent after each event that
 * changes them.
 */
export function createFrames(events: EventLog, counts: () => object) {
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
