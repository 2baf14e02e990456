import type { OpenLesson } from '../run/lesson-runs.ts';
import { type Level, levels } from '../text/lesson-text.ts';

/** The lessons of one level, in order. */
export interface PathLevel {
  readonly title: string;
  readonly about: string;
  /** Lessons, each beside its lab. */
  readonly rows: readonly { readonly lesson: OpenLesson; readonly lab?: OpenLesson }[];
  /** Labs that belong to no lesson of the list. */
  readonly more: readonly OpenLesson[];
}

const words: Readonly<Record<Level, readonly [title: string, about: string]>> = {
  'first steps': ['First steps', 'How one sign-in works.'],
  everyday: ['Everyday', 'What an app and an API need in production.'],
  attacks: ['Attacks', 'What goes wrong when one check is missing.'],
};

/** All lessons by their level. Those of the user that name none come last. */
export function pathOf(lessons: readonly OpenLesson[]): readonly PathLevel[] {
  const isLab = ({ code }: OpenLesson) => code.lab !== undefined;
  const ownerOf = (lab: OpenLesson) => lessons.find(({ text }) => text.labId === lab.id);
  const labOf = (lesson: OpenLesson) => lessons.find(each => isLab(each) && ownerOf(each) === lesson);
  return [...levels, undefined]
    .map(level => {
      const here = lessons.filter(({ text }) => text.level === level);
      const [title, about] =
        level === undefined ? ['Your own', 'The lessons beside your configuration.'] : words[level];
      const rows = here.filter(each => !isLab(each)).map(lesson => ({ lesson, lab: labOf(lesson) }));
      return { title, about, rows, more: here.filter(each => isLab(each) && ownerOf(each) === undefined) };
    })
    .filter(({ rows, more }) => rows.length + more.length > 0);
}

/** The order in which the list leads through all lessons: labs come after the lessons. */
export function orderOf(path: readonly PathLevel[]): readonly OpenLesson[] {
  const labs = path.flatMap(({ rows, more }) => [...rows.flatMap(({ lab }) => lab ?? []), ...more]);
  return [...path.flatMap(({ rows }) => rows.map(({ lesson }) => lesson)), ...labs];
}

/** The number of each lesson by its id. Labs have none. */
export function numbersOf(path: readonly PathLevel[]): ReadonlyMap<string, number> {
  return new Map(path.flatMap(({ rows }) => rows).map(({ lesson }, index) => [lesson.id, index + 1]));
}
