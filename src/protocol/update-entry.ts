import type { Store, StoreKey } from '../base/store.ts';

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
