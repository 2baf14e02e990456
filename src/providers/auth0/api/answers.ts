import { type Answer, jsonAnswer } from '../../../server/http/answer.ts';
import { inputInvalid } from '../../management/call.ts';

/** Headers that a tenant sends with each answer. The sandbox has no limit; `RATE_LIMIT` does not count these calls. */
export const limitHeaders = {
  'x-ratelimit-limit': '50',
  'x-ratelimit-remaining': '49',
  'x-ratelimit-reset': '2000000000',
};

export function answered(body: object, status = 200): Answer {
  return jsonAnswer(status, body, limitHeaders);
}

/** 204. */
export function doneWithLimits(): Answer {
  return { status: 204, headers: { 'Cache-Control': 'no-store', ...limitHeaders }, body: '' };
}

/**
 * One page of a list, by `page` and `per_page`, or by `from` and `take`. With `include_totals` the list is a member with the
 * name `name`, beside its numbers. `view` is an entry as it is answered.
 */
export function listed<T>(
  all: readonly T[],
  query: URLSearchParams,
  name: string,
  view: (entry: T) => unknown = entry => entry,
): Answer {
  if (query.has('take') || query.has('from')) return fromCheckpoint(all, query, name, view);
  const limit = wholeIn(query, 'per_page', 50, 100);
  const start = wholeIn(query, 'page', 0, 100_000) * limit;
  const page = all.slice(start, start + limit).map(view);
  if (query.get('include_totals') !== 'true') return answered(page);
  return answered({ start, limit, length: page.length, total: all.length, [name]: page });
}

/** Checkpoint pagination: `next` is the place where the next page begins. */
function fromCheckpoint<T>(
  all: readonly T[],
  query: URLSearchParams,
  name: string,
  view: (entry: T) => unknown,
): Answer {
  const start = wholeIn(query, 'from', 0, 1_000_000);
  const end = start + wholeIn(query, 'take', 50, 100);
  const next = end < all.length ? { next: String(end) } : {};
  return answered({ [name]: all.slice(start, end).map(view), ...next });
}

function wholeIn(query: URLSearchParams, name: string, usual: number, most: number): number {
  const text = query.get(name);
  if (text === null || text === '') return usual;
  if (!/^\d{1,7}$/.test(text) || Number(text) > most)
    throw inputInvalid(`Query validation error: '${name}' must be a whole number of at most ${most}`);
  return Number(text);
}
