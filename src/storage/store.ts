/** The kind and the name of an entry: `['code', 'Xy…']`. */
export type StoreKey = readonly [kind: string, id: string];

/**
 * The memory of the protocol: codes, refresh tokens, sessions, revoked ids. Values are plain data (what JSON can
 * carry), so that another implementation may live in another process. `test/storage/store-contract.ts` holds every
 * implementation to the same promises.
 */
export interface Store {
  /** The value, or undefined when it never was, was taken, or has expired. */
  get<T>(key: StoreKey): Promise<T | undefined>;
  /** Keeps the value for so many seconds; replaces what was there. */
  put(key: StoreKey, value: unknown, lifetimeSeconds: number): Promise<void>;
  /** Keeps the value unless one is there already, in one step: of any number of callers at once, one is told true. */
  add(key: StoreKey, value: unknown, lifetimeSeconds: number): Promise<boolean>;
  /** Gets and removes in one step: of any number of callers at once, one receives the value. */
  take<T>(key: StoreKey): Promise<T | undefined>;
  delete(key: StoreKey): Promise<void>;
  /** Forgets everything, or everything of one kind. */
  clear(kind?: string): Promise<void>;
}
