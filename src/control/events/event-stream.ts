import type { ServerResponse } from 'node:http';
import type { SandboxEvent } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';
import { contextOf } from '../../http/request-context.ts';
import { eventJson } from './event-json.ts';

export interface EventStreamOptions {
  readonly wanted: (event: SandboxEvent) => boolean;
  /** What happened after this event comes first; absent: only what happens from now on. */
  readonly after?: number | undefined;
  readonly withExchange: boolean;
  readonly signal: AbortSignal;
}

const heartbeatMilliseconds = 15_000;
/** With more than this on its way, the rest stays in the log until the reader has taken it. */
const mostUnsentBytes = 256_000;

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
  const { wanted, after, withExchange } = options;
  let place = after ?? events.lastId;
  let toldForgotten = 0;
  let isBehind = false;

  function tell(event: SandboxEvent): void {
    place = event.id;
    if (!wanted(event)) return;
    res.write(frame(event, withExchange));
    isBehind = res.writableLength > mostUnsentBytes;
    if (isBehind) res.once('drain', catchUp);
  }

  function catchUp(): void {
    isBehind = false;
    tellGap();
    for (const event of events.keptSince(place)) {
      tell(event);
      if (isBehind) return;
    }
  }

  /** Says once for each loss that events after this place are forgotten, or that the place is one of an earlier start. */
  function tellGap(): void {
    const isOfAnotherStart = place > events.lastId;
    if (!isOfAnotherStart && events.newestForgotten <= Math.max(place, toldForgotten)) return;
    res.write(`event: gap\ndata: ${JSON.stringify({ after: place })}\n\n`);
    toldForgotten = events.newestForgotten;
    if (isOfAnotherStart) place = 0;
  }

  return {
    catchUp,
    hear: (event: SandboxEvent) => void (isBehind || tell(event)),
    beat: () => void (isBehind || res.write(': still here\n\n')),
  };
}

function frame(event: SandboxEvent, withExchange: boolean): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventJson(event, withExchange))}\n\n`;
}
