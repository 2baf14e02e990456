import type { ServerResponse } from 'node:http';
import { contextOf } from './request-context.ts';

/** An HTTP answer as a value. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A string, because Node writes it in one piece with the head; a Buffer would be a second write. */
  readonly body: string;
  /** Each a `Set-Cookie` of its own. */
  readonly cookies?: readonly string[];
}

/** JSON that must not be kept (RFC 6749 §5.1). */
export function jsonAnswer(status: number, body: object, headers?: Readonly<Record<string, string>>): Answer {
  const all = headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers };
  return { status, headers: all, body: JSON.stringify(body) };
}

const jsonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

export function htmlAnswer(status: number, html: string, headers: Readonly<Record<string, string>>): Answer {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
    body: html,
  };
}

export function redirectAnswer(status: 302 | 303, location: string): Answer {
  return { status, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
}

/** Writes an answer; the request's id goes with each. The list form of `writeHead` skips Node's bookkeeping for each header. */
export function send(res: ServerResponse, { status, headers, body, cookies = [] }: Answer): void {
  if (res.headersSent || res.destroyed) return;
  const list = ['X-Request-Id', contextOf(res.req).id, 'Content-Length', String(Buffer.byteLength(body))];
  for (const name in headers) list.push(name, headers[name] ?? '');
  // Not in the list: where a header was set before, Node 20 keeps only the last of several with one name.
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
  res.writeHead(status, list).end(body);
}
