import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CorsOptions, corsBefore } from './cors.ts';
import { type Middleware, runThrough } from './middleware.ts';
import { tellRequestId } from './mount.ts';
import type { Handler } from './request-context.ts';
import type { EndpointRoute } from './route.ts';

/** Lets the page of another origin into the fast lane. Calls `fail` with the error of a step. */
export type AdmitPage = (
  lane: FastLane,
  req: IncomingMessage,
  res: ServerResponse,
  fail: (error: unknown) => void,
) => void;

/** The steps that a request with an `Origin` takes before an endpoint in Express, in the same order and without Express. */
export function createCorsLane(options: CorsOptions): AdmitPage {
  const made = new Map<FastLane, readonly Middleware[]>();

  function stepsOf(lane: FastLane): readonly Middleware[] {
    const { cors, credentials } = lane;
    const steps = [tellRequestId, ...(cors === undefined ? [] : corsBefore(cors, options, credentials))];
    made.set(lane, steps);
    return steps;
  }

  return (lane, req, res, fail) => {
    const steps = made.get(lane) ?? stepsOf(lane);
    runThrough(steps, req, res, error => (error === undefined ? lane.handle(req, res) : fail(error)));
  };
}

/** An endpoint that works without Express, and the origins whose pages may call it. */
export interface FastLane {
  readonly endpoint: string;
  readonly cors?: EndpointRoute['cors'] | undefined;
  readonly credentials?: EndpointRoute['credentials'] | undefined;
  readonly handle: Handler;
}
