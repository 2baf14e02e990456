import type { ClientEntry, ScopeEntry, UserEntry } from '../../../sandbox/config/sandbox-config.ts';
import type { ExportPart } from '../members.ts';
import type { Person } from './groups.ts';
import type { Claims, Mapper } from './mapper.ts';

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** A client of the new file, while mappers add to it. */
export interface ClientDraft {
  readonly found: ExportPart;
  readonly entry: Writable<ClientEntry>;
  /** True if users log in at it. */
  readonly hasUsers: boolean;
  readonly defaultScopes: readonly string[];
  readonly optionalScopes: readonly string[];
  readonly mappers: readonly Mapper[];
  readonly access: Claims;
  readonly audience: Set<string>;
}

/** A user of the new file, while mappers add to it. */
export interface UserDraft {
  readonly found: ExportPart;
  readonly person: Person;
  readonly entry: Writable<UserEntry>;
  readonly claims: Claims;
  readonly access: Claims;
}

/** A client scope, while mappers add to it. */
export interface ScopeDraft {
  readonly found: ExportPart;
  readonly name: string;
  readonly entry: Writable<ScopeEntry>;
  /** False if tokens do not name it in `scope`: it then is a part of the clients that have it. */
  readonly isVisible: boolean;
  readonly mappers: readonly Mapper[];
  readonly claims: Set<string>;
  readonly access: Claims;
}

/** All that mappers add to. */
export interface Drafts {
  readonly clients: readonly ClientDraft[];
  readonly users: readonly UserDraft[];
  readonly scopes: ReadonlyMap<string, ScopeDraft>;
  /** Claims of mappers that belong to clients: each login has the scope `openid`. */
  readonly openid: Set<string>;
}
