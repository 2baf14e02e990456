import { expect, expectTypeOf, it } from 'vitest';
import { defined } from '../../src/base/defined.ts';

it('leaves out what is undefined, and nothing else', () => {
  const given: { a: number; b: string | undefined; c: null; d: boolean | undefined } = {
    ...{ a: 0, b: undefined, c: null, d: false },
  };
  const kept = defined(given);
  expect(Object.entries(kept)).toEqual([
    ['a', 0],
    ['c', null],
    ['d', false],
  ]);
  expectTypeOf(kept.a).toEqualTypeOf<number>();
  const strict: { readonly a: number; readonly b?: string } = kept; // absent, and never undefined
  expect('b' in strict).toBe(false);
});
