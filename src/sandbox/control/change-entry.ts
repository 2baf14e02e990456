import type { ChangeProblem } from '../../base/events/change.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import type { Finding } from '../config/problem.ts';
import type { Entry, EntryKind } from './entry.ts';
import { entryKinds } from './entry.ts';
import { type ChangeOutcome, patched, type Refused, refused, refusedFor } from './outcome.ts';

/** One kind of entries: how they are held, written, checked and changed. */
export interface EntryRules<T extends object> {
  readonly kind: EntryKind;
  readonly now: { keys(): Iterable<string>; get(id: string): T | undefined };
  /** Entries of the configuration. */
  configured(): readonly T[];
  idOf(one: T): string;
  /** As one would write it, with its id within. */
  write(one: T): Entry;
  /** Absent: as `write` does. */
  writeForChange?(one: T): Entry;
  /** The entry without what `members` replaces by another name; absent: nothing is replaced so. */
  withoutRivals?(entry: Entry, members: Entry): Entry;
  /** All that is wrong with an entry; `before` is empty for a new one. */
  check(entry: Entry, before: Entry): readonly Finding[];
  /** Conflicts of an entry with values another entry already has. */
  taken(entry: Entry, before: Entry): readonly Finding[];
  /** Converts a checked entry; `before` is undefined for a new one. */
  read(entry: Entry, before: T | undefined): T;
  /** Puts it in the place of the one of its id. Notes of what came with it; undefined where there are too many. */
  put(one: T): Promise<readonly string[] | undefined>;
  /** Expected where there are too many. */
  readonly limit: string;
  /** Takes it away, and ends what it was given. Why it has to stay, completing "a … that …"; undefined where it is gone. */
  remove(one: T): Promise<string | undefined>;
}

/** Actions on an entry. */
export type EntryAction = 'create' | 'patch' | 'delete' | 'revert';

/** All entries of one kind: those there are now, and those of the configuration. */
export type EntriesOfKind = ReturnType<typeof entriesOf>;

export function entriesOf<T extends object>(rules: EntryRules<T>) {
  const { now, idOf, write } = rules;
  // a configuration that was read again has other objects; until then each is written once
  const written = new WeakMap<T, Entry>();
  function configuredEntry(one: T): Entry {
    const entry = written.get(one) ?? write(one);
    written.set(one, entry);
    return entry;
  }
  /** The entries of the configuration by id, as long as it has the same list. */
  let known: { readonly list: readonly T[]; readonly byId: ReadonlyMap<string, T> } | undefined;
  function configuredOne(id: string): T | undefined {
    const list = rules.configured();
    if (known?.list !== list) known = { list, byId: new Map(list.map(one => [idOf(one), one])) };
    return known.byId.get(id);
  }
  /** As in a configuration file; undefined if unknown. */
  function entry(id: string): Entry | undefined {
    const one = now.get(id);
    return one && write(one);
  }
  return {
    ids: (): readonly string[] => [...now.keys()],
    entry,
    /** True if it differs from the configuration. */
    isChanged(id: string): boolean {
      const one = configuredOne(id);
      // the very object of the start needs no comparison, which writes it down twice
      if (one !== undefined && one === now.get(id)) return false;
      return !isSameJson(entry(id), one && configuredEntry(one));
    },
    change: (action: EntryAction, id: string, members: Entry) => changeEntry(rules, action, id, members),
    /** What would refuse a creation or a patch; empty where it would be saved. Changes nothing. */
    problemsOf(action: 'create' | 'patch', id: string, members: Entry): readonly ChangeProblem[] {
      const plan = planned(rules, action, id, members);
      return 'problems' in plan ? plan.problems : [];
    },
  };
}

async function changeEntry<T extends object>(
  rules: EntryRules<T>,
  action: EntryAction,
  id: string,
  members: Entry,
): Promise<ChangeOutcome> {
  const { now, configured, idOf, write, writeForChange = write } = rules;
  if (action === 'create' || action === 'patch') {
    const plan = planned(rules, action, id, members);
    return 'problems' in plan ? plan : save(rules, rules.read(plan.entry, plan.known));
  }
  if (action === 'revert') {
    const one = configured().find(each => idOf(each) === id);
    return one === undefined ? missing(rules, id, 'of the configuration') : save(rules, one);
  }
  const known = now.get(id);
  if (known === undefined) return unknown(rules, id);
  const reason = await rules.remove(known);
  return reason === undefined
    ? { subject: id, before: writeForChange(known), after: undefined }
    : missing(rules, id, `that ${reason}`);
}

/** The whole entry that a creation or a patch leads to, checked. `known` is the entry that a patch changes. */
function planned<T extends object>(
  rules: EntryRules<T>,
  action: 'create' | 'patch',
  id: string,
  members: Entry,
): Refused | { readonly entry: Entry; readonly known: T | undefined } {
  const { now, write, writeForChange = write } = rules;
  const known = action === 'create' ? undefined : now.get(id);
  if (action === 'patch' && known === undefined) return unknown(rules, id);
  const before = known === undefined ? {} : writeForChange(known);
  const entry = patched(rules.withoutRivals?.(before, members) ?? before, members);
  return refusedFor(rules.taken(entry, before), rules.check(entry, before)) ?? { entry, known };
}

function missing<T extends object>({ kind }: EntryRules<T>, id: string, expected: string): Refused {
  return refused({ member: entryKinds[kind].id, sent: id, expected: `a ${kind} ${expected}` });
}

function unknown<T extends object>(rules: EntryRules<T>, id: string): Refused {
  return missing(rules, id, `${rules.kind === 'user' ? 'who' : 'that'} exists`);
}

async function save<T extends object>(rules: EntryRules<T>, one: T): Promise<ChangeOutcome> {
  const { now, idOf, write, writeForChange = write } = rules;
  const subject = idOf(one);
  const known = now.get(subject);
  const before = known && writeForChange(known);
  const after = writeForChange(one);
  const notes = await rules.put(one);
  if (notes === undefined) return refused({ member: '', expected: rules.limit });
  return { subject, before, after, notes };
}

/** An id stays what it is. `instead` says how one gets another. */
export function renamedFinding(kind: EntryKind, entry: Entry, before: Entry, instead: string): Finding[] {
  const { id } = entryKinds[kind];
  const { [id]: is } = before;
  if (is === undefined || entry[id] === is) return [];
  return [{ path: [id], value: entry[id], expected: `${is}: ${instead}` }];
}
