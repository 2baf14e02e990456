import { type LabTask, predictions, roundOf } from '../text/lesson-text.ts';
import type { LessonRun } from './lesson-run.ts';

/** The task of a lab that its buttons do with the defence as it is. */
export function taskNow({ lab }: Pick<LessonRun, 'lab'>): LabTask {
  return lab?.isDefended() === true ? 'again' : 'attack';
}

/** The question to answer before the steps run; undefined once it is answered. */
export function missingPrediction(run: LessonRun): string | undefined {
  const question = predictions[taskNow(run)];
  return run.answers()[question] === undefined ? question : undefined;
}

/** False for a prediction that was made, once a step of its attack has run. */
export function mayAnswer(run: LessonRun, question: string): boolean {
  const task = roundOf(question);
  if (task === undefined || run.answers()[question] === undefined) return true;
  return run.results().get(task)?.state !== 'done' && !hasBegun(run, task);
}

export function hasBegun({ lab }: LessonRun, task: LabTask): boolean {
  const round = task === 'again' ? lab?.rounds.defended : lab?.rounds.open;
  return (round?.steps.size ?? 0) > 0;
}
