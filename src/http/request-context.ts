import type { IncomingMessage } from 'node:http';
import type { Emit } from '../events/event.ts';

/** What the front door knows of a request; everything later asks here. */
export interface RequestContext {
  /** `req_…` */
  readonly id: string;
  readonly emit: Emit;
  /** The route's name in events, set by the route that takes the request. */
  endpoint: string;
  /** The client of this request, once an event has named it. */
  client_id?: string;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export function setContext(req: IncomingMessage, context: RequestContext): void {
  contexts.set(req, context);
}

/** The context of a request that came through the front door. */
export function contextOf(req: IncomingMessage): RequestContext {
  const context = contexts.get(req);
  if (context === undefined) throw new Error('the request did not come through the front door');
  return context;
}
