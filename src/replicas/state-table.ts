import type { Engine } from './engine.ts';
import { pairs } from './script.ts';
import type { PartsRegister, StoredEntry } from './shared-part.ts';
import { chargeScript, publishScript, refreshScript, restoreScript } from './state-scripts.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** The entries of all parts in the engine, under one version. */
export function createStateTable(engine: Engine, register: PartsRegister, leaseKey: string) {
  const changed = engine.key('state', 'changed');
  const entries = engine.key('state', 'entries');
  const keys = [engine.key('state', 'version'), changed, entries];
  let version = 0;

  /**
   * Writes entries under a new version.
   * @param token of the lease; empty without one
   * @throws StoreUnavailable if the lease was lost
   */
  async function write(all: readonly StoredEntry[], token: string): Promise<void> {
    if (all.length === 0) return;
    const told = Number(await engine.run(publishScript, [...keys, leaseKey], [token, ...all.flat()]));
    if (told === 0) throw new StoreUnavailable('this change took too long, and the turn of another one has begun');
    if (told === version + 1) version = told;
  }
  /** The engine has lost its memory: the first replica tells it what all knew, and each takes that over with its next look. */
  async function restore(): Promise<void> {
    await engine.remember();
    await engine.run(restoreScript, keys, [...register.all()].flat());
    version = 0;
  }
  return {
    write,
    /** Takes over what has changed in the engine, and the time of the engine. */
    async pull(): Promise<void> {
      const sentAt = engine.now();
      const [now, seconds, microseconds, ...fields] = (await engine.run(refreshScript, keys, [version])) as string[];
      engine.readClock(Number(seconds), Number(microseconds), sentAt);
      if (Number(now) === 0 || Number(now) < version) return restore();
      for (const entry of pairs(fields)) await register.take(entry);
      version = Number(now);
    },
    /** Charges a fault in its entry. Returns it; undefined if it is over. */
    async charge(field: string, stays: boolean): Promise<unknown> {
      const charged = await engine.run(chargeScript, keys, [field, stays ? 1 : 0]);
      return typeof charged === 'string' ? JSON.parse(charged) : undefined;
    },
    async remove(fields: readonly string[]): Promise<void> {
      if (fields.length === 0) return;
      await engine.send('HDEL', entries, ...fields);
      await engine.send('ZREM', changed, ...fields);
    },
  };
}
