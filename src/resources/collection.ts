import type { Request, Response } from 'express';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import { readJson } from './json-body.ts';
import { pageLinks, parseListQuery, slicePage } from './list-query.ts';
import { Problem } from './problem.ts';
import type { AuthenticationRequirement } from './require-authentication.ts';
import { createSchema, type FieldConfig, parseResource } from './resource-schema.ts';
import { createRows, parseSeed, type Row, type Rows } from './rows.ts';
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

/** The five operations of a REST collection on rows in memory. */
export interface Collection {
  readonly name: string;
  readonly readScope: string | undefined;
  readonly writeScope: string | undefined;
  readonly readLogin: AuthenticationRequirement;
  readonly writeLogin: AuthenticationRequirement;
  readonly list: Operation;
  readonly create: Operation;
  readonly read: Operation;
  readonly replace: Operation;
  readonly delete: Operation;
  readonly rows: Rows;
  /** Definition of the rows. */
  readonly config: Pick<CollectionConfig, 'fields' | 'seed'>;
  /** Restores the seed rows and their ids. */
  reset(): void;
}

/** Takes over the rows of the collection `before`, if the new configuration allows them. */
export function createCollection(config: CollectionConfig, before?: Collection): Collection {
  const { name, readScope, writeScope, fields, seed } = config;
  const schema = createSchema(fields);
  const rows = rowsKept(config, before) ?? createRows(parseSeed(name, schema, seed));

  /** 400 for an id that is not an integer, 404 for one that no row has. */
  function find(request: Request): { id: number; row: Row } {
    const id = parseId(request.params.id);
    const row = rows.get(id);
    if (row === undefined) throw noRow(name, request.params.id, rows.all());
    return { id, row };
  }

  return {
    name,
    readScope,
    writeScope,
    readLogin: { acrValues: config.readAcrValues, maxAge: config.readMaxAge },
    writeLogin: { acrValues: config.writeAcrValues, maxAge: config.writeMaxAge },
    list(request, response) {
      const query = parseListQuery(request.url, schema);
      const matching = rows.all().filter(query.matches);
      sendJson(response, 200, slicePage(matching, query), {
        'X-Total-Count': String(matching.length),
        Link: pageLinks(`${request.baseUrl}/${name}`, query.filters, query, matching.length),
      });
    },
    async create(request, response) {
      const { id, row } = rows.create(parseResource(schema, await readJson(request)));
      sendJson(response, 201, row, { Location: `${request.baseUrl}/${name}/${id}` });
    },
    read(request, response) {
      sendJson(response, 200, find(request).row);
    },
    async replace(request, response) {
      const { id } = find(request);
      const values = parseResource(schema, await readJson(request), id);
      find(request); // may have been deleted while the body arrived
      sendJson(response, 200, rows.replace(id, values));
    },
    delete(request, response) {
      rows.delete(find(request).id);
      response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
    },
    reset: rows.reset,
    rows,
    config,
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
