import type { IncomingMessage, ServerResponse } from 'node:http';
import cors, { type CorsOptions } from 'cors';
import type { RequestHandler } from 'express';
import type { Reason } from '../oauth/errors.ts';
import { shorten } from '../oauth/parameters.ts';
import { isOwnOrigin } from './origin-check.ts';
import { contextOf } from './request-context.ts';

const exposedHeaders = [
  ...['WWW-Authenticate', 'Link', 'Location', 'X-Total-Count', 'X-Request-Id', 'Retry-After'],
  ...['RateLimit', 'RateLimit-Policy', 'DPoP-Nonce', 'Sandbox-Fault'],
];

/**
 * CORS for what browsers call from other origins. The origin is echoed, never `*`, and so are the headers a preflight asks
 * for: some SDKs send their own even with GET. Never on the authorization endpoint, the login or the dashboard.
 */
export function createCors(origins: '*' | readonly string[], { credentials = false } = {}): RequestHandler {
  const options: CorsOptions = {
    origin: origins === '*' ? true : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    credentials,
    exposedHeaders,
    maxAge: 600,
  };
  const handle = cors(options);
  // without an Origin nobody asks; what may be cached says `Vary: Origin` by itself
  return (req, res, next) => {
    const { origin } = req.headers;
    if (origin === undefined) return next();
    if (origins !== '*' && !origins.includes(origin)) tellOfRefusal(req, res, origins);
    handle(req, res, next);
  };
}

/** Nothing of the answer says so but a header that is not there: the browser keeps the answer from the page. */
function tellOfRefusal(req: IncomingMessage, res: ServerResponse, origins: readonly string[]): void {
  const { origin = '', 'sec-fetch-mode': mode = 'cors' } = req.headers;
  if (mode !== 'cors' || isOwnOrigin(req)) return; // a form or a page of our own: nobody minds
  const context = contextOf(req);
  const reason: Reason = 'cors_origin_refused';
  res.once('finish', () => {
    const { endpoint, emit, client_id } = context;
    emit({
      ...{ type: 'error.returned', endpoint, form: 'cors', status: res.statusCode, error: 'invalid_request', reason },
      description: 'the origin of the page is not in CORS_ORIGINS, so the browser keeps the answer from it',
      sent: shorten(origin, 200),
      expected: origins.length === 0 ? 'no origin at all: CORS_ORIGINS is empty' : origins.join(' or '),
      ...(client_id === undefined ? {} : { client_id }),
    });
  });
}
