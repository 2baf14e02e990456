import { type Answer, jsonAnswer } from '../../server/http/answer.ts';

/** JSON with status 200. */
export function json(body: object | number): Answer {
  return jsonAnswer(200, Object(body)); // a number becomes an object that JSON writes as a number
}

/** 201 with the address of the new entry (RFC 9110 §15.3.2). */
export function created(address: string, body?: object): Answer {
  const headers = { Location: address };
  if (body !== undefined) return jsonAnswer(201, body, headers);
  return { status: 201, headers: { 'Cache-Control': 'no-store', ...headers }, body: '' };
}

/** 204: the change was made, and there is nothing to say. */
export const done: Answer = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: '' };

/** A part of a list. `offset` and `limit` are the names of the parameters; a limit below 0 means no limit. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { offset, limit, usual }: { readonly offset: string; readonly limit: string; readonly usual: number },
): readonly T[] {
  const first = Math.max(0, wholeIn(query, offset) ?? 0);
  const most = wholeIn(query, limit) ?? usual;
  return all.slice(first, most < 0 ? undefined : first + most);
}

function wholeIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
