import { noChanges, type SharedPart } from '../shared-part.ts';

/**
 * A list or record that is told as one value, such as the hands of a clock. Its members are never changed in place, so a
 * look at each tells whether anything is new: that is asked at every request.
 */
export function valuePart<T extends object>(name: string, read: () => T, write: (value: T) => void): SharedPart {
  let seen: readonly unknown[] = Object.values(read());
  const first = JSON.stringify(read());
  const isSame = (now: readonly unknown[]) => now.length === seen.length && now.every((each, at) => each === seen[at]);
  function take(json: string): void {
    write(JSON.parse(json));
    seen = Object.values(read());
  }
  return {
    name,
    changes() {
      const now = Object.values(read());
      if (isSame(now)) return noChanges;
      seen = now;
      return new Map([['', read()]]);
    },
    apply(_id, value) {
      if (value !== undefined) take(JSON.stringify(value));
    },
    undo: () => take(first),
  };
}

/** A value that takes time to read; `revision` tells at once whether it has changed. */
export function slowPart<T>(
  name: string,
  revision: () => string,
  read: () => Promise<T>,
  write: (value: T) => Promise<void>,
): SharedPart {
  let seen = revision();
  const first = read();
  first.catch(() => {}); // a caller that asks for the value gets the error
  async function take(value: T): Promise<void> {
    await write(value);
    seen = revision();
  }
  async function changed(): Promise<ReadonlyMap<string, unknown>> {
    const value = await read();
    return new Map([['', value]]);
  }
  return {
    name,
    changes() {
      if (revision() === seen) return noChanges;
      seen = revision();
      return changed();
    },
    async apply(_id, value) {
      if (value !== undefined) await take(value as T); // as it was written
    },
    undo: async () => take(await first),
  };
}
