import { answer } from '../checks/check.ts';
import type { LabParts, LabSuspect } from '../lab/lab.ts';
import type { LessonCode } from '../lesson.ts';
import type { LessonText } from '../text/lesson-text.ts';
import type { Checked } from './lesson-run.ts';

/** The lab with everything that is careless in this run. Its API exists in each of them. */
export function labWithout(lab: LabParts, { weak: more }: Pick<LabSuspect, 'weak'>): LabParts {
  const { relax = [], unprotected = [], api = [] } = lab.weak;
  const weak = {
    ...lab.weak,
    relax: [...relax, ...(more.relax ?? [])],
    unprotected: [...unprotected, ...(more.unprotected ?? [])],
    api: [...api, ...(more.api ?? [])],
  };
  return { ...lab, weak };
}

/** The attack by hand, and then the question for the missing check. Nothing in between tells how near the learner is. */
export function mysteryTasks(
  { tasks }: Pick<LessonCode, 'tasks'>,
  { quizzes }: Pick<LessonText, 'quizzes'>,
  { id: right, evidence }: LabSuspect,
): readonly Checked[] {
  const after = tasks[0]?.id ?? '';
  return [
    ...tasks.map(({ id }) => ({ id, checks: evidence, isSecret: true as const })),
    ...quizzes.map(({ question }) => ({
      ...{ id: question.id, after, isSecret: true as const },
      checks: [answer({ ...question, right })],
    })),
  ];
}

/** How often the missing check was named until it was right, in words; undefined in other lessons. */
export function triesIn(answers: Readonly<Record<string, string>>): string | undefined {
  const tries = Object.entries(answers).find(([name]) => name.endsWith(':tries'))?.[1];
  return tries === undefined ? undefined : tries === '1' ? 'at the first try' : `in ${tries} tries`;
}
