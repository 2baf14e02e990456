import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CorsOptions } from './cors.ts';
import type { Handler, Middleware } from './request-context.ts';
import type { EndpointRoute } from './route.ts';

/** An endpoint that programs call, and the origins whose pages may call it. */
export interface MachineEndpoint {
  readonly endpoint: string;
  readonly cors?: EndpointRoute['cors'] | undefined;
  readonly credentials?: EndpointRoute['credentials'] | undefined;
  readonly handle: Handler;
}

/**
 * Keys, metadata and, without a rate limit, tokens, by `GET /path`. They answer before Express is loaded, because a pipeline
 * that asks for a token waits for nothing else: with Express the first one takes 1.4 times as long.
 */
export function machineEndpoints(
  handlers: ReadonlyMap<EndpointRoute, Handler>,
  rateLimit: number,
): ReadonlyMap<string, MachineEndpoint> {
  const plain = [...handlers].filter(([route]) => route.constant || (route.name === 'token' && rateLimit === 0));
  return new Map(
    plain.flatMap(([{ name, path, methods, cors, credentials }, handle]) =>
      methods.map(method => [`${method} ${path}`, { endpoint: name, handle, cors, credentials }] as const),
    ),
  );
}

/** Answers a request of a page of another origin, or calls `fail`. */
export type AnswerPage = (
  endpoint: MachineEndpoint,
  req: IncomingMessage,
  res: ServerResponse,
  fail: (error: unknown) => void,
) => void;

/** The steps that a request with an `Origin` takes before an endpoint in Express, in the same order. */
export async function answerPages(options: CorsOptions): Promise<AnswerPage> {
  const { corsBefore } = await import('./cors.ts');
  const { tellRequestId } = await import('./mount.ts');
  return ({ cors, credentials, handle }, req, res, fail) => {
    const steps = [tellRequestId, ...(cors === undefined ? [] : corsBefore(cors, options, credentials))];
    runThrough(steps, req, res, error => (error === undefined ? handle(req, res) : fail(error)));
  };
}

/** Runs the steps from index `first` until one of them answers. */
function runThrough(
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
