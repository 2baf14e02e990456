import { createEventLog } from '../../base/events/event-log.ts';
import { createMemoryStore } from '../../base/store.ts';
import { inTurnHere } from '../control/replica-turn.ts';
import type { IssuerState, StateOptions } from '../replica.ts';

/** Makes the state of an issuer in this process. */
export function stateHere(_issuer: string, { config, moved, now, clock, earlier }: StateOptions): IssuerState {
  const history = { capacity: config.historySize, bytes: config.historyBytes };
  return {
    events: createEventLog({ ...history, now: moved.issuer, wall: now }),
    store: createMemoryStore({ clock, maxEntriesPerKind: config.storeSize }),
    usedJwts: createMemoryStore({ clock: earlier }),
    inTurn: inTurnHere,
  };
}
