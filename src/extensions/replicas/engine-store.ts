import type { Store, StoreEntry, StoreKey } from '../../base/store.ts';
import type { Argument, Engine } from './engine.ts';
import { jsonValue } from './json-value.ts';
import { pairs, type Script } from './script.ts';
import {
  addScript,
  clearScript,
  deleteScript,
  entriesScript,
  putScript,
  sizesScript,
  swapScript,
  takeScript,
} from './store-scripts.ts';
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
  readonly wait?: { readonly replicas: number; readonly milliseconds: number } | undefined;
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
