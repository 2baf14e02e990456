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

/** The results of `make` for each item, in order; each item is a piece of work. */
export function* flatMapInPieces<T, U>(items: Iterable<T>, make: (item: T) => readonly U[]): Pieces<U[]> {
  const made: U[] = [];
  for (const item of items) {
    made.push(...make(item));
    yield;
  }
  return made;
}

/** Items by their key, in order, without those whose key is undefined; each item is a piece of work. */
export function* groupInPieces<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string | undefined,
): Pieces<ReadonlyMap<string, readonly T[]>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = key === undefined ? undefined : groups.get(key);
    if (group !== undefined) group.push(item);
    else if (key !== undefined) groups.set(key, [item]);
    yield;
  }
  return groups;
}

/** The first items, at most `most`, that pass a test; each item is a piece of work. */
export function* firstMatching<T>(
  items: Iterable<T>,
  matches: (item: T) => boolean,
  most = Number.POSITIVE_INFINITY,
): Pieces<T[]> {
  const found: T[] = [];
  for (const item of items) {
    if (found.length >= most) break;
    if (matches(item)) found.push(item);
    yield;
  }
  return found;
}

/** A text in short pieces; a piece may be empty. */
export type TextPieces = Generator<string, void, void>;

/** Approximate characters of a chunk, large enough that writing it costs little per character. */
const chunkLength = 64 * 1024;

/** The chunks of a text. Each is made on demand, over several turns of the event loop if needed. */
export async function* textInTurns(text: TextPieces, turns?: Turns): AsyncGenerator<string, void, void> {
  try {
    for (;;) {
      const chunk = await inTurns(nextChunk(text), turns);
      if (chunk !== '') yield chunk;
      if (chunk.length < chunkLength) return;
    }
  } finally {
    text.return();
  }
}

function* nextChunk(text: TextPieces): Pieces<string> {
  let chunk = '';
  while (chunk.length < chunkLength) {
    const piece = text.next();
    if (piece.done === true) break;
    chunk += piece.value;
    yield;
  }
  return chunk;
}

/** The whole text at once, for a process without requests. */
export function wholeText(text: TextPieces): string {
  return [...text].join('');
}

/** The whole text of pieces that are awaited. */
export async function wholeStream(text: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of text) whole += piece;
  return whole;
}
