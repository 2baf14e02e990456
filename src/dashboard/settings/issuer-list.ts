import type { ShortLivedIssuers } from '../../sandbox/control/short-lived.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';

/** Longer lists are cut. */
const mostShown = 50;

/** Newest first, with the total; undefined for an issuer that cannot create others. */
export async function issuerList({ issuers, time }: Pick<Desk, 'issuers' | 'time'>) {
  const shelf = await issuers?.();
  if (shelf === undefined) return undefined;
  const all = shelf.list();
  const rows = all.slice(-mostShown).reverse();
  return { rows: rows.map(each => rowOf(each, time.state().wall)), total: all.length };
}

/** In real seconds, because an issuer's own clock does not age it. */
function rowOf(told: ReturnType<ShortLivedIssuers['list']>[number], wall: number) {
  const { id, issuer, createdAt, expiresAt, dashboard } = told;
  const href = dashboard === undefined ? {} : { href: new URL(dashboard).pathname };
  return { id, issuer, ...href, made: momentOf(createdAt, wall), ends: momentOf(expiresAt, wall) };
}
