import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { EventLog } from '../events/event-log.ts';
import { foreignPage, isLinkFollowed } from '../http/origin-check.ts';
import type { Reason } from '../oauth/errors.ts';
import { shorten } from '../oauth/parameters.ts';

interface Admitted {
  /** Origins that may read all the same (`DASHBOARD_ALLOWED_ORIGINS`). */
  readonly allowed?: readonly string[];
  /** Whether a link of another site may lead here: to a page, and not to a file or to JSON. */
  readonly links?: boolean;
}

/** Refuses what a page of another site asks for, in one way whatever it asks for. */
export function ownOriginOnly(
  events: Pick<EventLog, 'append'>,
  { allowed = [], links = false }: Admitted = {},
): RequestHandler {
  return (req, res, next) => {
    const foreign = foreignPage(req);
    if (foreign === undefined || (links && isLinkFollowed(req))) return next();
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
