import type { ServerResponse } from 'node:http';

/** An HTTP answer as a value. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Each a `Set-Cookie` of its own. */
  readonly cookies?: readonly string[];
}

/** JSON that must not be kept (RFC 6749 §5.1). */
export function jsonAnswer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body) };
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

export function send(res: ServerResponse, { status, headers, body, cookies }: Answer): void {
  if (res.headersSent || res.destroyed) return;
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
  if (cookies !== undefined) res.setHeader('Set-Cookie', cookies);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}
