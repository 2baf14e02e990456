import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemType } from '../../base/text/problem-type.ts';

const mostEnded = 1000;

/** Keeps the reasons why the most recent issuers ended. */
export function createEnded() {
  const reasons = new Map<string, string>();
  return {
    add(id: string, why: string): void {
      reasons.delete(id);
      reasons.set(id, why);
      const [oldest] = reasons.keys();
      if (reasons.size > mostEnded && oldest !== undefined) reasons.delete(oldest);
    },
    /** Answers at the path of an ended or unknown issuer (RFC 9457, RFC 9110 §15.5.11). */
    listener(req: IncomingMessage, res: ServerResponse): void {
      const why = reasons.get(/\/i\/([^/?]+)/.exec(req.url ?? '')?.[1] ?? '');
      const status = why === undefined ? 404 : 410;
      const detail =
        why === undefined ? 'there is no issuer at this path' : `the issuer at this path has ended: ${why}`;
      const expected = 'the path of a running issuer; POST /_sandbox/issuers creates a new one';
      const body = { type: 'about:blank', title: 'invalid_request', status, detail, expected };
      res.writeHead(status, { 'Content-Type': problemType(req.headers.accept), 'Cache-Control': 'no-store' });
      res.end(JSON.stringify(body));
    },
  };
}
