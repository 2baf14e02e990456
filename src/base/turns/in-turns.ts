/** Work in short pieces: at every `yield` other work can run. */
export type Pieces<T> = Generator<void, T, void>;

/** The scheduler of work in pieces. */
export interface Turns {
  /** Resolves in a later turn of the event loop. */
  giveWay(): Promise<void>;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** Ends the work at its next piece; its promise rejects. */
  readonly signal?: AbortSignal;
}

/** Milliseconds that work in pieces may take of one turn, short enough that other requests are not delayed. */
const longestTurn = 10;

/**
 * Spreads work over turns of the event loop, so that other requests are answered meanwhile.
 * @throws the error of the work, or the reason of `signal` once it aborts
 */
export async function inTurns<T>(work: Pieces<T>, turns: Turns = eventLoop): Promise<T> {
  try {
    for (;;) {
      await turns.giveWay();
      const until = turns.now() + longestTurn;
      do {
        turns.signal?.throwIfAborted();
        const piece = work.next();
        if (piece.done === true) return piece.value;
      } while (turns.now() < until);
    }
  } finally {
    work.return(undefined as never); // runs the cleanup of the work; its value is ignored
  }
}

/** Yields each result as soon as it is ready; for items that are awaited one by one, such as rendered pages. */
export async function* eachInTurns<T, U>(
  items: Iterable<T>,
  work: (item: T) => Promise<U>,
  turns: Turns = eventLoop,
): AsyncGenerator<U, void, void> {
  let until = turns.now();
  for (const item of items) {
    if (turns.now() >= until) {
      await turns.giveWay();
      until = turns.now() + longestTurn;
    }
    turns.signal?.throwIfAborted();
    yield await work(item);
  }
}

/** Does all of the work in one turn, for a process without requests. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
}

let last: Promise<void> = Promise.resolve();

/** Several works share the event loop: only one continues in each turn. */
const eventLoop: Turns = {
  giveWay() {
    last = last.then(() => new Promise(resolve => void setImmediate(resolve)));
    return last;
  },
  now: () => performance.now(),
};

/** The turns of this process, until `signal` aborts. */
export function turnsUntil(signal: AbortSignal): Turns {
  return { ...eventLoop, signal };
}
