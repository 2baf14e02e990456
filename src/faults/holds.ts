/** Requests that wait for somebody to let them go. */
export interface Holds {
  /** Until it is released, or the client is gone. */
  hold(id: string | undefined, gone: Promise<unknown>): Promise<void>;
  /** How many wait for this one. */
  of(id: string): { readonly holds?: number };
  release(id: string): void;
  releaseAll(): void;
}

export function createHolds(): Holds {
  const waiting = new Map<string, Set<() => void>>();

  function release(id: string): void {
    for (const go of waiting.get(id) ?? []) go();
    waiting.delete(id);
  }
  return {
    release,
    async hold(id = '', gone) {
      const its = waiting.get(id) ?? new Set();
      waiting.set(id, its);
      await new Promise<void>(resolve => {
        its.add(resolve);
        gone.then(() => {
          its.delete(resolve);
          resolve();
        });
      });
    },
    of(id) {
      const count = waiting.get(id)?.size ?? 0;
      return count === 0 ? {} : { holds: count };
    },
    releaseAll() {
      for (const id of [...waiting.keys()]) release(id);
    },
  };
}
