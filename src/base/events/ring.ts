/** A list that keeps the newest `capacity` items; adding never copies. */
export interface Ring<T> {
  /** Adds an item and returns the one it displaced, if any. */
  push(item: T): T | undefined;
  /** Removes and returns the oldest item. */
  shift(): T | undefined;
  /** Newest first. */
  newestFirst(): Generator<T>;
  readonly size: number;
}

/** Creates a ring; `capacity` is its largest number of items. */
export function createRing<T>(capacity: number): Ring<T> {
  const items: (T | undefined)[] = [];
  let next = 0;
  let size = 0;
  return {
    push(item) {
      const gone = items[next];
      items[next] = item;
      next = (next + 1) % capacity;
      if (gone === undefined) size++;
      return gone;
    },
    shift() {
      const oldest = (next - size + capacity) % capacity;
      const gone = size === 0 ? undefined : items[oldest];
      if (gone === undefined) return undefined;
      items[oldest] = undefined;
      size--;
      return gone;
    },
    *newestFirst() {
      for (let back = 1; back <= size; back++) {
        const item = items[(next - back + capacity) % capacity];
        if (item !== undefined) yield item;
      }
    },
    get size() {
      return size;
    },
  };
}
