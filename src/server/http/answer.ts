import type { ServerResponse } from 'node:http';
import { cut } from './cut.ts';
import { contextOf } from './request-context.ts';

/** An HTTP answer as a value. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A string, because Node writes it in one piece with the head; a Buffer would be a second write. */
  readonly body: string;
  /** Each becomes a separate `Set-Cookie` header. */
  readonly cookies?: readonly string[];
  readonly wire?: Wire;
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

/** A body that is neither JSON nor a page, such as a signed response; it must not be kept either. */
export function textAnswer(type: string, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, headers: { ...textHeaders(type), ...headers }, body };
}

/** The headers of `textAnswer`, for a body that is sent in chunks. */
export function textHeaders(type: string): Readonly<Record<string, string>> {
  return { ...jsonHeaders, 'Content-Type': type };
}

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

/** Computes the headers once, for an answer that is sent many times. */
export function prepared(answer: Answer): Answer {
  return { ...answer, wire: toWire(answer) };
}

/** The answer as it is sent: headers are alternating names and values, which skips Node's bookkeeping for each. */
interface Wire {
  readonly headers: readonly string[];
  /** Latin-1 where the body is ASCII: the same bytes, and Node writes them faster than UTF-8. */
  readonly encoding: 'latin1' | 'utf8';
}

function toWire({ headers, body }: Answer): Wire {
  const length = Buffer.byteLength(body);
  const list = ['Content-Length', String(length)];
  for (const name in headers) list.push(name, headers[name] ?? '');
  return { headers: list, encoding: length === body.length ? 'latin1' : 'utf8' };
}

/** Writes an answer, with the id of its request in a header. */
export function send(res: ServerResponse, answer: Answer): void {
  if (res.headersSent || res.destroyed) return;
  const { status, body, cookies = [], wire = toWire(answer) } = answer;
  // Set separately: if another header was set before, Node 20 keeps only the last of several headers with one name.
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
  const context = contextOf(res.req);
  const headers = ['X-Request-Id', context.id, ...faultHeader(context.faults), ...wire.headers];
  if (context.fate !== undefined) cut(res, context.fate);
  context.sent = cookies.length === 0 ? { headers, body } : { headers, cookies, body };
  res.writeHead(status, headers).end(body, wire.encoding);
}

/** Reports the injected faults in the `Sandbox-Fault` header, so that a test can assert on them. */
function faultHeader(faults: readonly string[] | undefined): readonly string[] {
  return faults === undefined ? none : ['Sandbox-Fault', faults.join(', ')];
}

const none: readonly string[] = [];

/** True for an HTML page. */
export function isPage({ headers }: Answer): boolean {
  return headers['Content-Type']?.startsWith('text/html') === true;
}
