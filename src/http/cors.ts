import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import { defined } from '../defined.ts';
import type { Faults } from '../faults/faults.ts';
import { isLoopbackOrigin } from '../oauth/clients/web-origins.ts';
import type { Reason } from '../oauth/errors.ts';
import { shorten } from '../oauth/parameters.ts';
import { faultyPreflight } from './faulty-api.ts';
import type { Middleware } from './middleware.ts';
import { isOwnOrigin } from './origin-check.ts';
import { contextOf } from './request-context.ts';

/** The pages that may call: of every origin, of the origins of this issuer's clients, or of origins nobody can register. */
export type CorsReach = 'anyone' | 'clients' | 'listed';

export interface CorsSettings {
  readonly corsOrigins: '*' | readonly string[];
  /** Origins of the pages of the clients there are now. */
  readonly clientOrigins: () => ReadonlySet<string>;
}

/** CORS, and what may go wrong with it on purpose. */
export interface CorsOptions extends CorsSettings {
  readonly faults: (asked: string | undefined) => Promise<Faults> | undefined;
}

const exposedHeaders = [
  'WWW-Authenticate',
  'Link',
  'Location',
  'X-Total-Count',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'DPoP-Nonce',
  'Sandbox-Fault',
];

/**
 * CORS for endpoints that pages of other origins call, decided at each request. The origin is echoed, never `*`, and so are
 * the headers a preflight asks for: some SDKs send their own even with GET. Never on the authorization endpoint, the login or
 * the dashboard.
 */
export function createCors(
  reach: CorsReach,
  settings: CorsSettings,
  { credentials = false }: { readonly credentials?: boolean | undefined } = {},
): Middleware {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  const options = { methods, credentials, exposedHeaders, maxAge: 600 };
  const allow = cors({ ...options, origin: true });
  const refuse = cors({ ...options, origin: [] });
  // without an Origin nobody asks; what may be cached says `Vary: Origin` by itself
  return (req, res, next) => {
    const { origin } = req.headers;
    if (origin === undefined) return next();
    if (mayCall(origin, reach, settings)) return allow(req, res, next);
    tellOfRefusal(req, res, reach, settings);
    refuse(req, res, next);
  };
}

/** For an endpoint that pages of other origins call: a proxy that lets no other origin in does not answer preflights either. */
export function corsBefore(reach: CorsReach, { faults, ...settings }: CorsOptions, credentials?: true): Middleware[] {
  return [faultyPreflight(faults), createCors(reach, settings, { credentials })];
}

function mayCall(origin: string, reach: CorsReach, { corsOrigins, clientOrigins }: CorsSettings): boolean {
  if (reach === 'anyone' || corsOrigins === '*' || corsOrigins.includes(origin)) return true;
  return isLoopbackOrigin(origin) || (reach === 'clients' && clientOrigins().has(origin));
}

/** Nothing of the answer says so but a header that is not there: the browser keeps the answer from the page. */
function tellOfRefusal(req: IncomingMessage, res: ServerResponse, reach: CorsReach, settings: CorsSettings): void {
  const { origin = '', 'sec-fetch-mode': mode = 'cors' } = req.headers;
  if (mode !== 'cors' || isOwnOrigin(req)) return; // a form or a page of our own: nobody minds
  const context = contextOf(req);
  const reason: Reason = 'cors_origin_refused';
  const expected = expectedOrigins(reach, settings);
  res.once('finish', () => {
    const { endpoint, emit, client_id } = context;
    emit({
      type: 'error.returned',
      endpoint,
      form: 'cors',
      status: res.statusCode,
      error: 'invalid_request',
      reason,
      description: descriptions[reach === 'listed' ? 'listed' : 'clients'],
      sent: shorten(origin, 200),
      expected,
      ...defined({ client_id }),
    });
  });
}

const descriptions = {
  clients:
    'no redirect URI and no web_origins of a client has the origin of the page, nor has CORS_ORIGINS, so the browser keeps the answer from the page',
  listed:
    'CORS_ORIGINS does not have the origin of the page, so the browser keeps the answer about a registration from the page',
};

/** Enough to find the one that was meant. */
const mostExpected = 10;

function expectedOrigins(reach: CorsReach, { corsOrigins, clientOrigins }: CorsSettings): string {
  const known = new Set([...corsOrigins, ...(reach === 'clients' ? clientOrigins() : [])]);
  const named = [...known].filter(origin => !isLoopbackOrigin(origin)).slice(0, mostExpected);
  return [...named, 'a loopback origin such as http://localhost:3000'].join(' or ');
}
