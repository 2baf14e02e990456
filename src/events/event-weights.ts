import type { EventType, SandboxEvent } from './event.ts';
import { weightOf } from './exchange.ts';

/** What the kept events weigh, in bytes, roughly. */
export interface EventWeights {
  add(event: SandboxEvent): void;
  remove(event: SandboxEvent): void;
  /** Of all types together. */
  readonly total: number;
  heaviest(): EventType | undefined;
}

export function createEventWeights(): EventWeights {
  const ofType = new Map<EventType, number>();
  let total = 0;

  function change(type: EventType, by: number): void {
    total += by;
    ofType.set(type, (ofType.get(type) ?? 0) + by);
  }

  return {
    add: event => change(event.type, weightOfEvent(event)),
    remove: event => change(event.type, -weightOfEvent(event)),
    get total() {
      return total;
    },
    heaviest() {
      let most: [EventType, number] | undefined;
      for (const each of ofType) if (most === undefined || each[1] > most[1]) most = each;
      return most?.[0];
    },
  };
}

/** Of an event besides what it quotes. */
const eventBytes = 400;
/** Of what changed in an entry of the configuration. */
const entryBytes = 500;
/** Of the claims that an opaque token stands for. */
const claimBytes = 800;

function weightOfEvent(event: SandboxEvent): number {
  if (event.type === 'request.completed') {
    return eventBytes + weightOf(event.exchange);
  }
  if (event.type === 'configuration.reloaded') return eventBytes + entryBytes * event.entries.length;
  if ('claims' in event) return eventBytes + claimBytes;
  return 'token' in event ? eventBytes + event.token.length : eventBytes;
}
