import { Problem } from './problem.ts';
import { type FieldValue, type FieldValues, parseResource, type ResourceSchema } from './resource-schema.ts';

/** A stored resource as it goes over the wire, `id` first. */
export type Row = Readonly<Record<string, FieldValue>>;

/** The rows of one collection, in the order of their creation. */
export interface Rows {
  all(): Row[];
  /** The number of rows that callers created. */
  readonly created: number;
  get(id: number): Row | undefined;
  /** Gives the next `id`; ids are never used twice. */
  create(values: FieldValues): { readonly id: number; readonly row: Row };
  replace(id: number, values: FieldValues): Row;
  delete(id: number): boolean;
  reset(): void;
}

/**
 * Most created rows of a collection. Beyond it the oldest created row is deleted, and the seed rows stay, so that a
 * sensor can post for weeks.
 */
export const maxCreatedRows = 1_000;

/** Rows in memory that start from, and can return to, the seed. */
export function createRows(seed: ReadonlyMap<number, Row>): Rows {
  let rows = new Map<number, Row>();
  let created = new Set<number>();
  let nextId = 1;

  function reset(): void {
    rows = new Map(seed);
    created = new Set();
    nextId = Math.max(0, ...seed.keys()) + 1;
  }

  function makeRoom(): void {
    const [oldest] = created;
    if (oldest === undefined || created.size <= maxCreatedRows) return;
    created.delete(oldest);
    rows.delete(oldest);
  }

  function put(id: number, values: FieldValues): Row {
    const row = toRow(id, values);
    rows.set(id, row);
    return row;
  }

  reset();
  return {
    all: () => [...rows.values()],
    get created() {
      return created.size;
    },
    get: id => rows.get(id),
    create(values) {
      const id = nextId++;
      created.add(id);
      makeRoom();
      return { id, row: put(id, values) };
    },
    replace: put,
    delete(id) {
      created.delete(id);
      return rows.delete(id);
    },
    reset,
  };
}

/** `fromEntries` defines own properties, whatever the names. */
function toRow(id: number, values: FieldValues): Row {
  return Object.fromEntries<FieldValue>([['id', id], ...values]);
}

/**
 * Checks seed rows like request bodies, and throws a plain Error for a faulty one. A row may have an `id`; the others get
 * the next free one.
 */
export function parseSeed(
  collection: string,
  schema: ResourceSchema,
  seed: readonly Readonly<Record<string, unknown>>[],
): ReadonlyMap<number, Row> {
  const rows = new Map<number, Row>();
  let nextId = 1;
  for (const [index, body] of seed.entries()) {
    const at = `collection ${collection}, seed row ${index}`;
    const id = body.id ?? nextId;
    if (!isSeedId(id) || rows.has(id)) throw new Error(`${at}: id ${String(id)} is not an unused positive integer`);
    rows.set(id, toRow(id, parseSeedRow(at, schema, body, id)));
    nextId = Math.max(nextId, id + 1);
  }
  return rows;
}

/** Leaves room above for the ids of created rows. */
function isSeedId(id: unknown): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && id < 2 ** 52;
}

function parseSeedRow(at: string, schema: ResourceSchema, body: unknown, id: number): FieldValues {
  try {
    return parseResource(schema, body, id);
  } catch (cause) {
    const errors = cause instanceof Problem ? JSON.stringify(cause.extras.members?.errors) : String(cause);
    throw new Error(`${at}: ${errors}`, { cause });
  }
}
