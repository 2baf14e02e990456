import type { IncomingMessage } from 'node:http';
import { OAuthError } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';

type Asked = Pick<IncomingMessage, 'headers'>;

/**
 * The foreign page that sent a request, as far as its browser tells: the origin, or else `cross-site` or `same-site`.
 * Undefined for a page of ours, for an address that somebody typed, and for a caller that is not a browser. The front
 * door has checked `Host`, so an `Origin` with the same host is our own. Over plain HTTP browsers leave `Sec-Fetch-Site`
 * out for host names; then only `Origin` tells, and a read by an image or a frame has none.
 */
export function foreignPage({ headers }: Asked): string | undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host?.toLowerCase())) return origin;
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? String(site) : undefined;
}

export function isOwnOrigin(req: Asked): boolean {
  return foreignPage(req) === undefined;
}

/** True if the request follows a link, so that the answer becomes a top-level page: no frame, no script, no image. */
export function isLinkFollowed({ method, headers }: Asked & Pick<IncomingMessage, 'method'>): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isPage = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isRead && isPage && headers.origin === undefined;
}

/**
 * @throws invalid_request with 403; the same for every path, so that a page of a different site learns nothing from it
 */
export function requireOwnOrigin(req: IncomingMessage, description?: string): void {
  if (!isOwnOrigin(req)) throw foreignOrigin(req, description);
}

export function foreignOrigin(
  req: IncomingMessage,
  description = 'this form works only on a page of the sandbox',
): OAuthError {
  return new OAuthError('invalid_request', 'foreign_origin', description, {
    status: 403,
    sent: shorten(foreignPage(req) ?? 'no origin'),
    expected: 'our own origin',
  });
}
