import type { IncomingMessage } from 'node:http';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { OAuthError } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import type { Adapter } from './adapter.ts';
import type { ErrorForm } from './error-replies.ts';
import { contextOf, type Middleware } from './request-context.ts';

/** One path: the steps before any method, the handlers of each method, and the form of its errors. */
export interface Mounted {
  /** The route's name in events. */
  readonly name: string;
  readonly path: string;
  readonly form: ErrorForm;
  readonly before?: readonly RequestHandler[];
  readonly GET?: readonly RequestHandler[];
  readonly POST?: readonly RequestHandler[];
  readonly PUT?: readonly RequestHandler[];
  readonly DELETE?: readonly RequestHandler[];
}

/** Mounts a path. A method without a handler gets 405 with `Allow` (RFC 9110 §15.5.6). */
export function mount(app: IRouter, adapter: Adapter, mounted: Mounted): void {
  const { name, path, form, before = [], GET, POST, PUT, DELETE } = mounted;
  const allow = (['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap(method =>
    mounted[method] === undefined ? [] : method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  const route = app.route(path).all(named(name), ...before);
  if (GET) route.get(...GET);
  if (POST) route.post(...POST);
  if (PUT) route.put(...PUT);
  if (DELETE) route.delete(...DELETE);
  route.all(adapter.answering(form, async req => wrongMethod(req, allow)));
}

/**
 * Sets the request id header for handlers that write their answers themselves: the sample backend, the dashboard, the
 * assets.
 */
export const tellRequestId: Middleware = (req, res, next) => {
  res.setHeader('X-Request-Id', contextOf(req).id);
  next();
};

/** Records the name of the route for events, because Express does not tell it. */
export function named(name: string): Middleware {
  return (req, _res, next) => {
    contextOf(req).endpoint = name;
    next();
  };
}

export function setHeaders(headers: Readonly<Record<string, string>>): RequestHandler {
  return (_req: Request, res: Response, next) => {
    res.set(headers);
    next();
  };
}

/**
 * `pointer` is appended to the description. A preflight that gets here is refused for every origin, because scripts may
 * not call this path.
 */
export function wrongMethod({ method = '', headers }: IncomingMessage, allow: readonly string[], pointer = ''): never {
  const Allow = allow.join(', ');
  const asked = headers.origin === undefined ? undefined : headers['access-control-request-method'];
  const isPreflight = method === 'OPTIONS' && asked !== undefined;
  const reason = isPreflight ? 'cors_not_offered' : 'method_not_allowed';
  const description = `this path does not accept ${method}, only ${Allow}${pointer}`;
  throw new OAuthError('invalid_request', reason, description, {
    status: 405,
    sent: isPreflight ? shorten(`the preflight for a ${asked} from a script of ${headers.origin}`) : method,
    expected: isPreflight ? 'a page that the browser opens itself, or a call from a back end' : Allow,
    headers: { Allow },
  });
}
