import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadExport } from '../../../sandbox/config/clients-file.ts';
import type { Config } from '../../../sandbox/config/config.ts';
import { ConfigError } from '../../../sandbox/config/problem.ts';
import type { LessonKit } from '../author.ts';
import { builtIn, labs } from '../built-in.ts';
import { answer, chain, exchange, seen } from '../checks/check.ts';
import { LabStop } from '../lab/lab.ts';
import type { LessonFolder } from '../lesson.ts';
import { labIn } from './check-lab.ts';
import { checkLesson, type LessonSource } from './check-lesson.ts';

/** A lesson from a folder of the user. */
export interface PackLesson extends LessonFolder {
  /** Absolute. */
  readonly folder: string;
}

/**
 * Reads and checks the lessons and labs in these folders.
 * @throws ConfigError that lists every problem of every lesson
 */
export async function readPack(folders: readonly string[], derive: Config['derive']): Promise<readonly PackLesson[]> {
  const sources: LessonSource[] = [];
  for (const folder of folders)
    sources.push({ folder, id: idOf(folder), text: textIn(folder), ...(await codeIn(folder)) });
  const ownLabs = sources.filter(({ content }) => labIn(content) !== undefined);
  const known = {
    all: [...builtIn, ...sources].map(({ id }) => id),
    labs: [...labs, ...ownLabs].map(({ id }) => id),
  };
  const checked = [];
  for (const source of sources) checked.push({ ...source, ...(await checkLesson(source, known, derive)) });
  const problems = checked.flatMap(each => each.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return checked.flatMap(({ id, folder, code, text = '' }) =>
    code === undefined ? [] : { id, folder, load: async () => ({ lesson: code, text }) },
  );
}

function idOf(folder: string): string {
  return basename(folder).replace(/^\d+-/, '');
}

function textIn(folder: string): string | undefined {
  const path = join(folder, 'lesson.md');
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : undefined;
}

const kit: LessonKit = { seen, chain, exchange, answer, stop: message => new LabStop(message) };

/** A function gets the kit; data is used unchanged. */
async function codeIn(folder: string): Promise<Pick<LessonSource, 'content' | 'unreadable'>> {
  const loaded = await loadExport(join(folder, 'lesson.ts'), 'lesson');
  if ('problem' in loaded) return { unreadable: loaded.problem };
  const { content } = loaded;
  if (typeof content !== 'function') return { content };
  try {
    return { content: content(kit) };
  } catch (error) {
    return { unreadable: `a function that returns a lesson, but it threw ${String(error)}` };
  }
}
