import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chosenPacks } from '../.ci/chosen-packs.mjs';
import { sourceNumbers } from '../.ci/source-numbers.mjs';

it('gives each pack that is read when chosen a budget of its own', () => {
  const packs = chosenPacks([
    'grantbox.cjs',
    'grantbox.pack',
    'yaml.pack',
    'lessons.pack',
    'provider-okta.pack',
    'shared-store.pack',
  ]);
  expect(packs.map(({ file, most }) => [file, most])).toEqual([
    ['yaml.pack', 45_000],
    ['lessons.pack', 250_000],
    ['provider-okta.pack', 25_000],
    ['shared-store.pack', 180_000],
  ]);
});

it('allows nothing for a pack that has no budget', () => {
  expect(chosenPacks(['other.pack'])).toEqual([{ file: 'other.pack', what: 'a pack without a budget', most: 0 }]);
});

it('the source is no larger than its limits', () => {
  const numbers = sourceNumbers(join(import.meta.dirname, '../src'));
  expect(numbers.filter(({ is, most }) => is > most)).toEqual([]);
  expect(numbers.every(({ is }) => is > 1000)).toBe(true);
});
