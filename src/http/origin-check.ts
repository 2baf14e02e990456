import type { IncomingMessage } from 'node:http';
import { OAuthError } from '../oauth/errors.ts';
import { shorten } from '../oauth/parameters.ts';

/**
 * Whether a request that changes state comes from a page of ours (CSRF, login CSRF). `Host` was checked at the door, so an
 * `Origin` with the same host is our own. Without one it is no browser, or an old one: then `Sec-Fetch-Site` decides.
 */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === headers.host?.toLowerCase();
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** @throws invalid_request with 403 */
export function requireOwnOrigin(req: IncomingMessage): void {
  if (!isOwnOrigin(req)) throw foreignOrigin(req);
}

export function foreignOrigin(req: IncomingMessage): OAuthError {
  const description = 'this form can be sent from a page of the sandbox only';
  const sent = shorten(String(req.headers.origin ?? req.headers['sec-fetch-site']));
  return new OAuthError('invalid_request', 'foreign_origin', description, {
    status: 403,
    sent,
    expected: 'our own origin',
  });
}
