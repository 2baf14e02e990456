import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandFailure } from '../../client/cli/command.ts';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { findLessonFolders } from './lesson-folders.ts';
import { newLesson } from './pack/new-lesson.ts';

/**
 * Writes the files of a new lesson, and tells the next step. `name` is as typed, with or without a number; `taken` are the ids of
 * all lessons.
 */
export function writeLesson(name: string, beside: string, taken: readonly string[]): string {
  const id = name.replace(/^\d+-/, '');
  if (!/^[a-z][a-z\d-]{0,39}$/.test(id))
    throw new CommandFailure(`--new expects small letters, digits and -, such as printer, not ${JSON.stringify(name)}`);
  if (taken.includes(id)) throw new CommandFailure(`${id} is a lesson already`, 1, 'Choose a different name.');
  const folder = id === name ? `${nextNumber(beside)}-${id}` : name;
  const path = join(beside, 'lessons', folder);
  try {
    mkdirSync(path, { recursive: true });
    for (const [file, text] of newLesson(id, new Date().toISOString().slice(0, 10))) {
      writeFileSync(join(path, file), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new CommandFailure(`lessons/${folder} cannot be written (${fileFailure(error)})`);
  }
  return `lessons/${folder} was written. Next:  grantbox lessons --test ${id}`;
}

/** The number after the last lesson: `03`. */
function nextNumber(beside: string): string {
  const numbers = findLessonFolders(beside).map(folder => Number(/^\d+/.exec(basename(folder))?.[0] ?? 0));
  return String(Math.max(0, ...numbers) + 1).padStart(2, '0');
}
