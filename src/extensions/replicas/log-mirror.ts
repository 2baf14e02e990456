import type { EventType, SandboxEvent } from '../../base/events/event.ts';
import { createEventMemory, type MemoryBounds } from '../../base/events/event-memory.ts';
import type { Engine } from './engine.ts';
import { type LogNews, newsIn } from './log-news.ts';
import { readScript } from './log-scripts.ts';
import type { LogEnd } from './log-sender.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createReadAhead } from './read-ahead.ts';

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
