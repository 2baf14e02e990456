import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFiles } from './support/test-files.ts';
import { workOf } from './support/work.ts';

const tests = testFiles().filter(file => !file.startsWith('no-clock'));

/** A measured duration, or a distance to now that a busy machine makes longer. */
const elapsed = [
  /performance\.now\(|hrtime/,
  /expect\(Math\.abs\([^)]*(Date\.now|wall\(|now\b)/,
  /expect\((Date\.now\(\)|new Date\(\)) -/,
];

it('no test says how long something took: a busy machine takes longer', () => {
  const found = tests.flatMap(file =>
    readFileSync(join(import.meta.dirname, file), 'utf8')
      .split('\n')
      .filter(line => elapsed.some(form => form.test(line)))
      .map(line => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

describe('the work that tests count instead', () => {
  const searches = (times: number) =>
    workOf(() => {
      for (let at = 0; at < times; at++) 'a'.repeat(times).indexOf('b');
    });
  const matches = (times: number) => workOf(() => void 'ab'.repeat(times).replace(/b/g, ''));

  it('is four times as much where a text twice as long is read for each of its letters', () => {
    expect(searches(200) / searches(100)).toBe(4);
  });

  it('is twice as much where it is read once', () => {
    expect(matches(200) / matches(100)).toBeCloseTo(2, 1);
  });
});
