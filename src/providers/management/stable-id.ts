import { isUuid, stableId } from '../../protocol/random.ts';

/** UUIDs of names, for providers that have UUIDs where the sandbox has names. */
export interface StableIds {
  /** The name itself if it is a UUID. */
  idOf(kind: string, name: string): string;
  /** The name with that UUID. The name itself is accepted in place of its UUID. */
  nameOf(kind: string, id: string, known: { has(name: string): boolean; keys(): Iterable<string> }): string | undefined;
}

/** Most UUIDs that are remembered: users and clients come and go. */
const mostMade = 10_000;

/**
 * `space` makes the UUIDs of two issuers differ. Each UUID is computed once. `chosen` has UUIDs that callers chose, by the
 * kind, a space and the name.
 */
export function createStableIds(space: string, chosen: ReadonlyMap<string, string> = new Map()): StableIds {
  const made = new Map<string, string>();
  function idOf(kind: string, name: string): string {
    const key = `${kind} ${name}`;
    if (isUuid(name)) return chosen.get(key) ?? name;
    const id = chosen.get(key) ?? made.get(key) ?? stableId(space, kind, name);
    if (made.size >= mostMade) made.clear(); // they are computed again
    made.set(key, id);
    return id;
  }
  return {
    idOf,
    nameOf(kind, id, known) {
      if (known.has(id)) return id;
      if (!isUuid(id)) return undefined;
      for (const name of known.keys()) if (idOf(kind, name) === id) return name;
      return undefined;
    },
  };
}
