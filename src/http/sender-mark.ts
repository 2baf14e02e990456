import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestContext } from './request-context.ts';

/** Marks the requests that pages of the sandbox send for a learner. */
export interface SenderMark {
  /** The header of such a request. It has a secret of this start, so that nobody else can send it. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Notes the mark of a request and removes the header, so that the secret is never recorded or logged. */
  take(req: IncomingMessage, context: RequestContext): void;
}

const name = 'sandbox-playground';

export function createSenderMark(): SenderMark {
  let secret: string | undefined;
  return {
    headers() {
      secret ??= randomUUID(); // before the first marked request there is no secret to guess
      return { [name]: secret };
    },
    take(req, context) {
      if (secret === undefined || req.headers[name] !== secret) return;
      delete req.headers[name];
      const at = req.rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
      req.rawHeaders.splice(at, 2);
      context.by = 'playground';
    },
  };
}
