import { noChanges, type SharedPart } from '../shared-part.ts';

/** How a map is read and changed when another replica changed an entry. */
export interface MapPartOptions<T> {
  readonly name: string;
  readonly map: ReadonlyMap<string, T>;
  readonly put: (id: string, value: T) => void | Promise<void>;
  readonly remove: (id: string) => void;
}

/** The methods of a map that change it. */
type Changing<T> = Pick<Map<string, T>, 'set' | 'delete' | 'clear'>;

/**
 * The entries of a map. The part watches the methods of the map: much code changes clients, users and scopes, and a change
 * that the code had to announce would be forgotten somewhere.
 */
export function mapPart<T>({ name, map, put, remove }: MapPartOptions<T>): SharedPart {
  const watched = map as Map<string, T>; // the directories are maps that only their own methods change
  let changed = new Set<string>();
  /** The configured entries: one that was added has nothing to go back to. */
  const first: ReadonlyMap<string, T> = new Map(map);
  const taking = new Set<string>();

  const { set, delete: drop, clear }: Changing<T> = watched;
  const note = (id: string) => {
    if (!taking.has(id)) changed.add(id);
  };
  watched.set = (id, value) => {
    note(id);
    return set.call(watched, id, value);
  };
  watched.delete = id => {
    note(id);
    return drop.call(watched, id);
  };
  watched.clear = () => {
    for (const id of watched.keys()) note(id);
    clear.call(watched);
  };
  async function take(id: string, value: T | undefined): Promise<void> {
    taking.add(id);
    try {
      if (value === undefined) remove(id);
      else await put(id, value);
    } finally {
      taking.delete(id);
    }
  }
  return {
    name,
    changes() {
      if (changed.size === 0) return noChanges;
      const ids = [...changed];
      changed = new Set();
      return new Map(ids.map(id => [id, watched.get(id)]));
    },
    apply: (id, value) => take(id, value as T | undefined), // as it was written
    undo: id => take(id, first.get(id)),
  };
}
