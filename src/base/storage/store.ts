/** The kind and the name of an entry: `['code', 'Xy…']`. */
export type StoreKey = readonly [kind: string, id: string];

/** An entry, as `entries` lists it. */
export interface StoreEntry {
  readonly key: StoreKey;
  readonly value: unknown;
  /** Unix seconds of the sandbox; from then on it does not exist. */
  readonly expiresAt: number;
}

/**
 * The memory of the protocol: codes, refresh tokens, sessions, revoked ids. Values are plain JSON data, so that an
 * implementation may run in a different process. `test/base/storage/store-contract.ts` holds every implementation to the
 * same promises.
 */
export interface Store {
  /** Present if other processes write to it, too: then this process does not know all that happened to it. */
  readonly isShared?: true;
  /** The value; undefined if it was never set, was taken, or has expired. */
  get<T>(key: StoreKey): Promise<T | undefined>;
  /** Keeps the value for this many seconds; replaces an existing one. */
  put(key: StoreKey, value: unknown, lifetimeSeconds: number): Promise<void>;
  /** Keeps the value unless one exists, atomically: of any number of concurrent callers, exactly one gets true. */
  add(key: StoreKey, value: unknown, lifetimeSeconds: number): Promise<boolean>;
  /** Gets and removes the value atomically: of any number of concurrent callers, only one gets it. */
  take<T>(key: StoreKey): Promise<T | undefined>;
  /**
   * Puts `after` in place of the value that `get` gave, atomically, and returns whether that value was still there. `undefined`
   * means no value, before or after.
   */
  swap(key: StoreKey, before: unknown, after: unknown, lifetimeSeconds: number): Promise<boolean>;
  delete(key: StoreKey): Promise<void>;
  /** All entries of these kinds, each kind with its oldest first. */
  entries(kinds: readonly string[]): Promise<readonly StoreEntry[]>;
  /** Forgets everything, or everything of one kind. */
  clear(kind?: string): Promise<void>;
  /** The number of kept entries by kind; absent where an implementation cannot count. */
  sizes?(): Promise<ReadonlyMap<string, number>>;
}
