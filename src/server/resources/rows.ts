import { Problem } from './problem.ts';
import { type FieldValue, type FieldValues, parseResource, type ResourceSchema } from './resource-schema.ts';

/** A stored resource as it goes over the wire, `id` first. */
export type Row = Readonly<Record<string, FieldValue>>;

/** Rows may be in this process or elsewhere. */
type Sooner<T> = T | Promise<T>;

/** The rows of one collection, in the order of their creation. */
export interface Rows {
  all(): Sooner<readonly Row[]>;
  get(id: number): Sooner<Row | undefined>;
  /** The number of rows that callers created. */
  created(): Sooner<number>;
  /** Gives the next `id`; ids are never used twice. */
  create(values: FieldValues): Sooner<{ readonly id: number; readonly row: Row }>;
  /** Undefined if there is no such row. */
  replace(id: number, values: FieldValues): Sooner<Row | undefined>;
  /** False if there is no such row. */
  delete(id: number): Sooner<boolean>;
  reset(): Sooner<void>;
}

/** Makes the rows of a collection somewhere else than in this process. */
export type RowsFactory = (collection: {
  readonly name: string;
  /** Fields and seed as configured: other ones are other rows. */
  readonly definition: object;
  readonly seed: ReadonlyMap<number, Row>;
  /** Most created rows. */
  readonly mostCreated: number;
}) => Rows;

/**
 * Most created rows of a collection. Beyond it the oldest created row is deleted, and the seed rows stay, so that a
 * sensor can post for weeks.
 */
export const maxCreatedRows = 1_000;

/** Rows in memory that start from, and can return to, the seed. */
export function createRows(seed: ReadonlyMap<number, Row>) {
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
    created: () => created.size,
    get: (id: number) => rows.get(id),
    create(values: FieldValues) {
      const id = nextId++;
      created.add(id);
      makeRoom();
      return { id, row: put(id, values) };
    },
    replace: (id: number, values: FieldValues) => (rows.has(id) ? put(id, values) : undefined),
    delete(id: number) {
      created.delete(id);
      return rows.delete(id);
    },
    reset,
  } satisfies Rows;
}

/** `fromEntries` defines own properties, whatever the names. */
function toRow(id: number, values: FieldValues): Row {
  return Object.fromEntries<FieldValue>([['id', id], ...values]);
}

/**
 * Checks seed rows like request bodies, and throws a plain Error for an invalid one. A row may have an `id`; the others get
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
