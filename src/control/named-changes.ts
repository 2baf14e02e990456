import type { Finding } from '../config/problem.ts';
import type { NamedChange } from '../events/change.ts';
import type { Entry } from './entry.ts';
import { type ChangeOutcome, nameFindings, ofNamed, patched, refused, refusedFor } from './outcome.ts';

/** What the configuration has by name: how its entries are written, checked and held. */
export interface NamedEntries<T> {
  /** In words: `scope`. */
  readonly what: string;
  /** More than anybody writes by hand. */
  readonly most: number;
  readonly count: number;
  get(name: string): T | undefined;
  configured(name: string): T | undefined;
  /** As one would write it, with its name within. */
  write(one: T): Entry;
  /** All that is wrong with an entry without its name; a finding without a path is about the name. */
  check(name: string, entry: Entry): readonly Finding[];
  /** Of an entry that has been checked. */
  read(name: string, entry: Entry): T;
  /** Puts it in the place of the one of its name; notes of what came with it. */
  put(one: T): readonly string[];
  /** Why it has to stay, completing "a … that …"; undefined where it was taken away. */
  remove(name: string): string | undefined;
}

/** Does it, or says what is wrong with it. */
export function changeNamed<T>(entries: NamedEntries<T>, change: NamedChange<string>): ChangeOutcome {
  const { what, get, configured, write } = entries;
  if ('members' in change && !('name' in change)) return create(entries, change.members);
  const { name } = change as Extract<typeof change, { readonly name: string }>;
  const missing = (expected: string) => refused({ member: 'name', sent: name, expected: `a ${what} ${expected}` });
  if (change.kind.endsWith('.revert')) {
    const before = configured(name);
    return before === undefined ? missing('of the configuration') : save(entries, before);
  }
  const known = get(name);
  if (known === undefined) return missing('that is there');
  const before = write(known);
  if ('members' in change) return saveChecked(entries, patched(before, change.members), { name });
  const reason = entries.remove(name);
  return reason === undefined ? { subject: name, before, after: undefined } : missing(`that ${reason}`);
}

function create<T>(entries: NamedEntries<T>, members: Entry): ChangeOutcome {
  const { what, most, count, get } = entries;
  const entry = patched({}, members);
  const isTaken = typeof entry.name === 'string' && get(entry.name) !== undefined;
  const taken = isTaken ? [{ path: ['name'], value: entry.name, expected: `a name no other ${what} has` }] : [];
  if (count < most || isTaken) return saveChecked(entries, entry, { taken });
  return refused({ member: '', expected: `at most ${most} ${what}s: delete some first` });
}

interface Rules {
  /** It must have this one. */
  readonly name?: string;
  readonly taken?: readonly Finding[];
}

function saveChecked<T>(entries: NamedEntries<T>, entry: Entry, { name: is, taken = [] }: Rules): ChangeOutcome {
  const { name, ...members } = entry;
  const findings = typeof name === 'string' ? ofNamed(name, entries.check(name, members)) : [];
  const refusal = refusedFor(taken, [...nameFindings(name, is), ...findings]);
  return refusal ?? save(entries, entries.read(String(name), members));
}

function save<T>({ get, write, put }: NamedEntries<T>, one: T): ChangeOutcome {
  const after = write(one);
  const subject = String(after.name);
  const known = get(subject);
  const before = known && write(known);
  return { subject, before, after, notes: put(one) };
}
