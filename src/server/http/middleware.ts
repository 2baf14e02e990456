import type { IncomingMessage, ServerResponse } from 'node:http';

/** A step before the answer that works without Express. It answers or calls `next`, with an error if it failed. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** Runs the steps from index `first` until one of them answers. */
export function runThrough(
  steps: readonly Middleware[],
  req: IncomingMessage,
  res: ServerResponse,
  done: (error?: unknown) => void,
  first = 0,
): void {
  const step = steps[first];
  if (step === undefined) done();
  else step(req, res, error => (error === undefined ? runThrough(steps, req, res, done, first + 1) : done(error)));
}
