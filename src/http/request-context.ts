import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Emit } from '../events/event.ts';
import type { Fate } from '../faults/fault.ts';

/** What the front door knows of a request; everything later asks here. */
export interface RequestContext {
  /** `req_…` */
  readonly id: string;
  readonly emit: Emit;
  /** The route's name in events, set by the route that takes the request. */
  endpoint: string;
  /** The client of this request, once an event has named it. */
  client_id?: string;
  /** What went wrong on purpose, by name. */
  faults?: readonly string[];
  /** What becomes of the answer on its way. */
  fate?: Fate;
  /** Whether the connection was closed instead of an answer, on purpose. */
  isDropped?: true;
  /** What was answered, for the record. */
  sent?: Sent;
}

// A property and not a WeakMap: one entry for each request made the garbage collector a fifth of the work.
const key = Symbol('request context');
type Known = IncomingMessage & { [key]?: RequestContext };

export function setContext(req: IncomingMessage, context: RequestContext): void {
  (req as Known)[key] = context;
}

/** The context of a request that came through the front door. */
export function contextOf(req: IncomingMessage): RequestContext {
  const context = (req as Known)[key];
  if (context === undefined) throw new Error('the request did not come through the front door');
  return context;
}

/** What was written, kept as it was until the exchange is over. */
export interface Sent {
  /** Names and values in turn; absent where Node knows them. */
  readonly headers?: readonly string[];
  readonly cookies?: readonly string[];
  readonly body: string | Buffer;
}
export type Handler = (req: IncomingMessage, res: ServerResponse) => void;
