/** Work in pieces, each short: at every `yield` others may have their turn. */
export type Pieces<T> = Generator<void, T, void>;

/** Where work in pieces gets its turns from. */
export interface Turns {
  /** Resolves in a later turn of the event loop. */
  giveWay(): Promise<void>;
  /** Milliseconds that only go forward. */
  now(): number;
  /** Ends the work at its next piece; what waits for it is told by an error. */
  readonly signal?: AbortSignal;
}

/** Milliseconds of one turn that work in pieces may take: nobody who asks meanwhile notices them. */
const longestTurn = 10;

/**
 * Does work over as many turns of the event loop as it needs, so that everything else is answered meanwhile.
 * @throws whatever the work throws; the reason of `signal` once that is aborted
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
    work.return(undefined as never); // runs what the work has to clean up; its value is for nobody
  }
}

/** The same for items that are waited for one by one, as pages that are rendered are; each result is there for itself. */
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

/** All of it in one turn, for a process that answers nobody meanwhile. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
}

let last: Promise<void> = Promise.resolve();

/** Of several works at the same time, one goes on in each turn: they share the one event loop of the process. */
const eventLoop: Turns = {
  giveWay() {
    last = last.then(() => new Promise(resolve => void setImmediate(resolve)));
    return last;
  },
  now: () => performance.now(),
};

/** The turns of this process, for as long as `signal` lets them go on. */
export function turnsUntil(signal: AbortSignal): Turns {
  return { ...eventLoop, signal };
}
