import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestContext } from './request-context.ts';

/** Marks the requests that pages of the sandbox send for a learner. */
export interface SenderMark {
  /** The header of such a request. It has a secret of this start, so that nobody else can send it. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Notes the mark of a request and hides the value of the header, so that the secret is never recorded or logged. */
  take(req: IncomingMessage, context: RequestContext): void;
}

const name = 'sandbox-playground';
const hidden = '***';

export function createSenderMark(): SenderMark {
  let secret: string | undefined;
  return {
    headers() {
      secret ??= randomUUID(); // before the first marked request there is no secret to guess
      return { [name]: secret };
    },
    take(req, context) {
      if (secret === undefined || req.headers[name] !== secret) return;
      const at = req.rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
      // Node reads as many raw headers as came in, so the header stays and only its value goes
      req.rawHeaders[at + 1] = hidden;
      req.headers[name] = hidden;
      context.by = 'playground';
    },
  };
}
