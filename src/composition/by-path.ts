import type { RequestListener } from 'node:http';

/** Sends a request to the issuer whose path its own begins with, and to the first where there is none. */
export function byPath(first: RequestListener, others: ReadonlyMap<string, RequestListener>): RequestListener {
  if (others.size === 0) return first;
  return (req, res) => {
    const path = pathOf(req.url ?? '');
    for (const [base, listener] of others) {
      if (path === base || path.startsWith(`${base}/`)) return listener(req, res);
    }
    return first(req, res);
  };
}

/** RFC 8414 §3.1, RFC 9728 §3.1: a well-known name stands before the path of the issuer. */
const wellKnown = /^\/\.well-known\/[a-z-]+(?=\/)/;

function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.replace(wellKnown, '');
}
