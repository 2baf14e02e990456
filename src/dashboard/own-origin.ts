import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { EventLog } from '../events/event-log.ts';
import type { Reason } from '../oauth/errors.ts';
import { shorten } from '../oauth/parameters.ts';

/**
 * Refuses what another site's page asks of the stream and the JSON: `Host` was checked before, so an `Origin` with the same
 * host is our own. Browsers leave `Sec-Fetch-Site` out on plain-HTTP host names; then the `Origin` rule alone holds.
 */
export function ownOriginOnly(events: Pick<EventLog, 'append'>, allowed: readonly string[] = []): RequestHandler {
  return (req, res, next) => {
    const foreign = foreignOrigin(req);
    if (foreign === undefined) return next();
    if (allowed.includes(req.headers.origin ?? '')) return admit(req, res, next);
    const description = 'the dashboard answers to its own pages only';
    const reason: Reason = 'foreign_origin';
    events.append(
      {
        type: 'error.returned',
        endpoint: 'dashboard',
        form: 'json',
        status: 403,
        error: 'invalid_request',
        reason,
        description,
        sent: shorten(foreign),
        expected: `${req.protocol}://${req.headers.host ?? ''}, or no Origin`,
      },
      String(res.getHeader('X-Request-Id') ?? 'sandbox'),
    );
    res.status(403).json({ error: 'foreign_origin', error_description: description });
  };
}

/** Another page that may read (`DASHBOARD_ALLOWED_ORIGINS`), and is told so by CORS (Fetch §3.3). */
function admit({ headers }: Request, res: Response, next: NextFunction): void {
  res.set('Access-Control-Allow-Origin', headers.origin);
  res.vary('Origin');
  next();
}

/** The origin of the page that asks, or what the browser says of it; undefined for our own. */
function foreignOrigin({ headers }: Request): string | undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host?.toLowerCase())) return origin;
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? String(site) : undefined;
}
