import { basename } from 'node:path';
import type { ConfigProblem } from '../../../sandbox/config/problem.ts';

interface Told extends Pick<ConfigProblem, 'expected' | 'nearest'> {
  /** The file of the lesson, and the place in it: `lesson.ts: tasks[0].id`. Default: the folder itself. */
  readonly file?: string;
  readonly found?: string;
}

export function problemAt(folder: string, { file, found, ...told }: Told): ConfigProblem {
  return { source: nameOf(folder, file), ...told, ...(found === undefined ? {} : { value: found }) };
}

/** The path that the user knows: `lessons/01-printer/lesson.md`. */
export function nameOf(folder: string, file?: string): string {
  return ['lessons', basename(folder), ...(file === undefined ? [] : [file])].join('/');
}
