import { damagedAt, jsonAt, StoreUnavailable } from './store-unavailable.ts';

/**
 * A part of an issuer that every replica has in its memory, as entries of JSON by id. Entries that are as the
 * configuration has them are not told; `undefined` is an entry that is gone.
 */
export interface SharedPart {
  readonly name: string;
  /** The entries that have changed in this process since the last call. */
  changes(): ReadonlyMap<string, unknown> | Promise<ReadonlyMap<string, unknown>>;
  /** Takes over an entry that another replica changed. */
  apply(id: string, value: unknown): void | Promise<void>;
  /** Has an entry be as it was at first: nobody was ever told of it. */
  undo(id: string): void | Promise<void>;
}

/** Most parts have changed nothing, whenever they are asked. */
export const noChanges: ReadonlyMap<string, unknown> = new Map();

/** An entry in the engine: the field that names it, and its JSON, empty for one that is gone. */
export type StoredEntry = readonly [field: string, json: string];

export type PartsRegister = ReturnType<typeof createPartsRegister>;

/** The parts of all issuers, and their entries as the engine has them. */
export function createPartsRegister() {
  const parts = new Map<string, Map<string, SharedPart>>();
  const known = new Map<string, string>();

  /** Adds a part, which hears only of entries that are taken from now on. */
  function addLater(owner: string, part: SharedPart): void {
    const own = parts.get(owner) ?? new Map<string, SharedPart>();
    parts.set(owner, own.set(part.name, part));
  }
  const partOf = ({ owner, name }: ReturnType<typeof read>) => parts.get(owner)?.get(name);
  async function apply([field, json]: StoredEntry): Promise<void> {
    const about = read(field);
    await partOf(about)?.apply(about.id, entryIn(field, json));
  }
  return {
    /** Every entry that the engine has. */
    all: (): Iterable<StoredEntry> => known,
    addLater,
    /** Adds a part, and applies the entries that were taken before. */
    async add(owner: string, part: SharedPart): Promise<void> {
      addLater(owner, part);
      const begins = fieldOf(owner, part.name, '');
      for (const entry of known) if (entry[0].startsWith(begins)) await apply(entry);
    },
    /** Removes the parts of an issuer. Returns the fields of its entries. */
    remove(owner: string): readonly string[] {
      parts.delete(owner);
      const fields = [...known.keys()].filter(field => read(field).owner === owner);
      for (const field of fields) known.delete(field);
      return fields;
    },
    /**
     * Takes over an entry of the engine, if it is not known.
     * @throws StoreUnavailable for one that no replica can have written: it stays unknown
     */
    async take(entry: StoredEntry): Promise<void> {
      const before = known.get(entry[0]);
      if (before === entry[1]) return;
      remember(known, entry);
      await apply(entry).catch(error => {
        putBack(known, entry[0], before);
        throw error instanceof StoreUnavailable ? error : damagedAt(placeOf(entry[0]), String(error), error);
      });
    },
    /** The entries of this issuer, or of all, that changed in this process and are not in the engine. */
    async changed(only?: string): Promise<readonly StoredEntry[]> {
      const all: StoredEntry[] = [];
      for (const owner of only === undefined ? [...parts.keys()] : [only]) {
        for (const part of parts.get(owner)?.values() ?? []) all.push(...(await changedIn(owner, part, known)));
      }
      return all;
    },
    /** Says that these are in the engine now. */
    told: (entries: readonly StoredEntry[]) => entries.forEach(entry => void remember(known, entry)),
    /** Has these be as the engine has them: nobody was told of them. */
    async undo(entries: readonly StoredEntry[]): Promise<void> {
      for (const [field] of entries) {
        const json = known.get(field);
        if (json !== undefined) await apply([field, json]);
        else await partOf(read(field))?.undo(read(field).id);
      }
    },
  };
}

/** Entries that are gone are remembered up to here, as in the engine: somebody may register and delete clients for weeks. */
const mostKnown = 20_000;

function remember(known: Map<string, string>, [field, json]: StoredEntry): void {
  known.delete(field); // the oldest are at the beginning
  known.set(field, json);
  if (known.size <= mostKnown) return;
  for (const [old, value] of [...known].slice(0, 100)) if (value === '') known.delete(old);
}

function putBack(known: Map<string, string>, field: string, before: string | undefined): void {
  if (before === undefined) known.delete(field);
  else known.set(field, before);
}

async function changedIn(owner: string, part: SharedPart, known: ReadonlyMap<string, string>): Promise<StoredEntry[]> {
  const changes = part.changes(); // awaited only where it is worth a turn: it is asked at each request
  const entries = changes instanceof Promise ? await changes : changes;
  if (entries.size === 0) return [];
  return [...entries]
    .map(
      ([id, value]): StoredEntry => [fieldOf(owner, part.name, id), value === undefined ? '' : JSON.stringify(value)],
    )
    .filter(([field, json]) => known.get(field) !== json);
}

/** Paths, and names of parts, have no line break. */
const separator = '\n';

/**
 * The value of an entry; undefined for one that is gone.
 * @throws StoreUnavailable for one that no replica can have written: each is an object, or a list
 */
export function entryIn(field: string, json: string): object | undefined {
  if (json === '') return undefined;
  const value = jsonAt(placeOf(field), json);
  if (typeof value === 'object' && value !== null) return value;
  throw damagedAt(placeOf(field), 'no object');
}

/** Words for the place of an entry. */
function placeOf(field: string): string {
  return `state:entries ${field.split(separator).join(' ')}`;
}

/** The field of an entry in the engine. */
export function fieldOf(owner: string, part: string, id: string): string {
  return [owner, part, id].join(separator);
}

function read(field: string): { readonly owner: string; readonly name: string; readonly id: string } {
  const [owner = '', name = '', ...id] = field.split(separator);
  return { owner, name, id: id.join(separator) };
}
