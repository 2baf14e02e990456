import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Engine } from './engine.ts';
import { script } from './script.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** The turn of one piece of work. */
interface Lease {
  /** Different for each turn. A script that writes compares it, so that work whose turn was lost writes nothing. */
  readonly token: string;
  /** A timer that began within a turn goes on after it. */
  isOver: boolean;
  work?: Promise<unknown>;
}

/** Milliseconds after which the turn of a replica that died is over. */
const lasts = 10_000;
/** Milliseconds between two extensions. */
const extendsEach = lasts / 4;
/** Milliseconds that work waits for its turn: longer than the turn of a replica that died. */
const usualPatience = lasts + 2_000;

/** A full engine gives turns, too, so that a reset can make room: the first write of the script removes. */
const begin = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);
const extend = script(
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end",
);
const release = script("if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end");

/**
 * Gives turns to pieces of work of all replicas, one at a time. The work of this process waits in it, one piece at a time waits in
 * the engine.
 * @param patience milliseconds that a piece waits there
 */
export function createLease(engine: Engine, name: string, patience = usualPatience) {
  const key = engine.key('state', name);
  const held = new AsyncLocalStorage<Lease>();
  let last: Promise<unknown> = Promise.resolve();

  async function take(): Promise<Lease> {
    const lease: Lease = { token: randomUUID(), isOver: false };
    const until = performance.now() + patience;
    while ((await engine.run(begin, [key], [lease.token, lasts])) !== 1) {
      if (performance.now() > until)
        throw new StoreUnavailable('other changes took too long for this one to get its turn');
      await new Promise(resolve => setTimeout(resolve, 2 + Math.random() * 6));
    }
    return lease;
  }
  async function inTurn<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await take();
    const timer = setInterval(() => void engine.run(extend, [key], [lease.token, lasts]).catch(() => {}), extendsEach);
    try {
      const begun = held.run(lease, () => work(lease));
      lease.work = begun;
      return await begun;
    } finally {
      lease.isOver = true;
      clearInterval(timer);
      await engine.run(release, [key], [lease.token]).catch(() => {}); // it ends by itself
    }
  }
  return {
    key,
    /**
     * Runs the work when its turn comes. Work inside of it belongs to the same turn.
     * @throws StoreUnavailable if the turn does not come
     */
    hold<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
      const lease = held.getStore();
      if (lease?.isOver === false) return work(lease);
      const turn = last.then(() => inTurn(work));
      last = turn.catch(() => {});
      return turn;
    },
    /** Resolves when the turn of the caller is over, and rejects as its work does; at once outside of a turn. */
    async over(): Promise<void> {
      const lease = held.getStore();
      if (lease?.isOver === false) await lease.work;
    },
  };
}
