import type { ErrorRequestHandler, Request } from 'express';
import { asSent } from './compared.ts';
import { pathOf } from './path.ts';
import { Problem, type Refusal, refusalOf, sendProblem } from './problem.ts';

/** Listeners and addresses for refusals. */
export interface ErrorOptions {
  /** URL of the protected resource metadata of a collection (RFC 9728 §3); every challenge names it. */
  readonly resourceMetadata?: (collection: string) => string;
  /** Called with an error of this server itself, which the client only sees as a 500. */
  readonly onError?: (error: unknown) => void;
  /** Called with each refusal before it is sent, with the values a developer has to compare. */
  readonly onRefused?: (request: Request, refusal: Refusal) => void;
  /** Address of the explanation of a refusal, sent as a `Link` of relation `help` (RFC 8288 §3). */
  readonly help?: (request: Request) => string | undefined;
}

/** The one place where errors become responses. */
export function createErrorHandler({ resourceMetadata, onError, onRefused, help }: ErrorOptions): ErrorRequestHandler {
  return (error, request, response, next) => {
    const problem = toProblem(error, request);
    if (problem.status === 500) onError?.(error);
    if (response.headersSent) return next(error);
    onRefused?.(request, refusalOf(problem));
    sendProblem(response, problem, {
      resourceMetadata: resourceMetadata?.(pathOf(request.url).split('/', 2)[1] ?? ''),
      help: help?.(request),
    });
  };
}

/** Express throws a URIError for a path that cannot be percent-decoded. */
function toProblem(error: unknown, { originalUrl }: Request): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof URIError) {
    const compared = { sent: asSent('path', originalUrl.split('?', 1)[0]), expected: 'percent-encoded UTF-8' };
    return new Problem(400, 'path_malformed', 'the path is not well-formed percent-encoding', compared);
  }
  return new Problem(500, 'internal', 'the resource server failed; its log says why');
}
