import type { ServerResponse } from 'node:http';
import type { SandboxEvent } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import { inTurns, type Pieces, type Turns, turnsUntil } from '../../../base/turns.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import { eventJson } from './event-json.ts';

/** An event that a reader has read. */
export interface StreamPlace {
  readonly id: number;
  /** The `EventLog.start` that the id is of; absent: the start that answers. */
  readonly start?: string | undefined;
}

export interface EventStreamOptions {
  readonly wanted: (event: SandboxEvent) => boolean;
  /** The stream begins with the events after this place; absent: with those from now on. */
  readonly after?: StreamPlace | undefined;
  readonly withExchange: boolean;
  readonly signal: AbortSignal;
  /** Where the reading of kept events gets its turns from. Default: the event loop. */
  readonly turns?: Turns;
}

const heartbeatMilliseconds = 15_000;
/** With more than this on its way, the rest stays in the log until the reader has taken it. */
const mostUnsentBytes = 256_000;

/** Reads `Last-Event-ID` as `frame` writes it, or a bare id; undefined for any other text. */
export function placeIn(text: string): StreamPlace | undefined {
  const [, start, id] = /^(?:([\w-]{1,64}):)?(\d{1,15})$/.exec(text) ?? [];
  return id === undefined ? undefined : { id: Number(id), start };
}

/** Events as they happen (WHATWG HTML §9.2), each with its id, until the reader leaves or the sandbox stops. */
export function streamEvents(events: EventLog, options: EventStreamOptions, res: ServerResponse): Promise<void> {
  const { signal } = options;
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no', // tells nginx and its kind not to hold the stream back
    'X-Request-Id': contextOf(res.req).id,
  });
  if (res.req.method === 'HEAD' || signal.aborted) {
    res.end();
    return Promise.resolve();
  }
  res.write('retry: 1000\n\n');
  return new Promise(resolve => {
    const reader = createReader(events, options, res);
    reader.catchUp();
    const stop = events.subscribe(reader.hear);
    const heartbeat = setInterval(reader.beat, heartbeatMilliseconds).unref();
    const end = () => {
      stop();
      res.off('drain', reader.catchUp);
      clearInterval(heartbeat);
      res.end();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

/** One reader and its place in the log: nothing is kept for it, however slow it is. */
function createReader(events: EventLog, options: EventStreamOptions, res: ServerResponse) {
  const { wanted, after, withExchange, signal, turns = turnsUntil(signal) } = options;
  const isOfAnotherStart = after !== undefined && !isOfThisStart(after, events);
  let place = isOfAnotherStart ? 0 : (after?.id ?? events.lastId);
  let toldForgotten = 0;
  /** True while events wait in the log until the reader has taken the bytes in flight. */
  let isBehind = false;
  if (isOfAnotherStart) res.write(`event: start\ndata: ${JSON.stringify({ start: events.start })}\n\n`);

  function tell(event: SandboxEvent): void {
    place = event.id;
    if (wanted(event)) res.write(frame(events.start, event, withExchange));
  }

  /** True if so many bytes are unsent that the rest must wait for the reader. */
  function mustWait(): boolean {
    if (res.writableLength <= mostUnsentBytes) return false;
    res.once('drain', catchUp);
    return true;
  }

  function hear(event: SandboxEvent): void {
    if (isBehind) return;
    tell(event);
    isBehind = mustWait();
  }

  function catchUp(): void {
    isBehind = place < events.lastId;
    if (!isBehind) return;
    inTurns(tellKept(), turns).catch(error => {
      if (!signal.aborted) res.destroy(error);
    });
  }

  /** Each event is a piece of work. Events that come meanwhile are read after the others. */
  function* tellKept(): Pieces<void> {
    for (let kept = events.keptSince(place); kept.length > 0; kept = events.keptSince(place)) {
      tellGap();
      for (const event of kept) {
        tell(event);
        if (mustWait()) return;
        yield;
      }
    }
    isBehind = false;
  }

  /** Says once for each loss that events after this place are forgotten. */
  function tellGap(): void {
    if (events.newestForgotten <= Math.max(place, toldForgotten)) return;
    res.write(`event: gap\ndata: ${JSON.stringify({ after: place })}\n\n`);
    toldForgotten = events.newestForgotten;
  }

  return {
    catchUp,
    hear,
    beat: () => void (isBehind || res.write(': still here\n\n')),
  };
}

/** A bare id that has not been given yet is of an earlier start, too. */
function isOfThisStart({ id, start }: StreamPlace, events: EventLog): boolean {
  return start === undefined ? id <= events.lastId : start === events.start;
}

/** The id names the start, because another start counts from 1 again. */
function frame(start: string, event: SandboxEvent, withExchange: boolean): string {
  const data = JSON.stringify(eventJson(event, withExchange));
  return `id: ${start}:${event.id}\nevent: ${event.type}\ndata: ${data}\n\n`;
}
