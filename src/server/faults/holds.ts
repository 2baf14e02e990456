/** Makes the register of held requests. */
export function createHolds() {
  const waiting = new Map<string, Set<() => void>>();

  function release(id: string): void {
    for (const go of waiting.get(id) ?? []) go();
    waiting.delete(id);
  }
  return {
    release,
    /** Waits until the request is released or the client is gone. */
    async hold(id = '', gone: Promise<unknown>): Promise<void> {
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
    /** Returns the number of requests that a fault holds. */
    of(id: string): { readonly holds?: number } {
      const count = waiting.get(id)?.size ?? 0;
      return count === 0 ? {} : { holds: count };
    },
    releaseAll(): void {
      for (const id of [...waiting.keys()]) release(id);
    },
  };
}
