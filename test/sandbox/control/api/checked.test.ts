import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { OAuthError } from '../../../../src/protocol/errors.ts';
import { jsonSchemaOf } from '../../../../src/sandbox/config/json-schema.ts';
import { checked } from '../../../../src/sandbox/control/api/checked.ts';
import { wholeNumber, yesOrNo } from '../../../../src/sandbox/control/api/query-values.ts';
import { createPathTable } from '../../../../src/server/http/path-table.ts';
import { operations } from '../../../support/tables.ts';

function problems(schema: v.GenericSchema | undefined, sent: unknown) {
  try {
    checked(schema, sent);
    return [];
  } catch (error) {
    if (error instanceof OAuthError) return error.details.problems;
    throw error;
  }
}
const person = v.strictObject({
  name: v.string(),
  password: v.optional(v.number()),
  kind: v.optional(v.picklist(['cat', 'dog'])),
  parts: v.optional(v.array(v.strictObject({ size: v.number() }))),
});

describe('a sent body', () => {
  it('is answered with all its problems, without secrets', () => {
    const sent = { password: 'hush', kind: 'dgo', nmae: 'x', colour: 1, parts: [{ size: 'L' }, { sice: 1 }] };
    expect(problems(person, sent)).toEqual([
      { member: 'nmae', expected: 'one of name, password, kind, parts', nearest: 'name' },
      { member: 'colour', expected: 'one of name, password, kind, parts' },
      { member: 'name', expected: 'a value, because it is required' },
      { member: 'password', sent: '***', expected: 'a number' },
      { member: 'kind', sent: '"dgo"', expected: 'cat or dog', nearest: 'dog' },
      { member: 'parts[0].size', sent: '"L"', expected: 'a number' },
      { member: 'parts[1].size', expected: 'a value, because it is required' },
      { member: 'parts[1].sice', expected: 'one of size', nearest: 'size' },
    ]);
    expect(problems(person, ['x'])).toEqual([{ member: '', sent: 'a list', expected: 'an object' }]);
    expect(problems(undefined, { what: 1 })).toMatchObject([{ member: 'what' }]);
    expect(problems(undefined, {})).toEqual([]);
  });

  it('is text in a query, and read as what it stands for', () => {
    const query = v.strictObject({ n: v.optional(wholeNumber(1, 10, 'n')), b: v.optional(yesOrNo('b')) });
    expect(checked(query, { n: '7', b: 'true' })).toEqual({ n: 7, b: true });
    expect(problems(query, { n: '11', b: 'yes' })).toEqual([
      { member: 'n', sent: '"11"', expected: 'a whole number from 1 to 10' },
      { member: 'b', sent: '"yes"', expected: 'true or false' },
    ]);
    expect(jsonSchemaOf(query).properties).toEqual({
      n: { type: 'integer', minimum: 1, maximum: 10, description: 'n' },
      b: { type: 'boolean', description: 'b' },
    });
  });

  it('is refused by every operation in words, or let through, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        fc.jsonValue({ maxDepth: 3 }),
        ({ body, query, checksBody }, sent) => {
          for (const schema of [checksBody ? undefined : body, query]) {
            for (const { member, expected } of problems(schema, sent) ?? []) {
              expect([typeof member, expected.length > 0]).toEqual(['string', true]);
            }
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is what the document says: what its schema refuses is refused', () => {
    const ajv = new Ajv2020({ strict: false });
    const strict = operations.filter(({ body, checksBody }) => body !== undefined && !checksBody);
    const validators = new Map(
      strict.map(each => [each, ajv.compile({ ...jsonSchemaOf(each.body ?? v.unknown()) } as object)]),
    );
    fc.assert(
      fc.property(fc.constantFrom(...strict), fc.dictionary(fc.string(), fc.jsonValue()), (each, sent) => {
        const validate = validators.get(each);
        if (validate?.(sent) === false) expect(problems(each.body, sent)?.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('paths', () => {
  const table = createPathTable(operations);

  it('lead to their operation, names decoded', () => {
    expect(table.find('/clients/a%2Fb')).toMatchObject({
      names: { client_id: 'a/b' },
      route: { path: '/clients/{client_id}' },
    });
    expect(table.find('/events/wait')?.route.path).toBe('/events/wait');
    expect(table.find('')?.route.path).toBe('');
    for (const none of ['/clients/', '/clients/a/b', '/clients/%', '/Clients', '//'])
      expect(table.find(none), none).toBeUndefined();
  });

  it('take any name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), name => {
        expect(table.find(`/users/${encodeURIComponent(name)}`)?.names).toEqual({ sub: name });
      }),
    );
  });

  it('are each of one operation and method', () => {
    const rows = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{.+?\}/g, '{}')}`);
    expect(new Set(rows).size).toBe(rows.length);
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });
});
