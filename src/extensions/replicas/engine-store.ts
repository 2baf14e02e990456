import type { Store, StoreEntry, StoreKey } from '../../base/store.ts';
import type { Argument, Engine } from './engine.ts';
import { pairs, type Script, script } from './script.ts';
import { damagedAt, jsonAt, StoreUnavailable } from './store-unavailable.ts';

/** A store in the engine, its clock and its bounds. */
export interface EngineStoreOptions {
  readonly engine: Pick<Engine, 'key' | 'run' | 'send'>;
  /** Which store of which issuer, the same on each replica: `['store', '/']`. */
  readonly name: readonly string[];
  /** Unix seconds of the sandbox: they say whether an entry has expired. */
  readonly clock: () => number;
  /** The most entries of one kind; beyond it the oldest of that kind is removed. */
  readonly maxEntriesPerKind?: number;
  /** The largest total size of the entries of one kind, in bytes of JSON. */
  readonly maxWeightPerKind?: number;
  /** How many replicas of the engine must have a single-use write before it counts, and how long they may take. */
  readonly wait?: { readonly replicas: number; readonly milliseconds: number };
}

/**
 * Milliseconds for which the engine keeps a kind beyond the end of its last entry. The engine's clock only collects garbage: a
 * sandbox clock that is frozen or set back makes an entry live longer.
 */
const margin = 24 * 3600 * 1000;
const longestTtl = 10 * 365 * 24 * 3600 * 1000;

/** A `Store` that all replicas share. */
export interface EngineStore extends Store {
  /** @throws StoreUnavailable if the engine has something else in its place, or still has a value that could not be read */
  check(): Promise<void>;
}

/** Creates it. Each operation is one step of the engine, and one round trip. */
export function createEngineStore(options: EngineStoreOptions): EngineStore {
  const { engine, name, clock } = options;
  const base = engine.key(`{${name.join(':')}}`);
  const run = (script: Script, ...args: readonly Argument[]) => engine.run(script, [base], [clock(), ...args]);
  const { keep, confirm } = writingTo(options, run);
  const read = readingAt(base);
  const keptAt = ([kind, id]: StoreKey) => engine.send('HGET', `${base}:v:${kind}`, id);
  const sizes = async () => sizesIn(await run(sizesScript));
  return {
    isShared: true,
    async get<T>(key: StoreKey) {
      const kept = read.entry(key, await keptAt(key));
      return kept !== undefined && kept.expiresAt > clock() ? (kept.value as T) : undefined; // the caller says of which kind it is
    },
    async put(key, value, lifetimeSeconds) {
      await keep(putScript, key, jsonValue(value), lifetimeSeconds);
    },
    async add(key, value, lifetimeSeconds) {
      const isKept = (await keep(addScript, key, jsonValue(value), lifetimeSeconds)) === 1;
      if (isKept) await confirm();
      return isKept;
    },
    async take<T>(key: StoreKey) {
      const kept = read.entry(key, await run(takeScript, ...key));
      if (kept !== undefined) await confirm();
      return kept?.value as T | undefined; // as with `get`
    },
    async swap(key, before, after, lifetimeSeconds) {
      return (await keep(swapScript, key, jsonOrNone(after), lifetimeSeconds, jsonOrNone(before))) === 1;
    },
    delete: async ([kind, id]) => void (await run(deleteScript, kind, id)),
    entries: async kinds => read.entries((await run(entriesScript, ...kinds)) as readonly string[]),
    async clear(kind) {
      await run(clearScript, ...(kind === undefined ? [] : [kind]));
    },
    sizes,
    async check() {
      await sizes();
      for (const key of read.damaged()) read.entry(key, await keptAt(key));
    },
  };
}

type Run = (script: Script, ...args: readonly Argument[]) => Promise<unknown>;

function writingTo(
  { engine, clock, maxEntriesPerKind = 10_000, maxWeightPerKind = 32 * 1024 * 1024, wait }: EngineStoreOptions,
  run: Run,
) {
  function keep(
    script: Script,
    [kind, id]: StoreKey,
    json: string,
    lifetimeSeconds: number,
    ...more: readonly Argument[]
  ): Promise<unknown> {
    const kept = json === '' ? '' : `${clock() + lifetimeSeconds} ${json}`;
    const ttl = Math.min(Math.ceil(lifetimeSeconds * 1000) + margin, longestTtl);
    return run(script, maxEntriesPerKind, maxWeightPerKind, kind, id, kept, ttl, ...more);
  }

  /** After a fail-over a replica of the engine that lacks the write would give the value once more. */
  async function confirm(): Promise<void> {
    if (wait === undefined) return;
    const { replicas, milliseconds } = wait;
    const has = Number(await engine.send('WAIT', replicas, milliseconds));
    if (has >= replicas) return;
    throw new StoreUnavailable(`${has} of ${replicas} replicas of the shared store confirmed a write (STORE_WAIT)`);
  }

  return { keep, confirm };
}

/** Reads values, and remembers which of them no replica can have written. */
function readingAt(base: string) {
  const damaged = new Map<string, StoreKey>();
  function entry(key: StoreKey, kept: unknown): StoreEntry | undefined {
    const name = key.join(' ');
    damaged.set(name, key);
    const read = typeof kept === 'string' ? entryIn(`${base}:v:${key[0]}`, key, kept) : undefined;
    damaged.delete(name);
    return read;
  }
  return {
    entry,
    /** Kind, id and value of each entry in turn. */
    entries(found: readonly string[]): StoreEntry[] {
      return Array.from({ length: found.length / 3 }, (_, index) => {
        const [kind = '', id = '', kept = ''] = found.slice(3 * index, 3 * index + 3);
        return entry([kind, id], kept) ?? [];
      }).flat();
    },
    damaged: () => [...damaged.values()],
  };
}

/** A value is the sandbox time of its end, a space, and JSON. Its id may be a secret, so the place is that of its kind. */
function entryIn(place: string, key: StoreKey, kept: string): StoreEntry {
  const [end = ''] = kept.split(' ', 1);
  if (Number.isNaN(Number(end))) throw damagedAt(place, 'no time at the beginning of a value');
  return { key, value: jsonAt(place, kept.slice(end.length + 1)), expiresAt: Number(end) };
}

function jsonOrNone(value: unknown): string {
  return value === undefined ? '' : jsonValue(value);
}

function sizesIn(answer: unknown): ReadonlyMap<string, number> {
  const all = answer as readonly (string | number)[]; // as the script writes it
  return new Map(pairs(all).map(([kind, count]) => [String(kind), Number(count)]));
}

/**
 * The JSON text of a value that JSON keeps as it is. Members that are undefined are left out, as in memory they have no effect.
 * @throws TypeError that names the member, for a value that would come back as another one: that is a bug of the caller
 */
function jsonValue(value: unknown): string {
  return JSON.stringify(value, refuseWhatChanges) ?? refuse('', value);
}

/** JSON has called `toJSON` before it asks for the replacement, so the original is read from its holder. */
function refuseWhatChanges(this: unknown, name: string, changed: unknown): unknown {
  const value = (this as Record<string, unknown>)[name]; // JSON gives the holder of the member as `this`
  if (value === undefined && Array.isArray(this)) refuse(name, value);
  return value === undefined || isKept(value) ? changed : refuse(name, value);
}

function isKept(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value);
  const made = Object.getPrototypeOf(value);
  return Array.isArray(value) || made === Object.prototype || made === null;
}

function refuse(name: string, value: unknown): never {
  const type =
    typeof value === 'object' && value !== null ? value.constructor.name : `${typeof value} ${String(value)}`;
  throw new TypeError(
    `a value of the store has ${name === '' ? '' : `in ${name} `}a ${type}, which JSON does not keep`,
  );
}

// A store has one hash, the base, and two keys for each kind: a hash of its values, and a sorted set of its ids, the oldest
// first. The base holds the number of entries ever kept (`n`) and the weight of each kind (`w:` and its name), so that it also
// says which kinds there are. The names of the keys are made in the scripts: all begin with the base, whose name has a hash tag,
// so that a cluster has them in one place.

/** Both keys of a kind. A value is the sandbox time of its end, a space, and JSON. */
const shared = `
local base, now = KEYS[1], tonumber(ARGV[1])
local function names(kind) return base..':v:'..kind, base..':o:'..kind end
local function is_live(kept) return kept and tonumber(string.match(kept, '^%S+')) > now end
local function live(kind, id)
  local values = names(kind)
  local kept = redis.call('HGET', values, id)
  return is_live(kept) and kept
end
local function drop(kind, id)
  local values, order = names(kind)
  local size = redis.call('HSTRLEN', values, id)
  redis.call('ZREM', order, id)
  if redis.call('HDEL', values, id) == 0 then return end
  redis.call('HINCRBY', base, 'w:'..kind, -size)
end
-- A full engine refuses it, because it would not keep what comes of the value, which stays for another attempt.
local function use(kind, id)
  redis.call('HSETNX', base, 'n', 0)
  drop(kind, id)
end
`;

/**
 * Keeps an entry as the newest of its kind. The two oldest go if they have expired, so that what nobody asks for again does not
 * stay; beyond the bounds an expired one of the oldest sixteen goes, or else the oldest. The keys live in the time of the
 * engine for at least `ttl` milliseconds more, which is longer than any of their entries. The first write needs memory, so that a
 * full engine refuses the script: once one has removed something, the engine lets it write anything.
 */
const keeping = `
local most, heaviest = tonumber(ARGV[2]), tonumber(ARGV[3])
local function is_past(values, id) return not is_live(redis.call('HGET', values, id)) end
local function make_room(kind)
  local values, order = names(kind)
  local oldest = redis.call('ZRANGE', order, 0, 15)
  for _, id in ipairs(oldest) do
    if is_past(values, id) then return drop(kind, id) end
  end
  drop(kind, oldest[1])
end
local function last(key, ttl)
  if redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl) end
end
local function keep(kind, id, value, ttl)
  local values, order = names(kind)
  local place = redis.call('HINCRBY', base, 'n', 1)
  drop(kind, id)
  redis.call('HSET', values, id, value)
  redis.call('ZADD', order, place, id)
  if redis.call('HLEN', values) == 1 then redis.call('HSET', base, 'w:'..kind, 0) end
  redis.call('HINCRBY', base, 'w:'..kind, #value)
  for _, old in ipairs(redis.call('ZRANGE', order, 0, 1)) do
    if old ~= id and is_past(values, old) then drop(kind, old) end
  end
  while redis.call('ZCARD', order) > most do make_room(kind) end
  while tonumber(redis.call('HGET', base, 'w:'..kind)) > heaviest and redis.call('ZCARD', order) > 1 do make_room(kind) end
  for _, key in ipairs({ base, values, order }) do last(key, ttl) end
end
`;

/** `now`, most entries, most weight, kind, id, value, milliseconds. */
const putScript = script(`${shared}${keeping}
keep(ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
`);

/** The same; 1 if it was kept. */
const addScript = script(`${shared}${keeping}
if live(ARGV[4], ARGV[5]) then return 0 end
keep(ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
return 1
`);

/** `now`, kind, id; the value that was there. */
const takeScript = script(`${shared}
local kept = live(ARGV[2], ARGV[3])
if kept then use(ARGV[2], ARGV[3]) end
return kept
`);

/** As `addScript`, and the JSON of the value that must be there; an empty text means no value. 1 if it was replaced. */
const swapScript = script(`${shared}${keeping}
local kept = live(ARGV[4], ARGV[5])
local json = kept and string.match(kept, '^%S+ (.*)') or ''
if json ~= ARGV[8] then return 0 end
if ARGV[6] == '' then use(ARGV[4], ARGV[5]) else keep(ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])) end
return 1
`);

/** `now`, kind, id. */
const deleteScript = script(`${shared}
drop(ARGV[2], ARGV[3])
`);

/** `now`, and kinds; kind, id and value of each entry in turn, the oldest of a kind first. */
const entriesScript = script(`${shared}
local found = {}
for at = 2, #ARGV do
  local kind = ARGV[at]
  local values, order = names(kind)
  for _, id in ipairs(redis.call('ZRANGE', order, 0, -1)) do
    local kept = live(kind, id)
    if kept then
      table.insert(found, kind)
      table.insert(found, id)
      table.insert(found, kept)
    end
  end
end
return found
`);

/** `now`, and the kind, or nothing for all. The memory is free at once, and the engine frees it beside its work. */
const clearScript = script(`${shared}
local function clear(kind)
  local values, order = names(kind)
  redis.call('UNLINK', values, order)
  redis.call('HDEL', base, 'w:'..kind)
end
if ARGV[2] then return clear(ARGV[2]) end
for _, field in ipairs(redis.call('HKEYS', base)) do
  if string.sub(field, 1, 2) == 'w:' then clear(string.sub(field, 3)) end
end
`);

/** `now`; each kind and the number of its entries in turn. */
const sizesScript = script(`${shared}
local sizes = {}
for _, field in ipairs(redis.call('HKEYS', base)) do
  if string.sub(field, 1, 2) == 'w:' then
    local kind = string.sub(field, 3)
    sizes[#sizes + 1] = kind
    sizes[#sizes + 1] = redis.call('HLEN', (names(kind)))
  end
end
return sizes
`);
