import type { SharedPart } from '../../replicas/shared-part.ts';

/** Entries that are listed, where a change is found by comparing the list with the one before. */
export interface ComparedPartOptions<T> {
  readonly name: string;
  /** The entries as they are now; a list that is often empty costs nothing. */
  readonly list: () => readonly T[];
  readonly idOf: (entry: T) => string;
  /** Takes over an entry of another replica; undefined for one that is gone. */
  readonly put: (id: string, entry: T | undefined) => void | Promise<void>;
}

/** A part of few entries, which its owner lists. */
export function comparedPart<T>({ name, list, idOf, put }: ComparedPartOptions<T>): SharedPart {
  let seen: ReadonlyMap<string, string> = new Map();
  let told = seen;
  const now = () => new Map(list().map(entry => [idOf(entry), JSON.stringify(entry)]));

  async function take(id: string, entry: T | undefined): Promise<void> {
    await put(id, entry);
    seen = now();
  }
  return {
    name,
    changes() {
      if (seen.size === 0 && list().length === 0) return none;
      told = seen;
      seen = now();
      const changed = [...seen].filter(([id, json]) => told.get(id) !== json);
      const gone = [...told.keys()].filter(id => !seen.has(id));
      return new Map<string, unknown>([
        ...changed.map(([id, json]) => [id, JSON.parse(json)] as const),
        ...gone.map(id => [id, undefined] as const),
      ]);
    },
    apply: (id, value) => take(id, value as T | undefined), // as it was written
    undo(id) {
      const json = told.get(id);
      return take(id, json === undefined ? undefined : JSON.parse(json));
    },
  };
}

const none: ReadonlyMap<string, unknown> = new Map();
