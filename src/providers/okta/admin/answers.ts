import { type Answer, jsonAnswer } from '../../../server/http/answer.ts';
import { type CallInput, inputInvalid } from '../../management/call.ts';
import type { Org } from './org.ts';

/**
 * A page of a list. The cursor `after` is the id of the last entry of the page before. The header `Link` has the address of
 * this page and of the next one.
 */
export function listAnswer<T>(
  org: Org,
  { query, req }: CallInput,
  all: readonly T[],
  show: (entry: T) => { readonly id: string },
  most = 200,
): Answer {
  const limit = limitIn(query, most);
  const after = query.get('after');
  const start = after === null ? 0 : all.findIndex(each => show(each).id === after) + 1;
  if (after !== null && start === 0) throw inputInvalid('after: The cursor is not one of this list');
  const page = all.slice(start, start + limit);
  const [path = ''] = ((req as { originalUrl?: string }).originalUrl ?? req.url ?? '').split('?', 1);
  const address = new URL(org.address).origin + path;
  const links = [`<${addressWith(address, query)}>; rel="self"`];
  const last = page.at(-1);
  if (last !== undefined && start + limit < all.length) {
    const next = new URLSearchParams(query);
    next.set('after', show(last).id);
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
