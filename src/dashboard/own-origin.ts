import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { EventLog } from '../base/events/event-log.ts';
import { shorten } from '../protocol/parameters.ts';
import { foreignPage, isLinkFollowed } from '../server/http/origin-check.ts';

interface Admitted {
  /** Other origins that may read (`DASHBOARD_ALLOWED_ORIGINS`). */
  readonly allowed?: readonly string[];
  /** Whether other sites may link here: to pages, but not to files or JSON. */
  readonly links?: boolean;
}

/** Refuses requests from pages of other sites, always with the same answer. */
export function ownOriginOnly(
  events: Pick<EventLog, 'append'>,
  { allowed = [], links = false }: Admitted = {},
): RequestHandler {
  return (req, res, next) => {
    const foreign = foreignPage(req);
    if (foreign === undefined || (links && isLinkFollowed(req))) return next();
    if (allowed.includes(req.headers.origin ?? '')) return admit(req, res, next);
    const description = 'the dashboard answers only its own pages';
    events.append(
      {
        type: 'error.returned',
        endpoint: 'dashboard',
        form: 'json',
        status: 403,
        error: 'invalid_request',
        reason: 'foreign_origin',
        description,
        sent: shorten(foreign),
        expected: `${req.protocol}://${req.headers.host ?? ''}, or no Origin`,
      },
      String(res.getHeader('X-Request-Id') ?? 'sandbox'),
    );
    res.status(403).json({ error: 'foreign_origin', error_description: description });
  };
}

/** Allows an origin of `DASHBOARD_ALLOWED_ORIGINS` to read by CORS (Fetch §3.3). */
function admit({ headers }: Request, res: Response, next: NextFunction): void {
  res.set('Access-Control-Allow-Origin', headers.origin);
  res.vary('Origin');
  next();
}
