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

interface Entry {
  readonly value: unknown;
  readonly weight: number;
  /** Unix seconds; from then on the entry does not exist. */
  readonly expiresAt: number;
}

/** Clock and limits of a store. */
export interface MemoryStoreOptions {
  /** Unix seconds. */
  readonly clock: () => number;
  /** The most entries of one kind, so that a flood of one kind does not affect the others. The oldest goes first. */
  readonly maxEntriesPerKind?: number;
  /** The largest total size of the entries of one kind, in characters, roughly. */
  readonly maxWeightPerKind?: number;
}

interface Kind {
  readonly entries: Map<string, Entry>;
  weight: number;
}

/** A `Store` in this process: expiry on use, no timers, bounded per kind. */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { live, keep, forget, clear, sizes, listed } = createEntries(options);
  return {
    get: async <T>(key: StoreKey) => live(key) as T | undefined,
    async put(key, value, lifetimeSeconds) {
      keep(key, value, lifetimeSeconds);
    },
    async add(key, value, lifetimeSeconds) {
      if (live(key) !== undefined) return false;
      keep(key, value, lifetimeSeconds);
      return true;
    },
    async take<T>(key: StoreKey) {
      const value = live(key);
      forget(key);
      return value as T | undefined;
    },
    async swap(key, before, after, lifetimeSeconds) {
      if (live(key) !== before) return false;
      if (after === undefined) forget(key);
      else keep(key, after, lifetimeSeconds);
      return true;
    },
    entries: async names => names.flatMap(listed),
    async delete(key) {
      forget(key);
    },
    async clear(kind) {
      clear(kind);
    },
    sizes: async () => sizes(),
  };
}

function createEntries({ clock, maxEntriesPerKind = 10_000, maxWeightPerKind = 32 * 1024 * 1024 }: MemoryStoreOptions) {
  const kinds = new Map<string, Kind>();

  function kindOf(name: string): Kind {
    const kind = kinds.get(name) ?? { entries: new Map<string, Entry>(), weight: 0 };
    kinds.set(name, kind);
    return kind;
  }

  function live([name, id]: StoreKey): unknown {
    const kind = kinds.get(name);
    const entry = kind?.entries.get(id);
    if (kind === undefined || entry === undefined) return undefined;
    if (entry.expiresAt > clock()) return entry.value;
    remove(kind, id);
    return undefined;
  }

  function keep([name, id]: StoreKey, value: unknown, lifetimeSeconds: number): void {
    const kind = kindOf(name);
    remove(kind, id); // a replaced entry counts as the newest
    const entry = { value: structuredClone(value), weight: weightOf(value), expiresAt: clock() + lifetimeSeconds };
    kind.entries.set(id, entry);
    kind.weight += entry.weight;
    while (kind.entries.size > maxEntriesPerKind) makeRoom(kind, clock());
    while (kind.weight > maxWeightPerKind && kind.entries.size > 1) makeRoom(kind, clock());
  }

  function forget([name, id]: StoreKey): void {
    const kind = kinds.get(name);
    if (kind !== undefined) remove(kind, id);
  }

  function clear(kind: string | undefined): void {
    if (kind === undefined) kinds.clear();
    else kinds.delete(kind);
  }

  function listed(name: string): StoreEntry[] {
    const entries = [...(kinds.get(name)?.entries ?? [])].filter(([, { expiresAt }]) => expiresAt > clock());
    return entries.map(([id, { value, expiresAt }]) => ({ key: [name, id], value, expiresAt }));
  }

  const sizes = () => new Map([...kinds].map(([kind, { entries }]) => [kind, entries.size]));
  return { live, keep, forget, clear, sizes, listed };
}

/** Removes an expired entry among the oldest few, or else the oldest one. */
function makeRoom(kind: Kind, now: number): void {
  let oldest: string | undefined;
  let looked = 0;
  for (const [id, entry] of kind.entries) {
    oldest ??= id;
    if (entry.expiresAt <= now) {
      remove(kind, id);
      return;
    }
    if (++looked === 16) break;
  }
  if (oldest !== undefined) remove(kind, oldest);
}

function remove(kind: Kind, id: string): void {
  const entry = kind.entries.get(id);
  if (entry === undefined) return;
  kind.entries.delete(id);
  kind.weight -= entry.weight;
}

/** The memory of a value in bytes, roughly: its texts, and a little for everything else. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 8;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 8;
  for (const [name, each] of Object.entries(value)) weight += name.length + weightOf(each);
  return weight;
}

/**
 * Replaces a value by the one that `change` makes of it, and asks again if another request changed it meanwhile, so that none of
 * two changes at once is lost. `undefined` means no value, before and after. Returns the value that was replaced.
 */
export async function updateEntry<T>(
  store: Store,
  key: StoreKey,
  lifetimeSeconds: number,
  change: (before: T | undefined) => T | undefined,
): Promise<T | undefined> {
  for (;;) {
    const before = await store.get<T>(key);
    const after = change(before);
    if (after === before || (await store.swap(key, before, after, lifetimeSeconds))) return before;
  }
}
