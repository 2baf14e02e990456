import { isJsonObject } from '../oauth/json-parameter.ts';
import { describeValue } from '../oauth/parameters.ts';
import type { Changed, ChangedBy, ChangeFault } from './change.ts';
import type { Control } from './control.ts';
import type { Entry } from './entry.ts';

/** What there are several of, and each has an id. */
export type EntryKind = 'client' | 'user';

export const idMember = { client: 'client_id', user: 'sub' } as const satisfies Record<EntryKind, string>;

/** What came of a change, and of which entry. */
export type EntryChanged = Changed & { readonly id: string };

/** Clients or users, as a caller in this process and one of the API see them. */
export interface Entries {
  /** In the order they are held in. */
  ids(): readonly string[];
  /** As one would write it; undefined for an unknown one. */
  get(id: string): Entry | undefined;
  isChanged(id: string): boolean;
  create(entry: unknown): Promise<EntryChanged>;
  /** What the entry does not say goes back to its default; one that is not there is made. */
  replace(id: string, entry: unknown): Promise<EntryChanged>;
  /** RFC 7396: what is named is replaced, `null` returns it to its default. */
  patch(id: string, members: unknown): Promise<EntryChanged>;
  /** Ends what was given to it, too. */
  delete(id: string): Promise<EntryChanged>;
  /** As it was at the start. */
  revert(id: string): Promise<EntryChanged>;
}

type Known = Pick<Control, 'apply' | 'clientEntry' | 'userEntry' | 'isChanged'>;

/** `all` are those there are now, by id. */
export function createEntries(
  control: Known,
  kind: EntryKind,
  all: { keys(): Iterable<string> },
  by: ChangedBy,
): Entries {
  const get = kind === 'client' ? control.clientEntry : control.userEntry;
  const create = (members: Entry) => control.apply({ kind: `${kind}.create`, members }, by);
  const patch = (id: string, members: Entry) =>
    kind === 'client'
      ? control.apply({ kind: 'client.patch', client_id: id, members }, by)
      : control.apply({ kind: 'user.patch', sub: id, members }, by);
  const named = (id: string, what: 'delete' | 'revert') =>
    kind === 'client'
      ? control.apply({ kind: `client.${what}`, client_id: id }, by)
      : control.apply({ kind: `user.${what}`, sub: id }, by);
  const member = idMember[kind];
  const withId = async (id: string, changed: Promise<Changed>) => ({ ...(await changed), id });
  return {
    ids: () => [...all.keys()],
    get,
    isChanged: id => control.isChanged(kind, id),
    async create(entry) {
      if (!isJsonObject(entry)) return noObject(entry, '');
      return withId(String(entry[member]), create(entry));
    },
    async replace(id, entry) {
      if (!isJsonObject(entry)) return noObject(entry, id);
      const before = get(id);
      const written = { [member]: id, ...entry };
      if (before !== undefined) return withId(id, patch(id, { ...cleared(before), ...written }));
      if (written[member] === id) return withId(id, create(written));
      const expected = `${id}, as in the address`;
      return { ...refused({ member, sent: describeValue(written[member]), expected }), id };
    },
    async patch(id, members) {
      return isJsonObject(members) ? withId(id, patch(id, members)) : noObject(members, id);
    },
    delete: id => withId(id, named(id, 'delete')),
    revert: id => withId(id, named(id, 'revert')),
  };
}

/** Every member at its default. */
function cleared(entry: Entry): Entry {
  return Object.fromEntries(Object.keys(entry).map(name => [name, null]));
}

function refused(fault: ChangeFault): Extract<Changed, { ok: false }> {
  return { ok: false, faults: [fault] };
}

function noObject(sent: unknown, id: string): EntryChanged {
  return { ...refused({ member: '', sent: describeValue(sent), expected: 'an object' }), id };
}
