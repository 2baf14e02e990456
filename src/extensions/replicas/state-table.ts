import type { Engine } from './engine.ts';
import { pairs, script } from './script.ts';
import { entryIn, type PartsRegister, type StoredEntry } from './shared-part.ts';
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

/**
 * Answers with the version, the time of the engine, why it takes no writes (empty if it does), and each entry that changed after the version of the caller.
 * `KEYS`: version, changed (field by version), entries. `ARGV`: the version of the caller.
 */
const refreshScript = script(`
local version = tonumber(redis.call('GET', KEYS[1]) or '0')
local refused = redis.pcall('SETNX', KEYS[1], 0)
local time = redis.call('TIME')
local answer = { tostring(version), time[1], time[2], type(refused) == 'table' and refused.err or '' }
local known = tonumber(ARGV[1])
if version > known then
  for _, field in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. known, '+inf')) do
    answer[#answer + 1] = field
    answer[#answer + 1] = redis.call('HGET', KEYS[3], field) or ''
  end
end
return answer
`);

/**
 * Writes entries under a new version, which it answers with; 0 if the caller has lost its lease.
 * `KEYS`: version, changed, entries, lease. `ARGV`: the token of the lease or nothing, then field and JSON in turn. Entries that
 * are gone are remembered until there are many: by then each replica has seen them.
 */
const publishScript = script(`
if ARGV[1] ~= '' and redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
local version = redis.call('INCR', KEYS[1])
for place = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[place], ARGV[place + 1])
  redis.call('ZADD', KEYS[2], version, ARGV[place])
end
if redis.call('ZCARD', KEYS[2]) > 20000 then
  for _, field in ipairs(redis.call('ZRANGE', KEYS[2], 0, 99)) do
    if redis.call('HGET', KEYS[3], field) == '' then
      redis.call('HDEL', KEYS[3], field)
      redis.call('ZREM', KEYS[2], field)
    end
  end
end
return version
`);

/**
 * Writes the entries that the engine does not have, for an engine that has lost its memory: of several replicas that do so the
 * first one counts. `KEYS` as above without the lease; `ARGV`: field and JSON in turn.
 */
const restoreScript = script(`
local version = redis.call('INCR', KEYS[1])
for place = 1, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[3], ARGV[place], ARGV[place + 1]) == 1 then
    redis.call('ZADD', KEYS[2], version, ARGV[place])
  end
end
`);

/**
 * Charges one request to an armed fault, and answers with the fault as it is then; false if it is over. `KEYS` as
 * above without the lease; `ARGV`: the field, and 1 for a fault that stays until its last request is let go.
 */
const chargeScript = script(`
local json = redis.call('HGET', KEYS[3], ARGV[1])
if not json or json == '' then return false end
local fault = cjson.decode(json)
if fault.times == 0 then return false end
if fault.times ~= 'always' then fault.times = fault.times - 1 end
fault.met = fault.met + 1
local charged = cjson.encode(fault)
local is_over = fault.times == 0 and ARGV[2] ~= '1'
redis.call('HSET', KEYS[3], ARGV[1], is_over and '' or charged)
redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[1]), ARGV[1])
return charged
`);
