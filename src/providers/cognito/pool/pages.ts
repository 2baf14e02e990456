import { refused, unfit } from './errors.ts';

/** Most entries of a page, and the usual number. */
const most = 60;

/**
 * A part of a list, and the token of the next one. The token is the number of entries before it.
 * @throws InvalidParameterException
 */
export function pageOf<T>(
  all: readonly T[],
  { limit = most, from = '0' }: { readonly limit?: number | undefined; readonly from?: string | undefined },
): { readonly items: readonly T[]; readonly next?: string } {
  if (!Number.isInteger(limit) || limit < 0 || limit > most) {
    const bound = limit < 0 ? 'greater than or equal to 0' : `less than or equal to ${most}`;
    throw unfit(`'${limit}' at 'limit'`, `have value ${bound}`);
  }
  if (!/^\d{1,9}$/.test(from)) throw refused('InvalidParameterException', 'Invalid pagination token.');
  const end = Number(from) + (limit === 0 ? most : limit);
  return { items: all.slice(Number(from), end), ...(end < all.length && { next: String(end) }) };
}
