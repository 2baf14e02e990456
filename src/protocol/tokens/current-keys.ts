import type { Emit } from '../../base/events/event.ts';
import type { SigningKey } from './signing-key.ts';

export type CurrentKeys = ReturnType<typeof createCurrentKeys>;

/**
 * The key of each algorithm, in the order in which they were begun.
 * @param add publishes a further key, until then
 */
export function createCurrentKeys(
  add: (key: Promise<SigningKey>, publishedUntil: number) => void,
  emit: Emit | undefined,
) {
  const keys = new Map<string, Promise<SigningKey>>();
  const unused = new Set<string>();
  let changes = 0;

  function begin(alg: string, key: Promise<SigningKey>, name = alg): Promise<SigningKey> {
    changes++;
    if (keys.has(name)) add(key, Number.POSITIVE_INFINITY);
    else keys.set(name, key);
    key.then(({ kid }) => emit?.({ type: 'key.created', kid, alg })).catch(() => {}); // a caller that asks for the key gets the error
    return key;
  }
  return {
    keys,
    /** Algorithms whose key nobody has asked for yet. */
    unused,
    begin,
    changes: () => changes,
    algs: () => [...keys.keys()].filter(name => !name.includes(' ') && !unused.has(name)),
    /** Publishes the key of an algorithm that has none. */
    publish(alg: string, key: Promise<SigningKey>): void {
      if (keys.has(alg)) return;
      unused.add(alg);
      begin(alg, key);
    },
    /** Somebody asks for the key. */
    use(alg: string): void {
      if (unused.delete(alg)) changes++;
    },
    /** Has a new key sign, and a further one the access tokens, if they have one of their own. */
    replace(alg: string, key: SigningKey, publishedUntil: number, make: (alg: string) => Promise<SigningKey>): void {
      for (const name of [alg, ofAccess(alg)].filter(each => keys.has(each))) {
        add(keys.get(name) ?? make(alg), publishedUntil);
        keys.set(name, name === alg ? Promise.resolve(key) : make(alg));
      }
      changes++;
    },
  };
}

/** The name of the key of access tokens among those that sign. */
export function ofAccess(alg: string): string {
  return `${alg} access`;
}
