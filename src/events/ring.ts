/** A list that keeps the newest `capacity` items; adding never copies. */
export interface Ring<T> {
  /** Adds an item and returns the one that had to go, if any. */
  push(item: T): T | undefined;
  /** Newest first. */
  newestFirst(): Generator<T>;
  readonly size: number;
}

export function createRing<T>(capacity: number): Ring<T> {
  const items: T[] = [];
  let next = 0;
  return {
    push(item) {
      const gone = items[next];
      items[next] = item;
      next = (next + 1) % capacity;
      return gone;
    },
    *newestFirst() {
      for (let back = 1; back <= items.length; back++) {
        const item = items[(next - back + capacity) % capacity];
        if (item !== undefined) yield item;
      }
    },
    get size() {
      return items.length;
    },
  };
}
