import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceNumbers } from '../.ci/source-numbers.mjs';

it('the source is no larger than its limits', () => {
  const numbers = sourceNumbers(join(import.meta.dirname, '../src'));
  expect(numbers.filter(({ is, most }) => is > most)).toEqual([]);
  expect(numbers.every(({ is }) => is > 1000)).toBe(true);
});
