import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import { defined } from '../../base/defined.ts';
import { isLoopbackOrigin, type WebOrigins } from '../../protocol/clients/client-directory.ts';
import type { Reason } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import type { Faults } from '../faults/faults.ts';
import { faultyPreflight } from './faulty-api.ts';
import { isOwnOrigin } from './origin-check.ts';
import { contextOf, type Middleware } from './request-context.ts';

/**
 * Origins whose pages may call. `anyone`: every origin. `clients`: those of the clients and of `CORS_ORIGINS`. `listed`:
 * those of `CORS_ORIGINS`, because anybody can register a client. Loopback origins always may.
 */
export type CorsReach = 'anyone' | 'clients' | 'listed';

export interface CorsSettings {
  readonly corsOrigins: '*' | readonly string[];
  /** Origins of the pages of all clients, as they are registered now. */
  readonly clientOrigins: () => WebOrigins;
}

/** CORS, with the faults that may be injected into it. */
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
 * CORS for endpoints that pages of other origins call, decided for each request. The answer repeats the origin, never
 * `*`, and the headers a preflight asks for, because some SDKs send their own even with GET. Never used for the
 * authorization endpoint, the login or the dashboard.
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
  // a request without an Origin needs no CORS; answers that may be cached set `Vary: Origin` themselves
  return (req, res, next) => {
    const { origin } = req.headers;
    if (origin === undefined) return next();
    if (mayCall(origin, reach, settings)) return allow(req, res, next);
    tellOfRefusal(req, res, reach, settings);
    refuse(req, res, next);
  };
}

/**
 * CORS for an endpoint, after the fault that blocks preflights: a proxy that blocks other origins does not answer their
 * preflights either.
 */
export function corsBefore(reach: CorsReach, { faults, ...settings }: CorsOptions, credentials?: true): Middleware[] {
  return [faultyPreflight(faults), createCors(reach, settings, { credentials })];
}

/** Whether pages of this origin may call. */
export function mayCall(origin: string, reach: CorsReach, { corsOrigins, clientOrigins }: CorsSettings): boolean {
  if (reach === 'anyone' || corsOrigins === '*' || corsOrigins.includes(origin)) return true;
  return isLoopbackOrigin(origin) || (reach === 'clients' && clientOrigins().has(origin));
}

/** Logs that the browser hides the answer from the page. The answer shows that only by a header that is missing. */
function tellOfRefusal(req: IncomingMessage, res: ServerResponse, reach: CorsReach, settings: CorsSettings): void {
  const { origin = '', 'sec-fetch-mode': mode = 'cors' } = req.headers;
  if (mode !== 'cors' || isOwnOrigin(req)) return; // CORS does not apply to a form or to a page of ours
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
    'neither a client (redirect_uris, web_origins) nor CORS_ORIGINS lists the origin of the page, so the browser hides the response from the page',
  listed:
    'CORS_ORIGINS does not list the origin of the page, so the browser hides the response about a registration from the page',
};

/** Most origins that a refusal lists; enough to find the one that was meant. */
const mostExpected = 10;

/** The origins whose pages may call, in words. */
export function expectedOrigins(reach: CorsReach, { corsOrigins, clientOrigins }: CorsSettings): string {
  const known = new Set([...corsOrigins, ...(reach === 'clients' ? clientOrigins() : [])]);
  const named = [...known].filter(origin => !isLoopbackOrigin(origin)).slice(0, mostExpected);
  return [...named, 'a loopback origin such as http://localhost:3000'].join(' or ');
}
