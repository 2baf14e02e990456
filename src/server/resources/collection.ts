import type { Request, Response } from 'express';
import { describe, shorten } from './challenge.ts';
import { asSent } from './compared.ts';
import { readJson } from './json-body.ts';
import { invalidInput, Problem, type RequestProblem } from './problem.ts';
import {
  createSchema,
  type FieldConfig,
  type FieldValue,
  parseFieldText,
  parseResource,
  type ResourceSchema,
} from './resource-schema.ts';
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

/** The requested part of a list: `page` counts from 0. */
interface Page {
  readonly page: number;
  readonly size: number;
}

/** Filters such as `category=tools`, as they were sent. Links to other pages repeat them. */
type Filters = readonly (readonly [name: string, value: string])[];

/** Query of a list. */
interface ListQuery extends Page {
  readonly filters: Filters;
  /** True if a row passes every filter, compared by the type of the field. */
  matches(row: Row): boolean;
}

const counts = {
  page: { min: 0, max: 2 ** 40, absent: 0, words: 'from 0' },
  size: { min: 1, max: 100, absent: 20, words: 'from 1 to 100' },
} as const;

/** Longest filter in characters: four links in one header repeat each filter. */
const maxFilterLength = 200;

const firstPage: ListQuery = { page: 0, size: counts.size.absent, filters: [], matches: () => true };

/**
 * Reads the query of a list: `page`, `size`, and filters by field name (`id` included). Anything else, and any parameter
 * sent twice, is a 400 problem. A field named `page` or `size` cannot be filtered by.
 */
function parseListQuery(url: string, schema: ResourceSchema): ListQuery {
  const start = url.indexOf('?');
  if (start === -1) return firstPage;
  const parameters = new URLSearchParams(url.slice(start));
  const errors = [...repeated(parameters)];
  const page = parseCount(parameters, 'page', errors);
  const size = parseCount(parameters, 'size', errors);
  parameters.delete('page');
  parameters.delete('size');
  const wanted = [...parameters].map(([name, text]) => parseFilter(name, text, schema, errors));
  if (errors.length > 0) throw invalidInput('query_invalid', 'the query is not valid', errors);
  return { page, size, filters: [...parameters], matches: row => wanted.every(([name, value]) => row[name] === value) };
}

function* repeated(parameters: URLSearchParams): Generator<RequestProblem> {
  const seen = new Map<string, number>();
  for (const name of parameters.keys()) {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count !== 2) continue;
    yield { parameter: shorten(name), detail: 'sent more than once', sent: 'more than one', expected: 'one' };
  }
}

function parseCount(parameters: URLSearchParams, parameter: keyof typeof counts, errors: RequestProblem[]): number {
  const { min, max, absent, words } = counts[parameter];
  const text = parameters.get(parameter);
  if (text === null) return absent;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const expected = `an integer ${words}`;
  errors.push({ parameter, detail: `expected ${expected}, got ${describe(text)}`, sent: describe(text), expected });
  return absent;
}

const idField: FieldConfig = { type: 'integer', required: true };

function parseFilter(
  name: string,
  text: string,
  schema: ResourceSchema,
  errors: RequestProblem[],
): readonly [string, FieldValue] {
  const config = name === 'id' ? idField : schema.get(name);
  const value = config === undefined || text.length > maxFilterLength ? undefined : parseFieldText(text, config.type);
  if (value === undefined) errors.push({ parameter: shorten(name), ...whyNotFilter(text, config, schema) });
  return [name, value ?? ''];
}

function whyNotFilter(
  text: string,
  config: FieldConfig | undefined,
  schema: ResourceSchema,
): Omit<RequestProblem, 'parameter'> {
  if (config === undefined) {
    const known = `page, size and the fields id, ${[...schema.keys()].join(', ')}`;
    return { detail: `unknown parameter; known parameters: ${known}`, sent: 'an unknown parameter', expected: known };
  }
  if (text.length > maxFilterLength) {
    const sent = `${text.length} characters`;
    return {
      detail: `longer than ${maxFilterLength} characters`,
      sent,
      expected: `at most ${maxFilterLength} characters`,
    };
  }
  const expected = `a value of type ${config.type}`;
  return { detail: `expected ${expected}, got ${describe(text)}`, sent: describe(text), expected };
}

/** The part of a list that is on a page. */
function slicePage<T>(items: readonly T[], { page, size }: Page): T[] {
  return items.slice(page * size, (page + 1) * size);
}

/**
 * The value of `Link` (RFC 8288): first and last always, prev and next if they exist. Beyond the end, prev is the last
 * page. An empty list has one page.
 */
function pageLinks(path: string, filters: Filters, { page, size }: Page, total: number): string {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  const query = filters.length === 0 ? '' : `${new URLSearchParams(filters.map(([name, value]) => [name, value]))}&`;
  const link = (to: number, rel: string) => `<${path}?${query}page=${to}&size=${size}>; rel="${rel}"`;
  return [
    link(0, 'first'),
    ...(page > 0 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}
