import { type Mistake, mistakes } from '../mistakes.ts';
import type { LessonRuns } from '../run/lesson-runs.ts';

/** The catalogue of mistakes, with the titles of its labs and lessons. */
export function mistakesPage(runs: LessonRuns) {
  return Promise.all(
    mistakes.map(async kind => ({
      ...kind,
      mistakes: await Promise.all(kind.mistakes.map(each => mistakeView(runs, each))),
    })),
  );
}

async function mistakeView(runs: LessonRuns, { lab, lesson = '', ...told }: Mistake) {
  const [id, task] = lesson.split('/');
  const [ofLab, ofLesson] = [await titled(runs, lab), await titled(runs, id)];
  return { ...told, lab: ofLab, lesson: ofLesson && { ...ofLesson, task } };
}

async function titled(runs: LessonRuns, id = '') {
  const lesson = await runs.open(id);
  return lesson && { id, title: lesson.text.title };
}
