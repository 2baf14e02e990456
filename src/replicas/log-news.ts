import type { SandboxEvent } from '../events/event.ts';

/** The answer of `readScript`. */
export interface LogNews {
  readonly start: string;
  readonly last: number;
  readonly gone: number;
  readonly cleared: number;
  /** Absent where there is nothing new. */
  readonly counts?: ReadonlyMap<string, number>;
  readonly types: readonly { readonly type: string; readonly entries: readonly LogNewsEntry[] }[];
}

export interface LogNewsEntry {
  readonly event: SandboxEvent;
  /** The real time, where it is not that of the event. */
  readonly wall?: number;
}

/** An answer of the engine, as RESP 2 has it. */
type Answer = readonly [
  start: string,
  last: number,
  gone: number,
  cleared: number,
  counts?: readonly string[],
  types?: readonly (string | readonly StreamEntry[])[],
];

/** An entry of a stream: its id, and names and values in turn. */
type StreamEntry = readonly [id: string, members: readonly string[]];

/** Reads the answer of `readScript`. */
export function newsIn(answer: unknown): LogNews {
  const [start, last, gone, cleared, counts, types = []] = answer as Answer; // our own script made it
  return {
    ...{ start, last, gone, cleared },
    ...(counts === undefined ? {} : { counts: new Map(pairs(counts).map(([type, count]) => [type, Number(count)])) }),
    types: pairs(types as readonly never[]).map(([type, entries]) => ({
      type,
      entries: (entries as readonly StreamEntry[]).map(readEntry),
    })),
  };
}

/** The engine gives the id, so that it is not in the JSON. */
function readEntry([id, [, json = '', , wall]]: StreamEntry): LogNewsEntry {
  const event = JSON.parse(json) as { id: number } & SandboxEvent; // appended by this program
  event.id = Number.parseInt(id, 10);
  return { event, ...(wall === undefined ? {} : { wall: Number(wall) }) };
}

function pairs<T>(flat: readonly T[]): (readonly [T, T])[] {
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] as T, flat[2 * n + 1] as T]);
}
