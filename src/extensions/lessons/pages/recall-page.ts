import type { Lessons } from '../lessons.ts';
import { isDue, type Recall, recalled } from '../run/recall.ts';
import type { QuizText } from '../text/lesson-text.ts';
import { toHtml, toLine } from '../text/to-html.ts';

/** How many questions are asked again now, and later. */
export function recallCount({ runs, now }: Lessons, learner: string | undefined) {
  const all = [...runs.recalls(learner).values()].filter(({ due }) => due !== undefined);
  const due = all.filter(recall => isDue(recall, now())).length;
  return { due, later: all.length - due };
}

/** The missed questions that are due. `answered`: the one that was just answered, as `lesson/question`. */
export async function recallPage(lessons: Lessons, learner: string | undefined, answered: string | undefined) {
  const time = lessons.now();
  // in the order in which they were missed, so that an answer leaves each question in its place
  const entries = [...lessons.runs.recalls(learner)];
  const shown = entries.filter(([key, recall]) => isDue(recall, time) || key === answered);
  const next = entries.flatMap(([, { due = 0 }]) => (due > time ? [due] : [])).sort((a, b) => a - b);
  const quizzes = await Promise.all(shown.map(([key, recall]) => quizView(lessons, key, recall, time)));
  return {
    quizzes: quizzes.flatMap(quiz => quiz ?? []),
    later: next.length,
    next: next[0] === undefined ? '' : daysFrom(time, next[0]),
  };
}

/** Takes the answer to a question. Does nothing if it is not asked. */
export async function recall(lessons: Lessons, learner: string | undefined, key: string, chosen: string) {
  const recalls = lessons.runs.recalls(learner);
  const [asked, text] = [recalls.get(key), (await questionAt(lessons, key))?.text];
  if (asked === undefined || text === undefined || !isDue(asked, lessons.now())) return;
  recalls.set(key, recalled(asked, { isRight: chosen === text.question.right, chosen, now: lessons.now() }));
}

async function questionAt({ runs }: Lessons, key: string) {
  const [id = '', question] = key.split('/');
  const lesson = await runs.open(id);
  const text = lesson?.text.quizzes.find(quiz => quiz.question.id === question);
  return lesson && text && { title: lesson.text.title, lesson: id, text };
}

async function quizView(lessons: Lessons, key: string, { due, chosen = '' }: Recall, time: number) {
  const asked = await questionAt(lessons, key);
  if (asked === undefined) return undefined;
  const { question, title, options, explanation }: QuizText = asked.text;
  const isRight = due === undefined || due > time;
  const why = options.find(({ id }) => id === chosen)?.why ?? '';
  return {
    ...{ id: key, title, isRight, isRevealed: isRight, isPrediction: false },
    of: { id: asked.lesson, title: asked.title },
    chosen: isRight ? (question.right ?? '') : chosen,
    options: options.map(({ id, text }) => ({ id, text: toLine(text) })),
    ...(why === '' ? {} : { why: toLine(why) }),
    ...(isRight ? { explanation: toHtml(explanation, {}), back: due === undefined ? '' : daysFrom(time, due) } : {}),
  };
}

function daysFrom(time: number, due: number): string {
  const days = Math.ceil((due - time) / 86_400);
  return days === 1 ? 'in one day' : `in ${days} days`;
}
