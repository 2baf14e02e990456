import { AsyncLocalStorage } from 'node:async_hooks';
import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import type { Readiness, ReadyCheck } from '../../server/http/readiness.ts';
import type { Engine } from './engine.ts';
import type { SharedPart } from './shared-part.ts';
import type { SharedState } from './shared-state.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** The parts of a replica that it checks each second, whether requests come or not. */
export interface WatchedParts {
  readonly engine: Engine;
  readonly state: SharedState;
  readonly log: RequestLog;
  readonly readiness: Readiness;
  /** Each throws StoreUnavailable if the engine has something that no replica of this sandbox wrote. */
  readonly checks: readonly (() => Promise<void>)[];
}

/** Milliseconds between two looks at what the others have told. */
const lookEach = 1_000;

/**
 * Takes over what the others tell, and looks whether the engine can be used: `/ready` says DOWN while it is away or holds what no
 * replica wrote. Returns how to stop.
 */
export function watchEngine({ engine, state, log, readiness, checks }: WatchedParts): () => void {
  let wrong: StoreUnavailable | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const found = await firstFailure([state.refresh, state.look, ...checks]);
    if (found === undefined) await state.publish().catch(() => {}); // told again with the next look
    tell(found);
    isLooking = false;
  }
  function tell(found: StoreUnavailable | undefined): void {
    const isNew = found?.description !== wrong?.description && engine.state === 'UP'; // the engine tells its own absence
    if (isNew && found !== undefined) log.failure({ err: found }, found.description);
    if (isNew && found === undefined) log.warn({}, 'the shared store can be used again');
    wrong = found;
  }
  readiness.add(() => stateOf(engine, wrong));
  const timer = setInterval(() => void look(), lookEach).unref();
  return () => clearInterval(timer);

  /** Returns the first failure of the engine. Any other error is a bug of ours: it is logged, and the next check runs. */
  async function firstFailure(all: readonly (() => Promise<void>)[]): Promise<StoreUnavailable | undefined> {
    for (const check of all) {
      try {
        await check();
      } catch (error) {
        if (error instanceof StoreUnavailable) return error;
        log.error(error, 'sandbox');
      }
    }
    return undefined;
  }
}

/** A full engine is still read, and a reset makes room in it. */
function stateOf({ state, refusal }: Engine, wrong: StoreUnavailable | undefined): ReadyCheck {
  if (wrong !== undefined) return { name: 'store', state: 'DOWN', detail: wrong.description };
  if (state === 'UP' && refusal !== undefined)
    return { name: 'store', state, detail: `it takes no writes: ${refusal}` };
  return { name: 'store', state };
}

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
