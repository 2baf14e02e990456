import type { ChangeProblem } from '../../base/events/change.ts';
import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from '../config/sandbox-config.ts';
import { type ControlParts, createControl } from './create-control.ts';
import { createEntries, type EntryChanged } from './entries.ts';
import type { EntryKind } from './entry.ts';

/** An entry of what the configuration has by name: the name is one of its members. */
export type Named<T> = T & { readonly name: string };

/** A merge patch (RFC 7396): `null` removes a member, an object is patched recursively. */
export type MergePatch<T> = { readonly [Name in keyof T]?: PatchedValue<T[Name]> | null };
type PatchedValue<V> = V extends readonly unknown[] ? V : V extends object ? MergePatch<V> : V;

/** Clients, users, scopes or collections of a running sandbox, as `clients.config.ts` has them: without defaults. */
export interface SandboxEntries<T extends object> {
  /** All entries, in order. */
  list(): Promise<readonly T[]>;
  /** Undefined for an unknown one. */
  get(id: string): Promise<T | undefined>;
  /**
   * All that follow answer with the entry as it is then.
   * @throws TypeError that names every member that is wrong, for each of them; nothing is changed then
   */
  create(entry: T): Promise<T>;
  /** Members left out get their defaults; an unknown entry is created. */
  replace(id: string, entry: Partial<T>): Promise<T>;
  /** Replaces the named members, also inside an object such as `claims`; `null` restores a member's default. */
  patch(id: string, members: MergePatch<T>): Promise<T>;
  /** Also ends the sessions and tokens of the entry. */
  delete(id: string): Promise<void>;
  /** Restores the entry of the start, even after a deletion. */
  revert(id: string): Promise<T>;
}

/** Configuration that can be changed on a running issuer, validated like `clients.config.ts`. */
export interface IssuerEntries {
  /** The clients, by `client_id`. */
  readonly clients: SandboxEntries<ClientEntry>;
  /** The users, by `sub`. */
  readonly users: SandboxEntries<UserEntry>;
  /** The scopes, by name. */
  readonly scopes: SandboxEntries<Named<ScopeEntry>>;
  /** The collections of the sample backend: rows stay where fields and seed do. */
  readonly resources: SandboxEntries<Named<CollectionEntry>>;
}

/** The same implementation as the API's, with errors for a caller in this process. */
export function createLibraryEntries<T extends object>(kind: EntryKind, parts: ControlParts): SandboxEntries<T> {
  const entries = createEntries(createControl(parts), kind, 'library');
  const name = kind === 'collection' ? 'resources' : `${kind}s`; // as the caller knows them
  // what the rules have let through, or what was written from what they did
  const read = (id: string) => entries.get(id) as T | undefined;
  const answered = (doing: string, came: EntryChanged): T => {
    if (!came.ok) throw new TypeError(`${name}.${doing}: ${came.problems.map(sentence).join('; ')}`);
    const entry = read(came.id);
    if (entry === undefined) throw new TypeError(`${name}.${doing}: ${came.id} was removed in the meantime`);
    return entry;
  };
  return {
    list: async () => entries.ids().flatMap(id => read(id) ?? []),
    get: async id => read(id),
    create: async entry => answered('create', await entries.create(entry)),
    replace: async (id, entry) => answered('replace', await entries.replace(id, entry)),
    patch: async (id, members) => answered('patch', await entries.patch(id, members)),
    revert: async id => answered('revert', await entries.revert(id)),
    async delete(id) {
      const came = await entries.delete(id);
      if (!came.ok) throw new TypeError(`${name}.delete: ${came.problems.map(sentence).join('; ')}`);
    },
  };
}

/** A problem as one says it: `codeLifetime: found "long", expected seconds`. */
export function sentence({ member, sent, expected, nearest }: ChangeProblem): string {
  const found = sent === undefined ? '' : `found ${sent}, `;
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return `${member === '' ? '' : `${member}: `}${found}expected ${expected}${hint}`;
}
