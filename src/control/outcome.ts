import { type Finding, toProblem } from '../config/problem.ts';
import { isSameJson } from '../oauth/json-parameter.ts';
import type { Changed, ChangeFault } from './change.ts';
import type { Entry } from './entry.ts';
import { entryText } from './entry-text.ts';

/** What a change did, before anybody is told. */
export type Outcome =
  | { readonly faults: readonly ChangeFault[] }
  | {
      readonly subject: string;
      readonly before: Entry | undefined;
      readonly after: Entry | undefined;
      readonly notes?: readonly string[];
    };

export function refused(...faults: ChangeFault[]): { readonly faults: readonly ChangeFault[] } {
  return { faults };
}

/** What the rules of the configuration found, as it may be shown: no secrets. */
export function faultsOf(findings: readonly Finding[]): readonly ChangeFault[] {
  return findings.map(finding => {
    const { source, value, expected, nearest } = toProblem('', finding);
    const member = source.replace(/^: /, '');
    const sent = value === undefined ? {} : { sent: value };
    return { member, ...sent, expected, ...(nearest === undefined ? {} : { nearest }) };
  });
}

/** An entry with some members replaced; `null` leaves one out. */
export function patched(entry: Entry, members: Entry): Entry {
  const merged = Object.entries({ ...entry, ...members });
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined));
}

/** Names of the members in which two entries differ. */
export function changedMembers(before: Entry = {}, after: Entry = {}): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter(name => !isSameJson(before[name], after[name]));
}

/** The lines that make it permanent. */
export function linesFor(
  list: 'clients' | 'users',
  subject: string,
  entry: Entry | undefined,
): Extract<Changed, { ok: true }>['lines'] {
  const id = list === 'clients' ? 'client_id' : 'sub';
  if (entry === undefined) {
    return [
      { where: 'clients.config.ts', code: `// in ${list}: take out the entry with ${id} ${JSON.stringify(subject)}` },
    ];
  }
  return [
    { where: 'clients.config.ts', code: entryText(entry) },
    { where: 'JSON', code: JSON.stringify(entry, null, 2) },
  ];
}
