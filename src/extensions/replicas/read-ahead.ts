import type { SandboxEvent } from '../../base/events/event.ts';
import type { LogNews } from './log-news.ts';

/**
 * Events that were read before older ones of another type, because an answer has only so many of each type.
 * @param mostInAnswer of each type: there may be more of a type that has as many
 */
export function createReadAhead(mostInAnswer: number) {
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
