import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesBelow } from './support/test-files.ts';

const folders = ['src', 'templates', 'test', 'docs', 'scripts', 'bench', '.ci', 'examples', 'fixtures', 'deploy'];

/** Text files without built assets. */
const files = [...readdirSync('.'), ...folders.flatMap(folder => filesBelow(folder).map(file => `${folder}/${file}`))]
  .filter(file => /\.(ts|mjs|ejs|md|css|txt|py|go|java|cs)$/.test(file) && !file.startsWith('templates/assets/'))
  .filter(file => file !== 'test/words.test.ts');

function linesWith(pattern: RegExp, wanted: readonly string[]): string[] {
  return wanted.flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

it('at most sixty comments of the source open with What', () => {
  const sources = files.filter(file => file.startsWith('src/'));
  expect(sources.length).toBeGreaterThan(500);
  const found = linesWith(/^\s*(\/\*\*|\*|\/\/) What /, sources);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(60);
});

it('no text says whoever', () => {
  expect(linesWith(/whoever/i, files)).toEqual([]);
});
