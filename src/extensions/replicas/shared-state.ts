import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Engine } from './engine.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { script } from './script.ts';
import { createPartsRegister, fieldOf } from './shared-part.ts';
import { createStateTable } from './state-table.ts';
import { StoreUnavailable } from './store-unavailable.ts';

export type SharedState = ReturnType<typeof createSharedState>;

/** The state that all replicas share beside the store and the log: one version, and the entries of each part. */
export function createSharedState(engine: Engine) {
  const register = createPartsRegister();
  const lease = createLease(engine, 'turn');
  const errand = createLease(engine, 'errand', 0);
  const table = createStateTable(engine, register, lease.key);
  const refresh = oneAtATime(table.pull);

  const publish = oneAfterTheOther(async (token: string, owner?: string) => {
    const entries = await register.changed(owner);
    try {
      await table.write(entries, token);
    } catch (error) {
      await register.undo(entries);
      throw error;
    }
    register.told(entries);
  });
  function exclusively<T>(work: () => Promise<T>): Promise<T> {
    return lease.hold(async ({ token }) => {
      await refresh();
      const done = await work();
      await publish(token);
      return done;
    });
  }
  /** Work of this process that makes room. */
  const makingRoom = new Set<Promise<unknown>>();
  async function makeRoom<T>(work: () => Promise<T>): Promise<T> {
    const turn = engine.makingRoom(() => exclusively(work));
    makingRoom.add(turn);
    return turn.finally(() => makingRoom.delete(turn));
  }
  return {
    /**
     * After it, this process has everything that any replica had told before the call.
     * @throws StoreUnavailable
     */
    refresh,
    /** Looks for entries that no replica can have written. */
    look: table.look,
    join: register.add,
    joinLater: register.addLater,
    /**
     * Tells the others what has changed here: in this issuer, or in all. Work in a turn tells that at its end, so an answer that it has
     * made waits for it, and others wait for a reset, which tells what it changes to a full engine, too.
     */
    async publish(owner?: string): Promise<void> {
      await Promise.all([lease.over(), Promise.allSettled(makingRoom)]);
      await publish('', owner);
    },
    /** Removes the parts of an issuer that ended; `forget` removes its entries from the engine, too. */
    async leave(owner: string, forget: boolean): Promise<void> {
      const fields = register.remove(owner);
      if (forget) await table.remove(fields);
    },
    /**
     * Runs `work` while no replica runs another one, from the newest state, and tells its changes. A full engine takes those of work
     * that makes room.
     * @throws StoreUnavailable if the turn does not come, or was lost meanwhile: then the changes are undone here
     */
    exclusively: <T>(work: () => Promise<T>, effect?: 'makes room'): Promise<T> =>
      effect === undefined ? exclusively(work) : makeRoom(work),
    /**
     * Runs work that one replica does for all, from the newest state; `exclusively` tells its changes. Does nothing while another
     * replica is at such work, or the engine is away.
     */
    async alone(work: () => Promise<void>): Promise<void> {
      const begun = errand.hold(() => refresh().then(work));
      await begun.catch(error => (error instanceof StoreUnavailable ? undefined : Promise.reject(error)));
    },
    /**
     * Charges one request to an armed fault of an issuer. Returns the fault as it is then; undefined if it is over.
     * @param stays true for a fault that lasts until its last request is let go
     */
    charge: (owner: string, part: string, id: string, stays: boolean) => table.charge(fieldOf(owner, part, id), stays),
  };
}

/**
 * Has the changes of this process be told by one call at a time. A call takes along what other work has changed, so each call also
 * waits for those before it, and fails with them: its own change may be among the ones that were undone.
 */
function oneAfterTheOther<A extends unknown[]>(tell: (...all: A) => Promise<void>): (...all: A) => Promise<void> {
  const underway = new Set<Promise<void>>();
  return async (...all) => {
    const before = [...underway];
    const own = Promise.allSettled(before).then(() => tell(...all));
    underway.add(own);
    const isOver = () => void underway.delete(own);
    own.then(isOver, isOver);
    await Promise.all([...before, own]);
  };
}

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
function createLease(engine: Engine, name: string, patience = usualPatience) {
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
