import type { Store, StoreEntry, StoreKey } from '../storage/store.ts';
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
import { StoreUnavailable } from './store-unavailable.ts';

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

/** A `Store` that all replicas share. Each operation is one step of the engine, and one round trip. */
export function createEngineStore(options: EngineStoreOptions): Store {
  const { engine, name, clock } = options;
  const base = engine.key(`{${name.join(':')}}`);
  const run = (script: Script, ...args: readonly Argument[]) => engine.run(script, [base], [clock(), ...args]);
  const { keep, confirm } = writingTo(options, run);
  return {
    isShared: true,
    async get<T>([kind, id]: StoreKey) {
      const kept = await engine.send('HGET', `${base}:v:${kind}`, id);
      return typeof kept === 'string' && endOf(kept) > clock() ? jsonOf<T>(kept) : undefined;
    },
    async put(key, value, lifetimeSeconds) {
      await keep(putScript, key, jsonValue(value), lifetimeSeconds);
    },
    async add(key, value, lifetimeSeconds) {
      const isKept = (await keep(addScript, key, jsonValue(value), lifetimeSeconds)) === 1;
      if (isKept) await confirm();
      return isKept;
    },
    async take<T>([kind, id]: StoreKey) {
      const kept = await run(takeScript, kind, id);
      if (typeof kept !== 'string') return undefined;
      await confirm();
      return jsonOf<T>(kept);
    },
    async swap(key, before, after, lifetimeSeconds) {
      return (await keep(swapScript, key, jsonOrNone(after), lifetimeSeconds, jsonOrNone(before))) === 1;
    },
    delete: async ([kind, id]) => void (await run(deleteScript, kind, id)),
    entries: async kinds => entriesIn((await run(entriesScript, ...kinds)) as readonly string[]),
    async clear(kind) {
      await run(clearScript, ...(kind === undefined ? [] : [kind]));
    },
    sizes: async () => sizesIn(await run(sizesScript)),
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

/** Kind, id and value of each entry in turn. */
function entriesIn(found: readonly string[]): StoreEntry[] {
  return Array.from({ length: found.length / 3 }, (_, index) => {
    const [kind = '', id = '', kept = ''] = found.slice(3 * index, 3 * index + 3);
    return { key: [kind, id], value: jsonOf(kept), expiresAt: endOf(kept) };
  });
}

function jsonOrNone(value: unknown): string {
  return value === undefined ? '' : jsonValue(value);
}

function sizesIn(answer: unknown): ReadonlyMap<string, number> {
  const all = answer as readonly (string | number)[]; // as the script writes it
  return new Map(pairs(all).map(([kind, count]) => [String(kind), Number(count)]));
}

/** Unix seconds of the sandbox. */
function endOf(kept: string): number {
  return Number(kept.slice(0, kept.indexOf(' ')));
}

function jsonOf<T>(kept: string): T {
  return JSON.parse(kept.slice(kept.indexOf(' ') + 1)) as T; // the caller says of which kind it is, as with each store
}
