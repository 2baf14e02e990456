import type { FileRequest } from '../session-schema.ts';

/** The request headers; names in lower case, the first of each. */
export function headersIn({ request }: FileRequest): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of request.headers)
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  return headers;
}

export function isForm(request: FileRequest): boolean {
  return /x-www-form-urlencoded/i.test(headersIn(request).get('content-type') ?? '');
}

export function queryOf({ url }: FileRequest): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(url.split('?').slice(1).join('?'))];
}

export function pathBelow({ path, url }: FileRequest, issuer: string): string {
  const base = new URL(issuer).pathname.replace(/\/$/, '');
  const whole = url.split('?', 1)[0] || path;
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : whole;
}
