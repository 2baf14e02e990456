import cors, { type CorsOptions } from 'cors';
import type { RequestHandler } from 'express';

const exposedHeaders = [
  ...['WWW-Authenticate', 'Link', 'Location', 'X-Total-Count', 'X-Request-Id', 'Retry-After'],
  ...['RateLimit', 'RateLimit-Policy', 'DPoP-Nonce'],
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
  return (req, res, next) => (req.headers.origin === undefined ? next() : handle(req, res, next));
}
