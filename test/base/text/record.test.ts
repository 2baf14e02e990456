import { describe, expect, it } from 'vitest';
import { isRecord, recordIn } from '../../../src/base/text/record.ts';

describe('isRecord', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('takes an object as written with braces: %j', value => {
    expect(isRecord(value)).toBe(true);
  });

  it.each([[null], [undefined], ['text'], [1], [[]], [new Date(0)], [new Map()]])('takes nothing else: %j', value => {
    expect(isRecord(value)).toBe(false);
  });
});

describe('recordIn', () => {
  it('reads an object from JSON', () => {
    expect(recordIn('{"sub":"ada"}')).toEqual({ sub: 'ada' });
  });

  it.each([['[]'], ['null'], ['"text"'], ['{"sub":'], ['']])('is undefined for %s', text => {
    expect(recordIn(text)).toBeUndefined();
  });
});
