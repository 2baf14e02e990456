import { describe, expect, it } from 'vitest';
import {
  describeValue,
  lenientParameter,
  parameter,
  parseParameters,
  rejectUnreadable,
  requiredParameter,
  shorten,
  unknownParameters,
} from '../../src/protocol/parameters.ts';

describe('form-encoded parameters (RFC 6749 Appendix B)', () => {
  it.each([
    ['a=1', '1'],
    ['a=', undefined],
    ['a', undefined],
    ['', undefined],
    ['b=1', undefined],
    ['a=%41', 'A'],
    ['a=+b', ' b'],
    ['a=%2B', '+'],
    ['a=%E2%82%AC', '€'],
    ['a=b=c', 'b=c'],
    ['%61=1', '1'],
    ['&&a=1&&', '1'],
    ['=x&a=1', '1'],
  ])('%j gives %j', (encoded, value) => {
    expect(parameter(parseParameters(encoded), 'a')).toBe(value);
  });

  it.each(['a=%', 'a=%4', 'a=%zz', 'a=%ff', 'a=%C3', 'a=%00', 'a=x%0d%0ay', 'a=%7f', 'a=\0', 'a=%1b'])(
    'refuses %j as unreadable',
    encoded => {
      expect(() => parameter(parseParameters(encoded), 'a')).toThrow('a is not readable');
    },
  );

  it.each(['%=1', 'a%00=1', 'a%0d%0ab=1', '%ff', '%00'])('refuses the name in %j', encoded => {
    expect(() => rejectUnreadable(parseParameters(encoded))).toThrow('a parameter name is not readable');
  });

  it.each(['a=1&a=2', 'a=1&a=1', 'a=1&a=', 'a=&a=1', 'a&a', 'a=1&%61=2'])('refuses %j as repeated', encoded => {
    expect(() => parameter(parseParameters(encoded), 'a')).toThrow('a is included more than once');
    expect(() => rejectUnreadable(parseParameters(encoded))).toThrow('a is included more than once');
  });

  it('keeps every resource, in order, without the empty ones', () => {
    const { resources, repeated } = parseParameters('resource=b&resource=&resource=a');
    expect(resources).toEqual(['b', 'a']);
    expect(repeated.size).toBe(0);
  });

  it('takes a hundred parameters and no more', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    expect(parseParameters(many(100)).values.size).toBe(100);
    expect(() => parseParameters(many(101))).toThrow('more than 100 parameters');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('knows %s only when it was sent', name => {
    expect(parameter(parseParameters('a=1'), name)).toBeUndefined();
    expect(parameter(parseParameters(`${name}=1`), name)).toBe('1');
  });

  it('names a missing parameter', () => {
    expect(() => requiredParameter(parseParameters('code='), 'code')).toThrow('invalid_request: code is missing');
  });

  it('gives nothing for an answer where the value is not certain', () => {
    expect(lenientParameter(parseParameters('state=1&state=2'), 'state')).toBeUndefined();
    expect(lenientParameter(parseParameters('state=%zz'), 'state')).toBeUndefined();
    expect(lenientParameter(parseParameters('state=1'), 'state')).toBe('1');
  });

  it('lists ignored parameters', () => {
    expect(unknownParameters(parseParameters('code=1&audience=x&utm_source=y'), new Set(['code']))).toEqual([
      'audience',
      'utm_source',
    ]);
  });

  it.each([
    ['text', 'text'],
    [42, '42'],
    [null, 'null'],
    [undefined, 'undefined'],
    [['a'], 'a list'],
    [{ toString: 1 }, 'an object'],
  ])('tells of what may be anything: %j is %s', (value, told) => {
    expect(describeValue(value)).toBe(told);
  });

  it('shortens values that a message repeats', () => {
    expect(shorten('x'.repeat(1000)).length).toBeLessThan(250);
    expect(shorten('short')).toBe('short');
  });
});
