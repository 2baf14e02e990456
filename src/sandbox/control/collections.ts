import type { CollectionConfig } from '../config/config.ts';

/** The collections of the sample backend as they are now. */
export interface Collections {
  /** The same list for as long as the issuer lives; what is in it changes. */
  readonly all: readonly CollectionConfig[];
  get(name: string): CollectionConfig | undefined;
  keys(): Iterable<string>;
  /** Puts it in the place of the one of its name, or behind the others. */
  put(collection: CollectionConfig): void;
  /** False where the name is unknown. */
  delete(name: string): boolean;
  /** These, and no others. */
  replaceAll(collections: readonly CollectionConfig[]): void;
}

/** `changed` is called after every change, to rebuild the sample backend. */
export function createCollections(configured: readonly CollectionConfig[], changed: () => void): Collections {
  const all = [...configured];
  const placeOf = (name: string) => all.findIndex(each => each.name === name);
  return {
    all,
    get: name => all[placeOf(name)],
    keys: () => all.map(({ name }) => name),
    put(collection) {
      const place = placeOf(collection.name);
      all.splice(place < 0 ? all.length : place, place < 0 ? 0 : 1, collection);
      changed();
    },
    delete(name) {
      const place = placeOf(name);
      if (place < 0) return false;
      all.splice(place, 1);
      changed();
      return true;
    },
    replaceAll(collections) {
      all.splice(0, all.length, ...collections);
      changed();
    },
  };
}
