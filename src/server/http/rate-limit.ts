import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit';
import { OAuthError } from '../../protocol/errors.ts';
import type { Adapter } from './adapter.ts';
import type { ErrorForm } from './error-replies.ts';

/** The member that express-rate-limit adds to a request. */
interface Counted {
  readonly rateLimit: { readonly used: number };
}

const aMinute = 60_000;

/** Requests that count: all, or only those answered with an error, such as a wrong guess. */
export type Counting = 'all' | 'refused';

/** Counts the calls of one limit, by address. */
export type CallCounts = (name: string, windowMilliseconds: number) => Store;

export interface RateLimitOptions {
  /** Sets its counts apart from those of other limits. */
  readonly name: string;
  /** Requests per minute and address; 0 means no limit. */
  readonly limit: number;
  readonly adapter: Pick<Adapter, 'answering'>;
  readonly form: ErrorForm;
  readonly counting?: Counting;
  /** Where calls are counted; absent: in this process. */
  readonly counts?: CallCounts | undefined;
}

/** Allows a number of requests per minute from one address; the next one gets a real 429 with `Retry-After` (RFC 6585 §4). */
export function createRateLimit({
  name,
  limit,
  adapter,
  form,
  counting = 'all',
  counts,
}: RateLimitOptions): RequestHandler {
  if (limit === 0) return (_req, _res, next) => next();
  const refuse = adapter.answering(form, async (req: IncomingMessage & Partial<Counted>) => {
    const sent = `${req.rateLimit?.used ?? limit + 1} requests in this minute`;
    const details = { status: 429, sent, expected: `at most ${limit} requests a minute` };
    throw new OAuthError('temporarily_unavailable', 'rate_limited', 'too many requests from this address', details);
  });
  const limited = rateLimit({
    windowMs: aMinute,
    store: counts?.(name, aMinute) ?? createCallCounts(aMinute),
    limit,
    skipSuccessfulRequests: counting === 'refused',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false, // its checks complain on stderr about headers a stranger may send
    keyGenerator: req => ipKeyGenerator(req.ip ?? ''), // no address: the caller has left already
    handler: (req, res) => refuse(req, res),
  });
  // counts that are away are a refusal, in the form of the endpoint, and not the end of the limit
  const fail = (error: unknown) => adapter.answering(form, () => Promise.reject(error));
  return (req, res, next) => limited(req, res, error => (error === undefined ? next() : fail(error)(req, res)));
}

/** Most addresses whose calls are counted in one window. One more takes the place of the oldest. */
export const mostAddresses = 10_000;

/**
 * Counts calls by address, in time windows that are the same for all addresses. Unlike the library's store it has no
 * timer, which would keep an ended issuer in memory. Windows are measured by monotonic time, so setting the system clock
 * back holds nobody at the limit; only the time in the answer comes from the system clock.
 */
export function createCallCounts(windowMilliseconds: number): Store {
  const counts = new Map<string, number>();
  let end = 0;

  function window(): Date {
    const now = performance.now();
    if (now >= end) {
      counts.clear();
      end = now + windowMilliseconds;
    }
    return new Date(Date.now() + end - now);
  }
  return {
    localKeys: true,
    increment(key) {
      const resetTime = window();
      const totalHits = (counts.get(key) ?? 0) + 1;
      const [oldest] = counts.size >= mostAddresses && totalHits === 1 ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
      counts.set(key, totalHits);
      return { totalHits, resetTime };
    },
    decrement(key) {
      counts.set(key, Math.max(0, (counts.get(key) ?? 0) - 1));
    },
    resetKey: key => void counts.delete(key),
  };
}
