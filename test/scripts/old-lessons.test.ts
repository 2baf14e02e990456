import { expect, it } from 'vitest';
import { oldLessons } from '../../scripts/old-lessons.mjs';
import { newFolder } from '../support/new-folder.ts';

function folderWith(reviewed: Readonly<Record<string, string>>): string {
  const texts = Object.entries(reviewed).map(([name, line]) => [
    `${name}/lesson.md`,
    `---\ntitle: A lesson\n${line}\n---\nText\n`,
  ]);
  return newFolder(Object.fromEntries(texts));
}

it('warns of each lesson that nobody has read for a year', () => {
  const folder = folderWith({
    '01-old': 'reviewed: 2025-01-01',
    '02-new': 'reviewed: 2025-12-31',
    checks: 'reviewed: 2000-01-01',
  });
  expect(oldLessons(folder, new Date('2026-01-02'))).toEqual([expect.stringContaining('01-old was last compared')]);
  expect(oldLessons(folder, new Date('2026-01-01'))).toEqual([]);
});

it('finds the day in each lesson there is', () => {
  const all = oldLessons('src/extensions/lessons', new Date('2100-01-01'));
  expect(all.length).toBeGreaterThanOrEqual(12);
  for (const warning of all) expect(warning).toMatch(/on \d{4}-\d\d-\d\d:/);
});
