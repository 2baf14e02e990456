import type { EventType, SandboxEvent } from '../../base/events/event.ts';
import { createEventMemory, type MemoryBounds } from '../../base/events/event-memory.ts';
import type { Engine } from './engine.ts';
import { readScript } from './log-scripts.ts';
import type { LogEnd } from './log-sender.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { pairs } from './script.ts';
import { jsonAt } from './store-unavailable.ts';

/** The events that this process has read of a log that replicas share. */
export type LogMirror = ReturnType<typeof createLogMirror>;

const nothing = { last: 0, gone: 0, cleared: 0 };
/** Most events of a type in one answer of the engine. */
const mostInAnswer = 200;
/** Most events that one turn of the event loop takes over. */
const mostInTurn = 200;

/** @param tell called with each event once it is in the memory */
export function createLogMirror(
  engine: Engine,
  key: string,
  bounds: MemoryBounds,
  tell: (event: SandboxEvent) => void,
) {
  let memory = createEventMemory(bounds);
  let lastId = 0;
  let known: Pick<LogNews, 'start' | 'last' | 'gone' | 'cleared'> = { ...nothing, start: crypto.randomUUID() };
  let counts: ReadonlyMap<string, number> = new Map();
  const walls = new WeakMap<SandboxEvent, number>();
  const ahead = createReadAhead(mostInAnswer);

  function receive(news: LogNews): void {
    if (news.cleared !== known.cleared) {
      memory = createEventMemory(bounds, news.cleared);
      counts = new Map();
      ahead.clear();
    }
    known = { start: news.start, last: news.last, gone: news.gone, cleared: news.cleared };
    for (const [event, wall] of news.walls) walls.set(event, wall);
  }

  function take(event: SandboxEvent): void {
    memory.add(event);
    lastId = event.id;
    tell(event);
  }

  /** An event that is appended meanwhile is left to the next reading. */
  async function readAll(): Promise<void> {
    let wanted = Number.POSITIVE_INFINITY;
    while (lastId < wanted) {
      const args = [known.start, known.last, lastId, known.cleared, mostInAnswer, ...ahead.read()];
      const news = newsIn(key, await engine.run(readScript, [key], args));
      receive(news);
      const complete = ahead.add(news);
      await inTurns(ahead.upTo(complete), take);
      lastId = complete;
      if (complete === news.last) counts = news.counts ?? counts;
      wanted = Math.min(wanted, news.last);
    }
  }

  return {
    /** The newest event that has been read. */
    lastId: () => lastId,
    newestForgotten: () => Math.max(known.gone, memory.newestGone()),
    /** The start, which is a proposal until the engine has answered, and the newest id that this process knows of. */
    known: (): LogEnd => [known.start, known.last],
    /** Takes over what the engine says besides. */
    learn([start, last]: LogEnd): void {
      known = { ...known, start, last: Math.max(last, known.last) };
    },
    memory: () => memory,
    count: (type: EventType) => counts.get(type) ?? 0,
    /** The real time of an event, where it differs from that of the event. */
    wallOf: (event: SandboxEvent) => walls.get(event),
    /** Reads everything that the engine has at the time of the call. */
    read: oneAtATime(readAll),
  };
}

async function inTurns(events: readonly SandboxEvent[], take: (event: SandboxEvent) => void): Promise<void> {
  for (const [index, event] of events.entries()) {
    if (index % mostInTurn === mostInTurn - 1) await new Promise(resolve => void setImmediate(resolve));
    take(event);
  }
}

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
function newsIn(log: string, answer: unknown): LogNews {
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

/**
 * Events that were read before older ones of another type, because an answer has only so many of each type.
 * @param mostInAnswer of each type: there may be more of a type that has as many
 */
function createReadAhead(mostInAnswer: number) {
  let events: SandboxEvent[] = [];
  const read = new Map<string, number>();
  return {
    /** Takes the events of an answer. Returns the id up to which those of all types have been read. */
    add({ last, types }: LogNews): number {
      let complete = last;
      for (const { type, events: found } of types) {
        events.push(...found);
        const newest = found.at(-1)?.id ?? 0;
        read.set(type, newest);
        if (found.length >= mostInAnswer) complete = Math.min(complete, newest);
      }
      return complete;
    },
    /** Gives the events up to an id, oldest first. */
    upTo(id: number): readonly SandboxEvent[] {
      for (const [type, newest] of read) if (newest <= id) read.delete(type);
      const ready = events.filter(event => event.id <= id).sort((a, b) => a.id - b.id);
      events = events.filter(event => event.id > id);
      return ready;
    },
    /** Types, each with the id up to which it has been read. */
    read: () => [...read].flat(),
    clear() {
      events = [];
      read.clear();
    },
  };
}
