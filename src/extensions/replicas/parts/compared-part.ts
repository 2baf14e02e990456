import type { SharedEntries } from '../../../sandbox/replica.ts';
import { noChanges, type SharedPart } from '../shared-part.ts';

/** A part of few entries, which its owner lists. */
export function comparedPart<T extends object>(options: SharedEntries<T> & { readonly name: string }): SharedPart {
  const { name, list, idOf, told = entry => entry, taker } = options;
  const seen = new Map<string, string>();
  // sorted, because the engine writes members in an order of its own
  const seenOf = (entry: T) =>
    JSON.stringify(Object.entries(told(entry)).sort(([one], [other]) => (one < other ? -1 : 1)));

  async function take(id: string, entry: T | undefined): Promise<void> {
    const { put } = await taker();
    // both at once, or it would look like a change of this process; and only this entry, because another one may have changed here
    put(id, entry);
    if (entry === undefined) seen.delete(id);
    else seen.set(id, seenOf(entry));
  }
  return {
    name,
    changes() {
      const now = list();
      if (seen.size === 0 && now.length === 0) return noChanges;
      const changed = now.filter(entry => seen.get(idOf(entry)) !== seenOf(entry));
      const ids = new Set(now.map(idOf));
      const gone = [...seen.keys()].filter(id => !ids.has(id));
      for (const entry of changed) seen.set(idOf(entry), seenOf(entry));
      for (const id of gone) seen.delete(id);
      return new Map<string, unknown>([
        ...changed.map(entry => [idOf(entry), entry] as const),
        ...gone.map(id => [id, undefined] as const),
      ]);
    },
    apply: (id, value) => take(id, value as T | undefined), // as it was written
    undo: id => take(id, undefined),
  };
}
