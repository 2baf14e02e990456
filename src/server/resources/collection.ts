import type { Request, Response } from 'express';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import { readJson } from './json-body.ts';
import { pageLinks, parseListQuery, slicePage } from './list-query.ts';
import { Problem } from './problem.ts';
import { createSchema, type FieldConfig, parseResource, type ResourceSchema } from './resource-schema.ts';
import { createRows, maxCreatedRows, parseSeed, type Row, type Rows, type RowsFactory } from './rows.ts';
import { sendJson } from './send-json.ts';

/** A REST collection. A `readScope` turns reading on, and a `writeScope` turns writing on; a method that is off gets 405. */
export interface CollectionConfig {
  /** The path segment. */
  readonly name: string;
  readonly readScope?: string;
  readonly writeScope?: string;
  /** Requirements for the login behind a token (RFC 9470); ages in seconds. */
  readonly readAcrValues?: readonly string[];
  readonly readMaxAge?: number;
  readonly writeAcrValues?: readonly string[];
  readonly writeMaxAge?: number;
  /** Fields in addition to `id`, an integer the server assigns. */
  readonly fields: Readonly<Record<string, FieldConfig>>;
  readonly seed: readonly Readonly<Record<string, unknown>>[];
}

/** Answers one request that is already authenticated and authorized. */
export type Operation = (request: Request, response: Response) => void | Promise<void>;

/** A REST collection with its five operations. */
export interface Collection {
  readonly config: CollectionConfig;
  readonly rows: Rows;
  readonly list: Operation;
  readonly create: Operation;
  readonly read: Operation;
  readonly replace: Operation;
  readonly delete: Operation;
}

/** Takes over the rows of the collection `before`, if the new configuration allows them. */
export function createCollection(
  config: CollectionConfig,
  before?: Collection,
  rowsElsewhere?: RowsFactory | undefined,
): Collection {
  const schema = createSchema(config.fields);
  const rows = rowsKept(config, before) ?? newRows(config, schema, rowsElsewhere);
  return { config, rows, ...operationsOn(config.name, schema, rows) };
}

function newRows({ name, fields, seed }: CollectionConfig, schema: ResourceSchema, elsewhere?: RowsFactory): Rows {
  const seeded = parseSeed(name, schema, seed);
  const facts = { name, definition: { fields, seed }, seed: seeded, mostCreated: maxCreatedRows };
  return elsewhere?.(facts) ?? createRows(seeded);
}

function operationsOn(name: string, schema: ResourceSchema, rows: Rows): Omit<Collection, 'config' | 'rows'> {
  const unknown = async ({ params }: Request) => noRow(name, params.id, await rows.all());

  /** 400 for an id that is not an integer, 404 for one that no row has. */
  async function find(request: Request): Promise<{ id: number; row: Row }> {
    const id = parseId(request.params.id);
    const row = await rows.get(id);
    if (row === undefined) throw await unknown(request);
    return { id, row };
  }

  return {
    async list(request, response) {
      const query = parseListQuery(request.url, schema);
      const matching = (await rows.all()).filter(query.matches);
      sendJson(response, 200, slicePage(matching, query), {
        'X-Total-Count': String(matching.length),
        Link: pageLinks(`${request.baseUrl}/${name}`, query.filters, query, matching.length),
      });
    },
    async create(request, response) {
      const { id, row } = await rows.create(parseResource(schema, await readJson(request)));
      sendJson(response, 201, row, { Location: `${request.baseUrl}/${name}/${id}` });
    },
    async read(request, response) {
      sendJson(response, 200, (await find(request)).row);
    },
    async replace(request, response) {
      const { id } = await find(request);
      const row = await rows.replace(id, parseResource(schema, await readJson(request), id));
      if (row === undefined) throw await unknown(request); // it was deleted while the body arrived
      sendJson(response, 200, row);
    },
    async delete(request, response) {
      const { id } = await find(request);
      if (!(await rows.delete(id))) throw await unknown(request); // another request was faster
      response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
    },
  };
}

function rowsKept({ fields, seed }: CollectionConfig, before: Collection | undefined): Rows | undefined {
  const isSame =
    before !== undefined &&
    JSON.stringify([fields, seed]) === JSON.stringify([before.config.fields, before.config.seed]);
  return isSame ? before.rows : undefined;
}

const mostNamed = 10;

function noRow(name: string, id: unknown, rows: readonly Row[]): Problem {
  const some = rows.slice(0, mostNamed).map(row => String(row.id));
  const more = rows.length > mostNamed ? `, and ${rows.length - mostNamed} more` : '';
  return new Problem(404, 'row_unknown', `${name} has no resource with id ${describe(id)}`, {
    sent: asSent('id', id),
    expected:
      rows.length === 0 ? `an id of ${name}, which is empty now` : `an id of ${name}: ${some.join(', ')}${more}`,
  });
}

/** An integer that JavaScript cannot represent exactly is still an integer; no row has it. */
function parseId(text: unknown): number {
  if (typeof text !== 'string' || !/^-?(0|[1-9]\d*)$/.test(text)) {
    throw new Problem(400, 'id_malformed', `the id in the path is ${describe(text)}; expected an integer`, {
      sent: asSent('id', text),
      expected: 'an integer',
    });
  }
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : Number.NaN;
}
