import type { Engine } from './engine.ts';
import { createLease } from './lease.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createPartsRegister, fieldOf, type SharedPart } from './shared-part.ts';
import { createStateTable } from './state-table.ts';

/** The state that all replicas share beside the store and the log: one version, and the entries of each part. */
export interface SharedState {
  /** Adds a part of an issuer, and applies the entries that others have told already. */
  join(owner: string, part: SharedPart): Promise<void>;
  /** Adds a part that takes over only what others tell from now on. */
  joinLater(owner: string, part: SharedPart): void;
  /** Removes the parts of an issuer that ended; `forget` removes its entries from the engine, too. */
  leave(owner: string, forget: boolean): Promise<void>;
  /**
   * After it, this process has everything that any replica had told before the call.
   * @throws StoreUnavailable
   */
  refresh(): Promise<void>;
  /** Tells the others what has changed here: in this issuer, or in all. */
  publish(owner?: string): Promise<void>;
  /**
   * Runs `work` while no replica runs another one, from the newest state, and tells its changes.
   * @throws StoreUnavailable if the turn does not come, or was lost meanwhile: then the changes are undone here
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Charges one request to an armed fault of an issuer. Returns the fault as it is then; undefined if it is over.
   * @param stays true for a fault that lasts until its last request is let go
   */
  charge(owner: string, part: string, id: string, stays: boolean): Promise<unknown>;
}

/** Makes the shared state of one process. */
export function createSharedState(engine: Engine): SharedState {
  const register = createPartsRegister();
  const lease = createLease(engine);
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
  return {
    refresh,
    join: register.add,
    joinLater: register.addLater,
    publish: owner => publish('', owner),
    async leave(owner, forget) {
      const fields = register.remove(owner);
      if (forget) await table.remove(fields);
    },
    exclusively: work =>
      lease.hold(async ({ token }) => {
        await refresh();
        const done = await work();
        await publish(token);
        return done;
      }),
    charge: (owner, part, id, stays) => table.charge(fieldOf(owner, part, id), stays),
  };
}
