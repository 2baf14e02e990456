import { type Answer, jsonAnswer } from '../../../http/answer.ts';
import type { CallInput } from '../../management/call.ts';
import { inputInvalid } from '../../management/refusals.ts';
import type { Org } from './org.ts';

/**
 * A page of a list. The cursor `after` is the id of the last entry of the page before. The header `Link` has the address of
 * this page and of the next one.
 */
export function listAnswer<T>(
  org: Org,
  { query, names: _, req }: CallInput,
  all: readonly T[],
  { idOf, show, most = 200 }: { idOf(entry: T): string; show(entry: T): object; readonly most?: number },
): Answer {
  const limit = limitIn(query, most);
  const after = query.get('after');
  const start = after === null ? 0 : all.findIndex(each => idOf(each) === after) + 1;
  if (after !== null && start === 0) throw inputInvalid('after: The cursor is not one of this list');
  const page = all.slice(start, start + limit);
  const [path = ''] = ((req as { originalUrl?: string }).originalUrl ?? req.url ?? '').split('?', 1);
  const address = new URL(org.address).origin + path;
  const links = [`<${addressWith(address, query)}>; rel="self"`];
  const last = page.at(-1);
  if (last !== undefined && start + limit < all.length) {
    const next = new URLSearchParams(query);
    next.set('after', idOf(last));
    next.set('limit', String(limit));
    links.push(`<${addressWith(address, next)}>; rel="next"`);
  }
  return jsonAnswer(200, page.map(show), { Link: links.join(', ') });
}

function addressWith(address: string, query: URLSearchParams): string {
  return query.size === 0 ? address : `${address}?${query}`;
}

function limitIn(query: URLSearchParams, most: number): number {
  const text = query.get('limit');
  if (text === null) return most;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw inputInvalid('limit: The limit must be a whole number above 0');
  return Math.min(Number(text), most);
}

/** An entry that was found, or a list that is no page of another one. */
export function entryAnswer(body: object, status = 200): Answer {
  return jsonAnswer(status, body);
}
