import type { Response } from 'express';

/** Writes a JSON response; for HEAD, Node leaves the body out and keeps the headers. */
export function sendJson(
  response: Response,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': length,
      'Cache-Control': 'no-store',
      ...headers,
    })
    // for ASCII the same bytes, which Node writes at a lower price
    .end(text, length === text.length ? 'latin1' : 'utf8');
}
