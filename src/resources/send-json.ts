import type { Response } from 'express';

/** Writes a JSON response; for HEAD, Node leaves the body out and keeps the headers. */
export function sendJson(
  response: Response,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      ...headers,
    })
    .end(text);
}
