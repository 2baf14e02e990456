import { AsyncLocalStorage } from 'node:async_hooks';
import type { SandboxEvent } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { Engine } from '../engine.ts';
import type { SharedPart } from '../shared-part.ts';

/** Keeps the replicas from telling one thing each. */
export interface Quiet {
  /** The part, whose changes by another replica are told by that one. */
  applied(part: SharedPart): SharedPart;
  /** True while a change of another replica is taken over. */
  isTakingOver(): boolean;
  /** The log of an issuer, without what another replica tells. */
  log(events: EventLog, owner: string): EventLog;
}

/** Seconds for which the first teller of a fact is remembered: longer than replicas take to start one after the other. */
const remembered = 7 * 24 * 3600;

/** Makes the rule of one process. */
export function createQuiet(engine: Engine): Quiet {
  const applying = new AsyncLocalStorage<true>();

  /** A key that is derived from the shared secret is made by each replica, and told by the first. */
  async function isFirst(owner: string, kid: string): Promise<boolean> {
    return (await engine.send('SET', engine.key('told', owner, kid), '1', 'NX', 'EX', remembered)) === 'OK';
  }
  return {
    applied: part => ({ ...part, apply: (id, value) => applying.run(true, () => part.apply(id, value)) }),
    isTakingOver: () => applying.getStore() === true,
    log(events, owner) {
      const { append } = events;
      const unheard = (fact: object, requestId: string) =>
        ({ id: 0, at: events.wall(), requestId, ...fact }) as SandboxEvent;
      return Object.assign(events, {
        append(...[fact, requestId]: Parameters<EventLog['append']>) {
          if (applying.getStore()) return unheard(fact, requestId);
          if (fact.type !== 'key.created') return append(fact, requestId);
          isFirst(owner, fact.kid).then(
            first => first && append(fact, requestId),
            () => {}, // an event fewer, while the engine is away
          );
          return unheard(fact, requestId);
        },
      });
    },
  };
}
