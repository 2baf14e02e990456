import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../sandbox/config/config.ts';
import { learningSettings } from './settings.ts';

/** The folders of the user's own lessons, beside the configuration; none where lessons are off. */
export function lessonFoldersOf(config: Config): readonly string[] {
  return learningSettings(config).lessons ? findLessonFolders(config.folder) : [];
}

/**
 * The lessons in the folder `lessons` of this folder, as absolute paths in the order of their names. A lesson is a folder with
 * a `lesson.md` or a `lesson.ts`, so that a folder of the same name with other contents is no pack. None without a folder.
 */
export function findLessonFolders(beside = ''): readonly string[] {
  const folder = join(beside, 'lessons');
  if (beside === '' || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => ['lesson.md', 'lesson.ts'].some(file => existsSync(join(folder, name, file))))
    .sort()
    .map(name => join(folder, name));
}
