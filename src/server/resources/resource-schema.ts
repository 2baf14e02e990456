import { describe, shorten } from './challenge.ts';
import { invalidInput, type RequestProblem } from './problem.ts';

export interface FieldConfig {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly required: boolean;
}

export type FieldValue = string | number | boolean;

/** The values of one resource, in the order of the schema. A Map, so that no field name means anything to JavaScript. */
export type FieldValues = ReadonlyMap<string, FieldValue>;

/** The fields of a collection by name, without the implicit `id`. */
export type ResourceSchema = ReadonlyMap<string, FieldConfig>;

/** Characters a string field may hold: keeps a full collection within a few megabytes. */
const maxStringLength = 10_000;

const expectations = {
  string: `a string of up to ${maxStringLength} characters`,
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
} as const;

export function createSchema(fields: Readonly<Record<string, FieldConfig>>): ResourceSchema {
  return new Map(Object.entries(fields).filter(([name]) => name !== 'id'));
}

/**
 * The field values of a JSON body, or a 400 problem that names each invalid, missing and unknown field. The server assigns
 * `id`: a body may only repeat the id of its path, so that a resource can be sent back as it was read.
 */
export function parseResource(schema: ResourceSchema, body: unknown, id?: number): FieldValues {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const problem = { detail: `expected an object, got ${nameOf(body)}`, sent: nameOf(body), expected: 'an object' };
    throw invalidInput('body_invalid', 'the body is not a JSON object', [problem]);
  }
  const sent = new Map<string, unknown>(Object.entries(body));
  const values = new Map<string, FieldValue>();
  const errors: RequestProblem[] = [];
  for (const [field, config] of schema) {
    const value = sent.get(field);
    if (isOfType(value, config.type)) values.set(field, value);
    else if (value !== undefined || config.required) errors.push({ field, ...mismatch(value, config) });
  }
  for (const [field, value] of sent) {
    if (field === 'id') errors.push(...checkId(value, id));
    else if (!schema.has(field)) errors.push(unknownField(field, schema));
  }
  if (errors.length > 0) throw invalidInput('body_invalid', 'the body is not a valid resource', errors);
  return values;
}

function isOfType(value: unknown, type: FieldConfig['type']): value is FieldValue {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'string') return typeof value === 'string' && value.length <= maxStringLength;
  return typeof value === 'boolean';
}

function mismatch(value: unknown, { type }: FieldConfig): Omit<RequestProblem, 'field'> {
  const expected = expectations[type];
  if (value === undefined) return { detail: `missing; expected ${expected}`, sent: 'nothing', expected };
  return { detail: `expected ${expected}, got ${nameOf(value)}`, sent: nameOf(value), expected };
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'string' ? `the string ${describe(value)}` : describe(value);
}

function checkId(value: unknown, id: number | undefined): RequestProblem[] {
  if (id !== undefined && value === id) return [];
  const sent = nameOf(value);
  if (id === undefined) return [{ field: 'id', detail: 'set by the server; leave it out', sent, expected: 'no id' }];
  const expected = `no id, or the id ${id} of the path`;
  return [{ field: 'id', detail: `expected ${expected}, got ${sent}`, sent, expected }];
}

function unknownField(field: string, schema: ResourceSchema): RequestProblem {
  const known = [...schema.keys()].join(', ');
  return {
    field: shorten(field),
    detail: `unknown field; known fields: ${known}`,
    sent: 'an unknown field',
    expected: known,
  };
}

/** A query value read as the type of its field; `undefined` if it cannot be. */
export function parseFieldText(text: string, type: FieldConfig['type']): FieldValue | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const value = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
  return isOfType(value, type) ? value : undefined;
}
