import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUuid, stableId } from '../../../src/protocol/random.ts';
import { createStableIds } from '../../../src/providers/keycloak/admin/realm.ts';
import { pageOf } from '../../../src/providers/management/call.ts';
import { membersIn, recordsIn } from '../../../src/providers/management/members.ts';
import { createPathTable } from '../../../src/server/http/path-table.ts';

const shape = {
  name: 'text',
  count: 'number',
  isOn: 'flag',
  tags: 'texts',
  facts: 'record',
  parts: 'records',
  attributes: 'lists',
} as const;

describe('the members of a body', () => {
  it('are those of the shape, without null', () => {
    const body = {
      name: 'a',
      count: 1,
      isOn: false,
      tags: ['x'],
      facts: { a: 1 },
      parts: [{ b: 2 }],
      attributes: { one: 'x', many: ['y', 'z'] },
      unknown: 1,
    };
    expect(membersIn(body, shape)).toEqual({
      name: 'a',
      count: 1,
      isOn: false,
      tags: ['x'],
      facts: { a: 1 },
      parts: [{ b: 2 }],
      attributes: { one: ['x'], many: ['y', 'z'] },
    });
    expect(membersIn({ name: null }, shape)).toEqual({});
    expect(recordsIn([{ name: 'a' }, {}], shape)).toEqual([{ name: 'a' }, {}]);
  });

  it.each([
    ['a text as body', 'x', 'the body must be an object'],
    ['a list as body', [], 'the body must be an object'],
    ['null as body', null, 'the body must be an object'],
    ['a number as text', { name: 1 }, 'name must be text'],
    ['a text as number', { count: '1' }, 'count must be a number'],
    ['a text as flag', { isOn: 'true' }, 'isOn must be true or false'],
    ['a list of numbers', { tags: [1] }, 'tags must be a list of texts'],
    ['a list as object', { facts: [] }, 'facts must be an object'],
    ['a list of texts as objects', { parts: ['x'] }, 'parts must be a list of objects'],
    ['numbers as attributes', { attributes: { a: 1 } }, 'attributes must be an object with lists of texts'],
  ])('are refused for %s', (_, body, description) => {
    expect(() => membersIn(body, shape)).toThrow(expect.objectContaining({ status: 400, description }));
  });

  it('are never those of the prototype', () => {
    expect(membersIn({}, { constructor: 'record', toString: 'text' } as const)).toEqual({});
  });
});

describe('a page of a list', () => {
  const names = { offset: 'first', limit: 'max', usual: 2 };
  it.each([
    ['', [1, 2]],
    ['first=1', [2, 3]],
    ['max=-1', [1, 2, 3, 4]],
    ['max=0', []],
    ['first=3&max=9', [4]],
    ['first=-5', [1, 2]],
    ['first=x&max=1e9', [1, 2]],
    ['first=99999999999', [1, 2]],
  ])('by %s', (query, found) => {
    expect(pageOf([1, 2, 3, 4], new URLSearchParams(query), names)).toEqual(found);
  });
});

describe('a UUID of a name', () => {
  it('is a UUID of version 5, the same each time, and another for another name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(stableId('space', a)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(stableId('space', a)).toBe(stableId('space', a));
        expect(stableId('space', a) === stableId('space', b)).toBe(a === b);
      }),
    );
  });

  it('leads back to the name, which is accepted itself', () => {
    const { idOf, nameOf } = createStableIds('http://localhost:9000');
    const own = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
    const known = new Map([
      ['alice', 1],
      [own, 2],
    ]);
    expect(nameOf('user', idOf('user', 'alice'), known)).toBe('alice');
    expect(nameOf('user', 'alice', known)).toBe('alice');
    expect([idOf('user', own), nameOf('user', own, known)]).toEqual([own, own]);
    expect(nameOf('client', idOf('user', 'alice'), known)).toBeUndefined();
    expect(nameOf('user', 'bob', known)).toBeUndefined();
    expect(isUuid(idOf('user', 'alice'))).toBe(true);
    expect(createStableIds('http://localhost:9001').idOf('user', 'alice')).not.toBe(idOf('user', 'alice'));
  });
});

describe('a path with a name for all the rest', () => {
  const table = createPathTable([
    { method: 'GET', path: '/by-path/{path*}' },
    { method: 'GET', path: '/by-path/count' },
  ]);
  it.each([
    ['/by-path/a', { path: 'a' }],
    ['/by-path/a/b/c', { path: 'a/b/c' }],
    ['/by-path/a%2Fb/c', { path: 'a/b/c' }],
    ['/by-path/count', {}],
  ])('finds %s', (path, names) => {
    expect(table.find(path)?.names).toEqual(names);
  });

  it('finds nothing without a rest', () => {
    expect(['/by-path', '/by-path/', '/other/a'].map(path => table.find(path))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
