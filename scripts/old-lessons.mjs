import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const year = 365 * 24 * 3600 * 1000;

/**
 * A sentence for each lesson that nobody has compared with its specifications for a year. The build shows them as warnings,
 * because a build must not fail by the date.
 * @param {string} folder the folder with the lessons
 * @param {Date} today
 * @returns {string[]}
 */
export function oldLessons(folder, today) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && /^a?\d\d-/.test(entry.name))
    .map(({ name }) => name);
  return names.flatMap(name => {
    const [, reviewed = 'nothing'] =
      /^reviewed: (.+)$/m.exec(readFileSync(join(folder, name, 'lesson.md'), 'utf8')) ?? [];
    const age = today.getTime() - Date.parse(reviewed);
    if (age <= year) return [];
    return [
      `lesson ${name} was last compared with its specifications on ${reviewed}: read it again, and update reviewed`,
    ];
  });
}

if (import.meta.filename === process.argv[1]) {
  const warnings = ['src/extensions/lessons', 'src/extensions/lessons/labs'].flatMap(folder =>
    oldLessons(folder, new Date()),
  );
  for (const warning of warnings) console.warn(`warning: ${warning}`);
}
