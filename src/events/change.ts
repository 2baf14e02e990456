/** A change of the running sandbox that a button, a form or a call asks for. Members have the names of `clients.config.ts`. */
export type Change =
  | { readonly kind: 'client.create'; readonly members: Readonly<Record<string, unknown>> }
  /** Replaces these members; `null` returns one to its default. */
  | { readonly kind: 'client.patch'; readonly client_id: string; readonly members: Readonly<Record<string, unknown>> }
  /** Ends what it was given, too (RFC 7592 §2.3). */
  | { readonly kind: 'client.delete'; readonly client_id: string }
  /** As it was at the start; one that was deleted comes back. */
  | { readonly kind: 'client.revert'; readonly client_id: string }
  | { readonly kind: 'user.create'; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: 'user.patch'; readonly sub: string; readonly members: Readonly<Record<string, unknown>> }
  /** Ends their sessions and what was given for them, too. */
  | { readonly kind: 'user.delete'; readonly sub: string }
  | { readonly kind: 'user.revert'; readonly sub: string }
  | NamedChange<'scope'>
  | NamedChange<'collection'>;

/** Of what has a name in place of an id of its own. */
export type NamedChange<Kind extends string> =
  | { readonly kind: `${Kind}.create`; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: `${Kind}.patch`; readonly name: string; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: `${Kind}.delete` | `${Kind}.revert`; readonly name: string };

/** What is wrong with a change, by member. */
export interface ChangeFault {
  /** `redirect_uris[0]`; empty where it is about the whole. */
  readonly member: string;
  readonly sent?: string;
  readonly expected: string;
  /** The known name that comes closest to what was sent. */
  readonly nearest?: string;
}

/** What came of a change. */
export type Changed =
  | {
      readonly ok: true;
      /** What makes it permanent, by place: `clients.config.ts`, `JSON`. */
      readonly lines: readonly { readonly where: string; readonly code: string }[];
      /** What came with it, in sentences. */
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly faults: readonly ChangeFault[];
      /** Nothing is wrong but that another has what must be its own: an id, a user name. */
      readonly isTaken?: boolean;
    };

/** Who asked for it. */
export type ChangedBy = 'dashboard' | 'api' | 'library';
