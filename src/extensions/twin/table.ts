import { scoreOf } from './compare.ts';
import type { FactRow, FactVerdict } from './fact-row.ts';

const order: readonly FactVerdict[] = ['different', 'cannot be', 'same'];
const widest = 46;

/** The fidelity table as text: differences first, and the score above them. */
export function fidelityTable(rows: readonly FactRow[]): string {
  const sorted = order.flatMap(verdict => rows.filter(row => row.verdict === verdict));
  const width = Math.min(widest, Math.max(0, ...rows.map(({ fact }) => fact.length)));
  return [headline(rows), '', ...sorted.map(row => lineOf(row, width))].join('\n');
}

function headline(rows: readonly FactRow[]): string {
  const count = (verdict: FactVerdict) => rows.filter(row => row.verdict === verdict).length;
  const counts = (['same', 'different', 'cannot be'] as const).map(verdict => `${verdict}: ${count(verdict)}`);
  return `Fidelity ${scoreOf(rows)} % of ${rows.length} facts (${counts.join(', ')})`;
}

function lineOf({ fact, verdict, yours, ours, why = '' }: FactRow, width: number): string {
  const start = `${verdict.padEnd(9)}  ${printable(fact).padEnd(width)}`;
  if (verdict === 'same') return `${start}  ${shown(yours)}`;
  return `${start}  ${sides(yours, ours)}${why}`;
}

/** Lists are not repeated: the reason names the items that differ. */
function sides(yours: unknown, ours: unknown): string {
  if (Array.isArray(yours) && Array.isArray(ours)) return '';
  return `yours ${shown(yours)}, sandbox ${shown(ours)}: `;
}

/** A value on one short line. */
function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return printable(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** Without control characters, because a terminal would obey them. */
function printable(text: string): string {
  return text.slice(0, 300).replace(/\p{Cc}+/gu, ' ');
}
