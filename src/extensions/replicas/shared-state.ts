import type { Engine } from './engine.ts';
import { createLease } from './lease.ts';
import { oneAtATime } from './one-at-a-time.ts';
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

  async function publish(token: string, owner?: string): Promise<void> {
    const entries = await register.changed(owner);
    try {
      await table.write(entries, token);
    } catch (error) {
      await register.undo(entries);
      throw error;
    }
    register.told(entries);
  }
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
