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
/** A reader this far behind is cut off; it comes back and resumes. */
const mostUnsentBytes = 1_000_000;

/** Events as they happen (WHATWG HTML §9.2), each with its id, until the reader leaves or the sandbox stops. */
export function streamEvents(events: EventLog, options: EventStreamOptions, res: ServerResponse): Promise<void> {
  const { wanted, after, withExchange, signal } = options;
  const tell = (event: SandboxEvent) => {
    if (!wanted(event)) return;
    if (res.writableLength > mostUnsentBytes) res.destroy();
    else res.write(frame(event, withExchange));
  };
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
  res.write(`retry: 1000\n\n${after === undefined ? '' : gap(events, after)}`);
  if (after !== undefined) for (const event of events.keptSince(after)) tell(event);
  return new Promise(resolve => {
    const stop = events.subscribe(tell);
    const heartbeat = setInterval(() => res.write(': still here\n\n'), heartbeatMilliseconds).unref();
    const end = () => {
      stop();
      clearInterval(heartbeat);
      res.end();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

function frame(event: SandboxEvent, withExchange: boolean): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventJson(event, withExchange))}\n\n`;
}

/** Says that something between was forgotten. */
function gap(events: EventLog, after: number): string {
  return events.since(after) === undefined ? `event: gap\ndata: ${JSON.stringify({ after })}\n\n` : '';
}
