import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Emit } from '../../base/events/event.ts';
import type { Fate } from '../faults/fault.ts';

/** Facts about a request, collected by the front door and read by everything later. */
export interface RequestContext {
  /** `req_…` */
  readonly id: string;
  readonly emit: Emit;
  /** The route's name in events, set by the route that takes the request. */
  endpoint: string;
  /** The page of the sandbox that sent the request for somebody who learns. */
  by?: string;
  /** The client of this request, once an event has named it. */
  client_id?: string;
  /** Names of the injected faults. */
  faults?: readonly string[];
  /** Fault that changes the answer on its way. */
  fate?: Fate;
  /** True if the connection was closed on purpose in place of an answer. */
  isDropped?: true;
  /** True if an error of the sandbox broke off the answer. */
  isBroken?: true;
  /** The answer, for the record. */
  sent?: Sent;
  /** Records the request, which otherwise happens when its answer has been sent; undefined once it is recorded. */
  complete?: (() => void) | undefined;
}

// A property and not a WeakMap: one entry for each request made the garbage collector a fifth of the work.
const key = Symbol('request context');
type Known = IncomingMessage & { [key]?: RequestContext };

export function setContext(req: IncomingMessage, context: RequestContext): void {
  (req as Known)[key] = context;
}

/** Records a request that came through the front door, before its answer is sent. */
export function completeRequest(req: IncomingMessage): void {
  (req as Known)[key]?.complete?.();
}

/** Marks a request that came through the front door: an error of the sandbox breaks off its answer. */
export function failRequest(req: IncomingMessage): void {
  const context = (req as Known)[key];
  if (context !== undefined) context.isBroken = true;
}

/** The context of a request that came through the front door. */
export function contextOf(req: IncomingMessage): RequestContext {
  const context = (req as Known)[key];
  if (context === undefined) throw new Error('the request did not come through the front door');
  return context;
}

/** The written answer, kept unchanged until the exchange is over. */
export interface Sent {
  /** Names and values in turn; absent if Node has them. */
  readonly headers?: readonly string[];
  readonly cookies?: readonly string[];
  readonly body: string | Buffer;
}

export type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** A step before the answer, as Express has it. It answers or calls `next`, with an error if it failed. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** Marks the requests that pages of the sandbox send for somebody who learns. */
export interface SenderMark {
  /** The header of such a request, which names its sender. It has a secret of this start, so that nobody else can send it. */
  headers(by: string): Readonly<Record<string, string>>;
  /** Notes the mark of a request and hides the value of the header, so that the secret is never recorded or logged. */
  take(req: IncomingMessage, context: RequestContext): void;
}

const hidden = '***';

export function createSenderMark(): SenderMark {
  const secrets = new Map<string, string>(); // before the first marked request there is no secret to guess
  return {
    headers(by) {
      const secret = secrets.get(by) ?? randomUUID();
      secrets.set(by, secret);
      return { [headerOf(by)]: secret };
    },
    take(req, context) {
      for (const [by, secret] of secrets) {
        const header = headerOf(by);
        if (req.headers[header] !== secret) continue;
        const at = req.rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === header);
        // Node reads as many raw headers as came in, so the header stays and only its value goes
        req.rawHeaders[at + 1] = hidden;
        req.headers[header] = hidden;
        context.by = by;
      }
    },
  };
}

function headerOf(by: string): string {
  return `sandbox-${by}`;
}
