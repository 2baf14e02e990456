/** The version of the form below. A newer Grantbox reads older versions, never the other way round. */
export const stateVersion = 1;

type Members = Readonly<Record<string, unknown>>;

/** Clients, users, scopes or collections that differ from the configuration. */
export interface SavedEntries {
  /** Entries as in `clients.config.ts`, with the members that only the running sandbox knows. */
  readonly changed: readonly (Members & { readonly entry: Members })[];
  /** Ids of entries that the configuration has. */
  readonly deleted: readonly string[];
}

/** The state of one issuer that its configuration does not have. */
export interface SavedIssuer {
  readonly keys: readonly { readonly signs?: string; readonly jwk: Members; readonly publishedUntil?: number }[];
  readonly pairwiseSalt: string;
  readonly clients: SavedEntries;
  readonly users: SavedEntries;
  readonly scopes: SavedEntries;
  readonly collections: SavedEntries;
  /** Rules for claims; absent if they are those of the configuration. */
  readonly tokenClaims?: readonly unknown[];
  /** Kind, id, value, and the Unix seconds of its end. */
  readonly store: readonly (readonly [string, string, unknown, number])[];
}

/** The content of a state file: issuers by their path. */
export interface SavedState {
  readonly grantbox_state: typeof stateVersion;
  readonly issuers: Readonly<Record<string, SavedIssuer>>;
}
