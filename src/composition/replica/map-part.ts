import type { SharedPart } from '../../replicas/shared-part.ts';

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
 * The entries of a map. Its methods are watched, so that a change need not be announced: because much code changes
 * clients, users and scopes, and a change that nobody tells the others would be lost on them.
 */
export function mapPart<T>({ name, map, put, remove }: MapPartOptions<T>): SharedPart {
  const watched = map as Map<string, T>; // the directories are maps that only their own methods change
  let before = new Map<string, T | undefined>();
  let told = before;
  const taking = new Set<string>();

  const { set, delete: drop, clear }: Changing<T> = watched;
  const note = (id: string) => {
    if (!taking.has(id) && !before.has(id)) before.set(id, watched.get(id));
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
    if (value === undefined) remove(id);
    else await put(id, value);
    taking.delete(id);
  }
  return {
    name,
    changes() {
      if (before.size === 0) return none;
      told = before;
      before = new Map();
      return new Map([...told.keys()].map(id => [id, watched.get(id)]));
    },
    apply: (id, value) => take(id, value as T | undefined),
    undo: id => take(id, told.get(id)),
  };
}

const none: ReadonlyMap<string, unknown> = new Map();
