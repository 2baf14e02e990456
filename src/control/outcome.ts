import { type Finding, toProblem } from '../config/problem.ts';
import { defined } from '../defined.ts';
import type { Changed, ChangeFault } from '../events/change.ts';
import { isSameJson } from '../oauth/json-parameter.ts';
import type { Entry } from './entry.ts';
import { entryText, namedEntryText } from './entry-text.ts';

/** What a change did, before anybody is told. */
export type ChangeOutcome =
  | { readonly faults: readonly ChangeFault[]; readonly isTaken?: boolean }
  | {
      readonly subject: string;
      readonly before: Entry | undefined;
      readonly after: Entry | undefined;
      readonly notes?: readonly string[];
    };

export function refused(...faults: ChangeFault[]): { readonly faults: readonly ChangeFault[] } {
  return { faults };
}

/** What another entry has already, and what is wrong whoever has it; undefined where there is neither. */
export function refusedFor(taken: readonly Finding[], wrong: readonly Finding[]): ChangeOutcome | undefined {
  const findings = [...taken, ...wrong];
  return findings.length === 0 ? undefined : { faults: faultsOf(findings), isTaken: wrong.length === 0 };
}

/** What the rules of the configuration found, as it may be shown: no secrets. */
export function faultsOf(findings: readonly Finding[]): readonly ChangeFault[] {
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

/** A name is text, and of what is there already it stays. */
export function nameFindings(name: unknown, is?: string): readonly Finding[] {
  if (typeof name !== 'string') return [{ path: ['name'], value: name, expected: 'a name' }];
  if (is === undefined || name === is) return [];
  return [{ path: ['name'], value: name, expected: `${is}: a name cannot change, create another instead` }];
}

/** What is wrong with an entry as a whole is wrong with its name, where that is a member of it. */
export function ofNamed(name: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map(found => (found.path.length === 0 ? { ...found, path: ['name'], value: name } : found));
}

/** The lines that make it permanent. */
export function linesFor(
  list: EntryList,
  subject: string,
  entry: Entry | undefined,
): Extract<Changed, { ok: true }>['lines'] {
  const id = { clients: 'with client_id ', users: 'with sub ', scopes: '', collections: '' }[list];
  if (entry === undefined) {
    return [{ where: 'clients.config.ts', code: `// in ${list}: take out the entry ${id}${JSON.stringify(subject)}` }];
  }
  return [
    { where: 'clients.config.ts', code: configurationLine(list, entry) },
    { where: 'JSON', code: configurationJson(list, entry) },
  ];
}

/** What of a configuration has entries: lists of them, or objects by their names. */
export type EntryList = 'clients' | 'users' | 'scopes' | 'collections';

/** An item of a list, or a member of an object. */
export function configurationLine(list: EntryList, entry: Entry): string {
  return isByName(list) ? namedEntryText(entry) : entryText(entry);
}

export function configurationJson(list: EntryList, entry: Entry): string {
  const { name, ...members } = entry;
  return JSON.stringify(isByName(list) ? { [String(name)]: members } : entry, null, 2);
}

function isByName(list: EntryList): boolean {
  return list === 'scopes' || list === 'collections';
}
