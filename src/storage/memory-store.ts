import type { Store, StoreKey } from './store.ts';

interface Entry {
  readonly value: unknown;
  /** Unix seconds; from then on the entry does not exist. */
  readonly expiresAt: number;
}

export interface MemoryStoreOptions {
  /** Unix seconds. */
  readonly clock: () => number;
  /** The most entries of one kind; beyond it the oldest of that kind goes, so that a flood of one kind spares the others. */
  readonly maxEntriesPerKind?: number;
}

/** A `Store` in this process: expiry on use, no timers, bounded per kind. */
export function createMemoryStore({ clock, maxEntriesPerKind = 10_000 }: MemoryStoreOptions): Store {
  const kinds = new Map<string, Map<string, Entry>>();

  function entriesOf(kind: string): Map<string, Entry> {
    const entries = kinds.get(kind) ?? new Map<string, Entry>();
    kinds.set(kind, entries);
    return entries;
  }

  function live([kind, id]: StoreKey): unknown {
    const entries = kinds.get(kind);
    const entry = entries?.get(id);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > clock()) return entry.value;
    entries?.delete(id);
    return undefined;
  }

  return {
    get: async <T>(key: StoreKey) => live(key) as T | undefined,
    async put([kind, id], value, lifetimeSeconds) {
      const entries = entriesOf(kind);
      entries.delete(id); // a replaced entry counts as the newest
      entries.set(id, { value: structuredClone(value), expiresAt: clock() + lifetimeSeconds });
      if (entries.size > maxEntriesPerKind) makeRoom(entries, clock());
    },
    async take<T>(key: StoreKey) {
      const value = live(key);
      kinds.get(key[0])?.delete(key[1]);
      return value as T | undefined;
    },
    async delete([kind, id]) {
      kinds.get(kind)?.delete(id);
    },
    async clear() {
      kinds.clear();
    },
  };
}

/** Looks a few entries deep for an expired one, oldest first; where there is none, the oldest goes. */
function makeRoom(entries: Map<string, Entry>, now: number): void {
  let oldest: string | undefined;
  let looked = 0;
  for (const [id, entry] of entries) {
    oldest ??= id;
    if (entry.expiresAt <= now) {
      entries.delete(id);
      return;
    }
    if (++looked === 16) break;
  }
  if (oldest !== undefined) entries.delete(oldest);
}
