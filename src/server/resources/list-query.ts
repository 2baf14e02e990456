import { describe, shorten } from './challenge.ts';
import { type InputFault, invalidInput } from './problem.ts';
import { type FieldConfig, type FieldValue, parseFieldText, type ResourceSchema } from './resource-schema.ts';
import type { Row } from './rows.ts';

/** The requested part of a list: `page` counts from 0. */
export interface Page {
  readonly page: number;
  readonly size: number;
}

/** Filters such as `category=tools`, as they were sent. Links to other pages repeat them. */
export type Filters = readonly (readonly [name: string, value: string])[];

/** Query of a list. */
export interface ListQuery extends Page {
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
export function parseListQuery(url: string, schema: ResourceSchema): ListQuery {
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

function* repeated(parameters: URLSearchParams): Generator<InputFault> {
  const seen = new Map<string, number>();
  for (const name of parameters.keys()) {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count !== 2) continue;
    yield { parameter: shorten(name), detail: 'sent more than once', sent: 'more than one', expected: 'one' };
  }
}

function parseCount(parameters: URLSearchParams, parameter: keyof typeof counts, errors: InputFault[]): number {
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
  errors: InputFault[],
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
): Omit<InputFault, 'parameter'> {
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
export function slicePage<T>(items: readonly T[], { page, size }: Page): T[] {
  return items.slice(page * size, (page + 1) * size);
}

/**
 * The value of `Link` (RFC 8288): first and last always, prev and next if they exist. Beyond the end, prev is the last
 * page. An empty list has one page.
 */
export function pageLinks(path: string, filters: Filters, { page, size }: Page, total: number): string {
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
