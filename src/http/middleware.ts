import type { IncomingMessage, ServerResponse } from 'node:http';

/** A step before the answer, which Express is not needed for: it answers, or calls `next`, with an error where it failed. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** Takes a request through the steps, one after the other, until one of them answers. */
export function runThrough(
  [first, ...rest]: readonly Middleware[],
  req: IncomingMessage,
  res: ServerResponse,
  done: (error?: unknown) => void,
): void {
  if (first === undefined) done();
  else first(req, res, error => (error === undefined ? runThrough(rest, req, res, done) : done(error)));
}
