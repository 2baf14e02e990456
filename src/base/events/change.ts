/** A change of the running sandbox that a button, a form or a call asks for. Members have the names of `clients.config.ts`. */
export type Change =
  | ChangeOf<'client', 'client_id'>
  | ChangeOf<'user', 'sub'>
  | ChangeOf<'scope', 'name'>
  | ChangeOf<'collection', 'name'>;

type Members = Readonly<Record<string, unknown>>;

/** `Id` is the member that names one. */
type ChangeOf<Kind extends string, Id extends string> =
  | { readonly kind: `${Kind}.create`; readonly members: Members }
  /** Replaces these members; `null` returns one to its default. */
  | ({ readonly kind: `${Kind}.patch`; readonly members: Members } & Readonly<Record<Id, string>>)
  /**
   * `delete` also ends its tokens and sessions (RFC 7592 §2.3). `revert` restores the entry of the start, even after a
   * deletion.
   */
  | ({ readonly kind: `${Kind}.delete` | `${Kind}.revert` } & Readonly<Record<Id, string>>);

/** A problem of a change, by member. */
export interface ChangeProblem {
  /** `redirect_uris[0]`; empty for a problem of the whole entry. */
  readonly member: string;
  readonly sent?: string;
  readonly expected: string;
  /** The known name that is most similar to the sent one. */
  readonly nearest?: string;
}

/** Result of a change. */
export type Changed =
  | {
      readonly ok: true;
      /** Source text that makes the change permanent, by place: `clients.config.ts`, `JSON`. */
      readonly lines: readonly { readonly where: string; readonly code: string }[];
      /** Side effects, in sentences. */
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problems: readonly ChangeProblem[];
      /** True if the only problem is that an id or user name is taken. */
      readonly isTaken?: boolean;
    };

/** The caller that asked for the change. */
export type ChangedBy = 'dashboard' | 'api' | 'library';
