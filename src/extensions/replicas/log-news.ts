import type { SandboxEvent } from '../../base/events/event.ts';
import { pairs } from './script.ts';
import { jsonAt } from './store-unavailable.ts';

/** The answer of `readScript`. */
export interface LogNews {
  readonly start: string;
  readonly last: number;
  readonly gone: number;
  readonly cleared: number;
  /** Absent where there is nothing new. */
  readonly counts?: ReadonlyMap<string, number>;
  readonly types: readonly { readonly type: string; readonly events: readonly SandboxEvent[] }[];
  /** The real times of events, where they differ from those of the events. */
  readonly walls: readonly (readonly [SandboxEvent, number])[];
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

/** Reads the answer of `readScript` about the log at this key. */
export function newsIn(log: string, answer: unknown): LogNews {
  const [start, last, gone, cleared, counts, types = []] = answer as Answer; // our own script made it
  const walls: [SandboxEvent, number][] = [];
  function read([id, [, json = '', , wall]]: StreamEntry): SandboxEvent {
    const event = jsonAt(`${log}:events`, json) as { id: number } & SandboxEvent; // appended by this program
    event.id = Number.parseInt(id, 10); // only the engine knew it
    if (wall !== undefined) walls.push([event, Number(wall)]);
    return event;
  }
  return {
    ...{ start, last, gone, cleared, walls },
    ...(counts === undefined ? {} : { counts: new Map(pairs(counts).map(([type, count]) => [type, Number(count)])) }),
    types: pairs(types).map(([type, entries]) => ({
      type: type as string,
      events: (entries as readonly StreamEntry[]).map(read),
    })),
  };
}
