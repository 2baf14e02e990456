import type { IncomingMessage, ServerResponse } from 'node:http';
import { defined } from '../../base/defined.ts';
import type { ResponseContinued } from '../../base/events/event.ts';
import { contextOf } from './request-context.ts';

/** Holds finished responses of an endpoint until somebody lets them go. */
export interface Breakpoint {
  /** `brk_…` */
  readonly id: string;
  /** The endpoint by its name in the log, `redirect` for each answer of a login that leads back to a client, or `any`. */
  readonly endpoint: string;
  readonly times: 'once' | 'always';
  /** Seconds after which a response continues by itself. */
  readonly seconds: number;
}

/** A response that waits. */
export interface HeldResponse {
  /** `req_…` */
  readonly requestId: string;
  readonly breakpointId: string;
  readonly endpoint: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** The address that a redirect leads to. */
  readonly location?: string;
  /** Unix seconds of real time. */
  readonly heldAt: number;
  readonly until: number;
}

export interface BreakpointOrder {
  readonly endpoint: string;
  /** Default `once`. */
  readonly times?: 'once' | 'always' | undefined;
  /** Default 600. */
  readonly seconds?: number | undefined;
}

/** The breakpoints of one issuer. */
export interface Breakpoints {
  /** Names of endpoints that a breakpoint can have, beside `any`. */
  readonly endpoints: readonly string[];
  list(): readonly Breakpoint[];
  /** Held responses, the oldest first. */
  held(): readonly HeldResponse[];
  /** Undefined where there are too many. The endpoint must be one of `endpoints`, or `any`. */
  set(order: BreakpointOrder): Breakpoint | undefined;
  /** Removes one, and lets its responses go. False where there is none with this id. */
  remove(id: string): boolean;
  /** Removes all, and lets all responses go. Returns the number of removed breakpoints. */
  clear(): number;
  /** Lets the response to one request go, or all of them. Returns their number. */
  continue(requestId?: string): number;
  /** Holds the response of this request if a breakpoint asks for it. */
  tap(req: IncomingMessage, res: ServerResponse): void;
}

export interface BreakpointsParts {
  readonly endpoints: readonly string[];
  /** Real time in Unix seconds. */
  readonly now: () => number;
  /** Runs something after so many seconds; the result cancels it. */
  readonly after: (seconds: number, run: () => void) => () => void;
}

export const mostBreakpoints = 20;
export const longestHold = 3600;
const mostHeld = 50;
const usualHold = 600;

export function createBreakpoints({ endpoints, ...parts }: BreakpointsParts): Breakpoints {
  const all = new Map<string, Breakpoint>();
  const waiting = createWaiting(parts);
  let count = 0;

  function found(endpoint: string, location: string | undefined): Breakpoint | undefined {
    const names = location !== undefined && isAnswer(location) ? [endpoint, 'redirect'] : [endpoint];
    const fits = (each: Breakpoint) =>
      names.includes(each.endpoint) || (each.endpoint === 'any' && endpoints.includes(endpoint));
    return [...all.values()].find(fits);
  }

  function hold(req: IncomingMessage, leaving: Leaving): Promise<void> | undefined {
    const { endpoint, faults } = contextOf(req);
    const breakpoint = found(endpoint, leaving.location);
    // a fault has damaged the answer already, and may close the connection
    if (breakpoint === undefined || faults !== undefined || waiting.isFull()) return undefined;
    if (breakpoint.times === 'once') all.delete(breakpoint.id);
    return waiting.hold(req, leaving, breakpoint);
  }

  return {
    endpoints,
    list: () => [...all.values()],
    held: waiting.list,
    set({ endpoint, times = 'once', seconds = usualHold }) {
      if (all.size >= mostBreakpoints) return undefined;
      const made = { id: `brk_${++count}`, endpoint, times, seconds };
      all.set(made.id, made);
      return made;
    },
    remove(id) {
      const isThere = all.delete(id);
      return waiting.letGo('breakpoint', ({ breakpointId }) => breakpointId === id) > 0 || isThere;
    },
    clear() {
      const { size } = all;
      all.clear();
      waiting.letGo('breakpoint', () => true);
      return size;
    },
    continue: request => waiting.letGo('call', ({ requestId }) => request === undefined || requestId === request),
    tap(req, res) {
      if (all.size > 0) holdAnswer(res, leaving => hold(req, leaving));
    },
  };
}

interface Waiting {
  readonly held: HeldResponse;
  go(by: ResponseContinued['by']): void;
}

/** The responses that wait, by their request. */
function createWaiting({ now, after }: Pick<BreakpointsParts, 'now' | 'after'>) {
  const waiting = new Map<string, Waiting>();

  function hold(req: IncomingMessage, leaving: Leaving, { id: breakpointId, seconds }: Breakpoint): Promise<void> {
    const { id: requestId, endpoint, emit } = contextOf(req);
    const { method = '', socket } = req;
    const heldAt = Math.floor(now());
    const path = originalUrl(req).split('?', 1)[0] ?? '';
    const held = { requestId, breakpointId, endpoint, method, path, ...leaving, heldAt, until: heldAt + seconds };
    emit({ type: 'response.held', breakpointId, endpoint, ...leaving });
    return new Promise(resolve => {
      const cancel = after(seconds, () => go('time'));
      const onClose = () => go('gone');
      function go(by: ResponseContinued['by']): void {
        if (!waiting.delete(requestId)) return;
        cancel();
        socket.off('close', onClose);
        emit({ type: 'response.continued', endpoint, by });
        resolve();
      }
      waiting.set(requestId, { held, go });
      socket.once('close', onClose);
    });
  }
  return {
    hold,
    isFull: () => waiting.size >= mostHeld,
    list: () => [...waiting.values()].map(({ held }) => held),
    /** Returns the number of responses that go. */
    letGo(by: ResponseContinued['by'], which: (held: HeldResponse) => boolean): number {
      const going = [...waiting.values()].filter(({ held }) => which(held));
      for (const { go } of going) go(by);
      return going.length;
    },
  };
}

const answerParameters = ['code', 'error', 'response', 'id_token', 'access_token'];

/** True for a redirect with an authorization response (RFC 6749 §4.1.2); the pages of the sandbox redirect among themselves, too. */
function isAnswer(location: string): boolean {
  const [, query = '', fragment = ''] = /^[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(location) ?? [];
  return [query, fragment].some(part => {
    const sent = new URLSearchParams(part);
    return answerParameters.some(name => sent.has(name));
  });
}

/** Routers shorten `url`. */
function originalUrl(req: IncomingMessage): string {
  return 'originalUrl' in req && typeof req.originalUrl === 'string' ? req.originalUrl : (req.url ?? '');
}

/** A response that is about to be sent. */
export interface Leaving {
  readonly status: number;
  /** The address that a redirect leads to. */
  readonly location?: string;
}

type Anything = (...all: unknown[]) => ServerResponse;

/**
 * Asks once the response is complete, and sends it when the promise resolves; without a promise it is sent at once. A response
 * that is written in parts is not held.
 */
export function holdAnswer(res: ServerResponse, ask: (leaving: Leaving) => Promise<void> | undefined): void {
  // the overloads are Node's; the arguments are passed on as they came
  const [writeHead, end] = [res.writeHead as Anything, res.end as Anything];
  let isAsked = false;
  let head: readonly unknown[] | undefined;
  let waiting: Promise<void> | undefined;

  function askOnce(status: number, headers: unknown): void {
    if (isAsked) return;
    isAsked = true;
    const location = locationIn(headers) ?? res.getHeader('Location');
    const leads = status >= 300 && status < 400 && typeof location === 'string';
    waiting = ask({ status, ...defined({ location: leads ? location : undefined }) });
  }
  res.writeHead = ((...all: unknown[]) => {
    askOnce(Number(all[0]), all.at(-1));
    if (waiting === undefined) return writeHead.apply(res, all);
    head = all;
    return res;
  }) as typeof res.writeHead;
  res.end = ((...all: unknown[]) => {
    if (!res.headersSent) askOnce(res.statusCode, undefined);
    if (waiting === undefined) return end.apply(res, all);
    const held = waiting;
    waiting = undefined;
    held.then(() => {
      if (res.destroyed) return;
      if (head !== undefined) writeHead.apply(res, [...head]);
      end.apply(res, all);
    });
    return res;
  }) as typeof res.end;
}

/** Headers are an object, or a list of alternating names and values. */
function locationIn(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const pairs = Array.isArray(headers)
    ? headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []))
    : Object.entries(headers);
  const [, value] = pairs.find(([name]) => String(name).toLowerCase() === 'location') ?? [];
  return typeof value === 'string' ? value : undefined;
}
