import type { IncomingMessage, ServerResponse } from 'node:http';

/** A step before the answer, which Express is not needed for: it answers, or calls `next`, with an error where it failed. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** Takes a request through the steps, from the one at `first` on, until one of them answers. */
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
