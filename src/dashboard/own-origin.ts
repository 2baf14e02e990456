import type { NextFunction, Request, Response } from 'express';

/**
 * Refuses what another site's page asks of the stream and the JSON: `Host` was checked before, so an `Origin` with the same
 * host is our own. Browsers leave `Sec-Fetch-Site` out on plain-HTTP host names; then the `Origin` rule alone holds.
 */
export function ownOriginOnly(req: Request, res: Response, next: NextFunction): void {
  const { origin, host } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const foreignOrigin = origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host?.toLowerCase());
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (foreignOrigin || foreignSite) {
    res.status(403).json({ error: 'foreign_origin', error_description: 'the dashboard answers to its own pages only' });
  } else {
    next();
  }
}
