import type { ServerResponse } from 'node:http';
import { defined } from '../../base/defined.ts';

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
