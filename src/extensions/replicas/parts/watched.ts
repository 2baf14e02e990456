import type { RequestLog } from '../../../server/http/log/request-log.ts';
import type { Readiness, ReadyCheck } from '../../../server/http/readiness.ts';
import type { Engine } from '../engine.ts';
import type { SharedState } from '../shared-state.ts';
import { StoreUnavailable } from '../store-unavailable.ts';

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
    if (isNew && found !== undefined) log.fault({ err: found }, found.description);
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
