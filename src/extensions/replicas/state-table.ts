import type { Engine } from './engine.ts';
import { pairs } from './script.ts';
import { entryIn, type PartsRegister, type StoredEntry } from './shared-part.ts';
import { chargeScript, publishScript, refreshScript, restoreScript } from './state-scripts.ts';
import { jsonAt, StoreUnavailable } from './store-unavailable.ts';

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
  /** Takes over all that can be. Until the others are mended, each look asks for them again. */
  async function takeAll(all: readonly StoredEntry[]): Promise<void> {
    let damage: unknown;
    for (const entry of all) {
      await register.take(entry).catch(error => {
        damage ??= error;
      });
    }
    if (damage !== undefined) throw damage;
  }
  /** The engine has lost its memory: the first replica tells it what all knew, and each takes that over with its next look. */
  async function restore(): Promise<void> {
    await engine.remember();
    await engine.run(restoreScript, keys, [...register.all()].flat());
    version = 0;
  }
  return {
    write,
    /** @throws StoreUnavailable for an entry that no replica can have written */
    look: createEntriesLook(engine, entries),
    /** Takes over what has changed in the engine, and the time of the engine. */
    async pull(): Promise<void> {
      const sentAt = engine.now();
      const answer = (await engine.run(refreshScript, keys, [version])) as string[];
      const [now, seconds, microseconds, refusal, ...fields] = answer;
      engine.readClock(Number(seconds), Number(microseconds), sentAt);
      engine.refusal = refusal === '' ? undefined : refusal;
      if (Number(now) === 0 || Number(now) < version) return restore();
      await takeAll(pairs(fields));
      version = Number(now);
    },
    /** Charges a fault in its entry. Returns it; undefined if it is over. */
    async charge(field: string, stays: boolean): Promise<unknown> {
      const charged = await engine.run(chargeScript, keys, [field, stays ? 1 : 0]);
      return typeof charged === 'string' ? jsonAt(entries, charged) : undefined;
    },
    async remove(fields: readonly string[]): Promise<void> {
      if (fields.length === 0) return;
      await engine.send('HDEL', entries, ...fields);
      await engine.send('ZREM', changed, ...fields);
    },
  };
}

/**
 * Looks through the entries, some of them at each call: a value that somebody put there has no version, and would be met by the next
 * replica that starts.
 */
function createEntriesLook(engine: Engine, key: string): () => Promise<void> {
  let cursor = '0';
  let before = new Map<string, unknown>();
  let found = new Map<string, unknown>();
  return async () => {
    const [next, flat] = (await engine.send('HSCAN', key, cursor, 'COUNT', 100)) as [string, string[]];
    for (const [field, json] of pairs(flat)) {
      const damage = damageOf(field, json);
      if (damage === undefined) before.delete(field);
      else found.set(field, damage);
    }
    cursor = next;
    if (cursor === '0') [before, found] = [found, new Map()];
    const [damage] = [...before.values(), ...found.values()];
    if (damage !== undefined) throw damage;
  };
}

function damageOf(field: string, json: string): unknown {
  try {
    entryIn(field, json);
    return undefined;
  } catch (error) {
    return error;
  }
}
