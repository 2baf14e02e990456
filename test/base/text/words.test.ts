import { expect, it } from 'vitest';
import { listing } from '../../../src/base/text/words.ts';

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('lists %j as "%s"', (names, text) => {
  expect(listing(names, 'or')).toBe(text);
});

it('joins the last name with the conjunction that is asked for', () => {
  expect(listing(['a', 'b', 'c'], 'and')).toBe('a, b and c');
});
