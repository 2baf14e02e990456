import type { Change, Changed, ChangedBy, ChangeProblem } from '../../base/events/change.ts';
import { isRecord } from '../../base/text/record.ts';
import { describeValue } from '../../protocol/parameters.ts';
import type { Control } from './create-control.ts';
import { type Entry, type EntryKind, entryKinds } from './entry.ts';

/** Result of a change, with the id of the entry. */
export type EntryChanged = Changed & { readonly id: string };

/** All entries of one kind, for a caller in this process and for the control API. */
export type Entries = ReturnType<typeof createEntries>;

type Known = Pick<Control, 'apply' | 'entry' | 'ids' | 'isChanged'>;

export function createEntries(control: Known, kind: EntryKind, by: ChangedBy) {
  const member = entryKinds[kind].id;
  const get = (id: string) => control.entry(kind, id);
  // the kind is in the name of the change, and the id is in the member of that kind
  const change = (what: string, facts: object) => control.apply({ kind: `${kind}.${what}`, ...facts } as Change, by);
  const create = (members: Entry) => change('create', { members });
  const patch = (id: string, members: Entry) => change('patch', { [member]: id, members });
  const named = (id: string, what: 'delete' | 'revert') => change(what, { [member]: id });
  const withId = async (id: string, changed: Promise<Changed>): Promise<EntryChanged> => ({ ...(await changed), id });
  return {
    ids: () => control.ids(kind),
    get,
    isChanged: (id: string) => control.isChanged(kind, id),
    async create(entry: unknown): Promise<EntryChanged> {
      if (!isRecord(entry)) return noObject(entry, '');
      return withId(String(entry[member]), create(entry));
    },
    /** Members left out get their defaults; an unknown entry is created. */
    async replace(id: string, entry: unknown): Promise<EntryChanged> {
      if (!isRecord(entry)) return noObject(entry, id);
      const before = get(id);
      const written = { [member]: id, ...entry };
      if (before !== undefined) return withId(id, patch(id, { ...cleared(before), ...written }));
      if (written[member] === id) return withId(id, create(written));
      const expected = `${id}, as in the address`;
      return { ...refused({ member, sent: describeValue(written[member]), expected }), id };
    },
    /**
     * Merges members as in RFC 7396, also within an object such as `claims`. `null` returns a member to its default.
     */
    async patch(id: string, members: unknown): Promise<EntryChanged> {
      return isRecord(members) ? withId(id, patch(id, mergedInto(get(id) ?? {}, members))) : noObject(members, id);
    },
    /** Also ends the sessions and tokens of the entry. */
    delete: (id: string) => withId(id, named(id, 'delete')),
    /** Restores the entry of the configuration. */
    revert: (id: string) => withId(id, named(id, 'revert')),
  };
}

/** Within the members, by RFC 7396 §2; a member that is `null` itself goes back to its default. */
function mergedInto(entry: Entry, members: Entry): Entry {
  const merged = Object.entries(members).map(([name, value]) => [name, mergePatch(entry[name], value)]);
  return Object.fromEntries(merged);
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** Every member at its default. */
function cleared(entry: Entry): Entry {
  return Object.fromEntries(Object.keys(entry).map(name => [name, null]));
}

function refused(problem: ChangeProblem): Extract<Changed, { ok: false }> {
  return { ok: false, problems: [problem] };
}

function noObject(sent: unknown, id: string): EntryChanged {
  return { ...refused({ member: '', sent: describeValue(sent), expected: 'an object' }), id };
}
