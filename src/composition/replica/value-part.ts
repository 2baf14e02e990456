import type { SharedPart } from '../../replicas/shared-part.ts';

/**
 * A list or record that is told as one value, such as the hands of a clock. Its members are never changed in place, so a
 * look at each tells whether anything is new: that is asked at every request.
 */
export function valuePart<T extends object>(name: string, read: () => T, write: (value: T) => void): SharedPart {
  let seen: readonly unknown[] = Object.values(read());
  let before = JSON.stringify(read());
  let told = before;
  const isSame = (now: readonly unknown[]) => now.length === seen.length && now.every((each, at) => each === seen[at]);
  function take(json: string): void {
    write(JSON.parse(json));
    told = json;
    seen = Object.values(read());
  }
  return {
    name,
    changes() {
      const now = Object.values(read());
      if (isSame(now)) return none;
      seen = now;
      before = told;
      told = JSON.stringify(read());
      return new Map([['', JSON.parse(told)]]);
    },
    apply(_id, value) {
      if (value !== undefined) take(JSON.stringify(value));
    },
    undo: () => take(before),
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
  let last: T | undefined;
  async function take(value: T | undefined): Promise<void> {
    if (value !== undefined) await write(value);
    last = value;
    seen = revision();
  }
  async function changed(): Promise<ReadonlyMap<string, unknown>> {
    const value = await read();
    return new Map([['', value]]);
  }
  return {
    name,
    changes() {
      if (revision() === seen) return none;
      seen = revision();
      return changed();
    },
    apply: (_id, value) => take(value as T | undefined),
    undo: () => take(last),
  };
}

const none: ReadonlyMap<string, unknown> = new Map();
