import * as v from 'valibot';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { scopeToken } from '../../protocol/scope.ts';
import type { FieldConfig } from './config.ts';
import type { Finding } from './problem.ts';
import { applyRules, entry, flag, list, oneOf, type Rule, readDraft, readField, text } from './schema.ts';

const fieldType = oneOf(['string', 'number', 'integer', 'boolean']);
const scopeName = v.pipe(v.string('text'), v.regex(scopeToken, 'one scope (RFC 6749 §3.3)'));
const acrValues = v.pipe(list(text, 'acr values'), v.minLength(1, 'at least one acr value'));
const seconds = 'a whole number of seconds, 1 or more';
const age = v.pipe(v.number(seconds), v.integer(seconds), v.minValue(1, seconds));

export const collectionMembers = {
  readScope: v.exactOptional(scopeName),
  writeScope: v.exactOptional(scopeName),
  readAcrValues: v.exactOptional(acrValues),
  readMaxAge: v.exactOptional(age),
  writeAcrValues: v.exactOptional(acrValues),
  writeMaxAge: v.exactOptional(age),
  fields: v.record(v.string(), v.unknown(), 'an object with a type for each field'),
  seed: v.exactOptional(list(v.unknown(), 'rows')),
};
export const collectionSchema = entry(collectionMembers);
const fieldSchema = entry({ type: fieldType, required: v.exactOptional(flag) });

const rules: readonly Rule<v.InferOutput<typeof collectionSchema>>[] = [
  {
    reads: ['readScope', 'writeScope'],
    check: ({ readScope, writeScope }) =>
      readScope === undefined && writeScope === undefined
        ? [
            {
              path: ['readScope'],
              expected: 'readScope, writeScope or both: without a scope nobody can use the collection',
            },
          ]
        : [],
  },
  {
    reads: ['readScope', 'readAcrValues', 'readMaxAge', 'writeScope', 'writeAcrValues', 'writeMaxAge'],
    check: members =>
      (['read', 'write'] as const).flatMap(operation =>
        (['AcrValues', 'MaxAge'] as const)
          .map(rule => `${operation}${rule}` as const)
          .filter(name => members[name] !== undefined && members[`${operation}Scope`] === undefined)
          .map(name => ({ path: [name], expected: `${operation}Scope as well` })),
      ),
  },
  {
    reads: ['fields'],
    check: ({ fields = {} }) =>
      Object.keys(fields).length === 0 ? [{ path: ['fields'], value: fields, expected: 'at least one field' }] : [],
  },
];

/** All problems of an entry of `collections`. Seed rows are checked only if the fields are valid. */
export function checkCollection(name: string, raw: unknown): Finding[] {
  const draft = readDraft(collectionSchema, raw);
  const { fields: rawFields = {}, seed = [] } = draft.members;
  const { fields, findings } = readFields(rawFields);
  const isShaped = findings.length === 0 && !draft.invalid.has('fields');
  return [
    ...(/^[a-z][a-z0-9-]*$/.test(name) ? [] : [{ path: [], expected: 'a name of small letters, digits and hyphens' }]),
    ...draft.findings,
    ...applyRules(draft, rules),
    ...findings,
    ...(isShaped ? seedFindings(seed, fields) : []),
  ];
}

function readFields(raw: Readonly<Record<string, unknown>>): {
  fields: Record<string, FieldConfig>;
  findings: Finding[];
} {
  const fields: Record<string, FieldConfig> = {};
  const findings: Finding[] = [];
  for (const [name, written] of Object.entries(raw)) {
    const read = readField(fieldSchema, name, written);
    const path = ['fields', name];
    if (name === 'id') findings.push({ path, expected: 'a different name: every row already has an integer id' });
    else if (!/^[A-Za-z]\w*$/.test(name))
      findings.push({ path, expected: 'a name of letters, digits and underscores' });
    findings.push(...read.findings);
    const { type, required = true } = read.members;
    if (type !== undefined) fields[name] = { type, required };
  }
  return { fields, findings };
}

function seedFindings(rows: readonly unknown[], fields: Readonly<Record<string, FieldConfig>>): Finding[] {
  return [...rows.flatMap((row, index) => rowFindings(row, index, fields)), ...idFindings(rows)];
}

function rowFindings(row: unknown, index: number, fields: Readonly<Record<string, FieldConfig>>): Finding[] {
  const at = ['seed', index];
  if (!isRecord(row)) return [{ path: at, value: row, expected: 'an object' }];
  const unknown = Object.keys(row).filter(name => name !== 'id' && !Object.hasOwn(fields, name));
  return [
    ...unknown.map(name => ({
      path: [...at, name],
      expected: 'a field of the collection',
      nearest: nearestName(name, Object.keys(fields)),
    })),
    ...Object.entries(fields).flatMap(([name, { type, required }]) => {
      const value = row[name];
      const path = [...at, name];
      if (value === undefined) return required ? [{ path, expected: 'a value, because the field is required' }] : [];
      return fits(value, type) ? [] : [{ path, value, expected: `the type ${type}` }];
    }),
  ];
}

/** A row may bring its id; the others get the next free one. */
function idFindings(rows: readonly unknown[]): Finding[] {
  const taken = new Set<unknown>();
  let next = 1;
  return rows.flatMap((row, index) => {
    const given = isRecord(row) ? row.id : undefined;
    const id = given ?? next;
    const isFree = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && id < 2 ** 52 && !taken.has(id);
    if (!isFree)
      return [{ path: ['seed', index, 'id'], value: given, expected: 'a positive integer no other row has' }];
    taken.add(id);
    next = Math.max(next, id + 1);
    return [];
  });
}

function fits(value: unknown, type: FieldConfig['type']): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type && (typeof value !== 'string' || value.length <= 10_000);
}
