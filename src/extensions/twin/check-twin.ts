import { compare } from './compare.ts';
import type { FactRow } from './fact-row.ts';
import { type Facts, factsOf } from './facts.ts';
import { observe, type Target } from './observe.ts';
import type { TwinRecord } from './record.ts';

/** A comparison with the record of an earlier one. */
interface CheckedTwin {
  readonly rows: readonly FactRow[];
  /** Facts that were the same, or were there, and are not any more. */
  readonly drift: readonly FactRow[];
  readonly refusals: readonly string[];
}

/** Measures a sandbox and compares it with a record. `now` are the facts of the tenant today, if somebody has new samples. */
export async function checkTwin(target: Target, record: TwinRecord, now: Facts = record.facts): Promise<CheckedTwin> {
  const { samples, refusals } = await observe(target, record.probe);
  const facts = new Map([...record.facts, ...now]);
  for (const name of goneFrom(record.facts, now)) facts.delete(name);
  const rows = compare(facts, factsOf(samples));
  return { rows, drift: rows.filter(row => isDrift(row, record)), refusals };
}

/** Facts of a group that the new samples have, too, but without this fact. */
function goneFrom(before: Facts, now: Facts): readonly string[] {
  const groups = new Set([...now.keys()].map(name => name.split('.', 1)[0]));
  return [...before.keys()].filter(name => groups.has(name.split('.', 1)[0]) && !now.has(name));
}

function isDrift({ fact, verdict }: FactRow, { verdicts }: TwinRecord): boolean {
  return verdict !== 'same' && !verdicts.has(fact);
}
