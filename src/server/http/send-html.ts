import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** A shorter page fits one packet as it is. */
const leastLength = 1000;

/**
 * Sends a page or a part of one, compressed for a browser that reads that. The lowest level makes an eighth of a list of 80 kB
 * in a tenth of a millisecond, so it is done at once: in the thread pool it would wait for signatures. It is one piece, as
 * replicas hold an answer back.
 */
export function sendHtml(res: Response, html: string): void {
  res.type('html').vary('Accept-Encoding');
  if (html.length < leastLength || !readsGzip(res.req)) res.send(html);
  else res.set('Content-Encoding', 'gzip').send(gzipSync(html, { level: 1 }));
}

/** Whether the request accepts gzip, and does not prefer no compression. */
export function readsGzip(req: Request): boolean {
  return req.acceptsEncodings('gzip', 'identity') === 'gzip';
}
