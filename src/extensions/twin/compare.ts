import { isSameJson } from '../../protocol/json-parameter.ts';
import type { FactDifference, FactRow } from './fact-row.ts';
import type { Facts } from './facts.ts';
import { reasonFor } from './reasons.ts';

/** Compares fact by fact. Only groups that the samples have are compared, such as the claims of an ID Token. */
export function compare(yours: Facts, ours: Facts): readonly FactRow[] {
  const groups = new Set([...yours.keys()].map(groupOf));
  const isExtra = (name: string) =>
    !yours.has(name) && groups.has(groupOf(name)) && !/\.(?:format|lifetime)$/.test(name);
  const names = [...yours.keys(), ...[...ours.keys()].filter(isExtra)];
  return names.map(fact => rowOf(fact, yours.get(fact), ours.get(fact)));
}

/** The percentage of facts that are the same. */
export function scoreOf(rows: readonly FactRow[]): number {
  const same = rows.filter(({ verdict }) => verdict === 'same').length;
  return rows.length === 0 ? 100 : Math.floor((100 * same) / rows.length);
}

/** Claims and header are groups of their own, because a sample may have the claims alone. */
function groupOf(fact: string): string {
  return /^[^.]*(?:\.(?:claims|header)(?=\.))?/.exec(fact)?.[0] ?? '';
}

function rowOf(fact: string, yours: unknown, ours: unknown): FactRow {
  const sides = { ...(yours !== undefined && { yours }), ...(ours !== undefined && { ours }) };
  if (isSame(fact, yours, ours)) return { fact, verdict: 'same', ...sides };
  const difference = { fact, yours, ours, ...itemsOf(yours, ours) };
  return { fact, ...reasonFor(difference), ...sides };
}

function isSame(fact: string, yours: unknown, ours: unknown): boolean {
  if (isSameJson(yours, ours)) return true;
  // a second may pass while a token is made
  if (fact.endsWith('.lifetime')) return Math.abs(Number(yours) - Number(ours)) <= 1;
  return isEmptyListOf(yours, ours) || isEmptyListOf(ours, yours);
}

/** An empty list has no items whose type could be another. */
function isEmptyListOf(empty: unknown, list: unknown): boolean {
  return empty === 'empty list' && typeof list === 'string' && list.startsWith('list of ');
}

function itemsOf(yours: unknown, ours: unknown): Pick<FactDifference, 'lacks' | 'extra'> {
  if (!Array.isArray(yours) || !Array.isArray(ours)) return { lacks: [], extra: [] };
  const [wanted, found] = [yours.map(String), ours.map(String)];
  return { lacks: wanted.filter(each => !found.includes(each)), extra: found.filter(each => !wanted.includes(each)) };
}
