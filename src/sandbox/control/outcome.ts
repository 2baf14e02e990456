import { defined } from '../../base/defined.ts';
import type { Changed, ChangeProblem } from '../../base/events/change.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { type Finding, toProblem } from '../config/problem.ts';
import { type Entry, type EntryKind, entryKinds } from './entry.ts';
import { entryText, namedEntryText } from './entry-text.ts';

/** A change that was not made. */
export interface Refused {
  readonly problems: readonly ChangeProblem[];
  readonly isTaken?: boolean;
}

/** Result of a change, before it is logged. */
export type ChangeOutcome =
  | Refused
  | {
      readonly subject: string;
      readonly before: Entry | undefined;
      readonly after: Entry | undefined;
      readonly notes?: readonly string[];
    };

/** The outcome of a change with problems. */
export function refused(...problems: ChangeProblem[]): Refused {
  return { problems };
}

/** Refuses an entry that conflicts with another one or has errors; undefined where it is fine. */
export function refusedFor(taken: readonly Finding[], wrong: readonly Finding[]): Refused | undefined {
  const findings = [...taken, ...wrong];
  return findings.length === 0 ? undefined : { problems: problemsOf(findings), isTaken: wrong.length === 0 };
}

/** Errors of the configuration rules in a form that is safe to show, without secrets. */
export function problemsOf(findings: readonly Finding[]): readonly ChangeProblem[] {
  return findings.map(finding => {
    const { source, value, expected, nearest } = toProblem('', finding);
    const member = source.replace(/^: /, '');
    const sent = value === undefined ? {} : { sent: value };
    return { member, ...sent, expected, ...defined({ nearest }) };
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
  kind: EntryKind,
  subject: string,
  entry: Entry | undefined,
): Extract<Changed, { ok: true }>['lines'] {
  if (entry === undefined) {
    const { list, id, isByName } = entryKinds[kind];
    const named = isByName ? '' : `with ${id} `;
    return [{ where: 'clients.config.ts', code: `// in ${list}: remove the entry ${named}${JSON.stringify(subject)}` }];
  }
  return [
    { where: 'clients.config.ts', code: configurationLine(kind, entry) },
    { where: 'JSON', code: configurationJson(kind, entry) },
  ];
}

/** An item of a list, or a member of an object. */
export function configurationLine(kind: EntryKind, entry: Entry): string {
  return entryKinds[kind].isByName ? namedEntryText(entry) : entryText(entry);
}

/** The JSON of an entry, as a configuration file has it. */
export function configurationJson(kind: EntryKind, entry: Entry): string {
  const { name, ...members } = entry;
  return JSON.stringify(entryKinds[kind].isByName ? { [String(name)]: members } : entry, null, 2);
}
