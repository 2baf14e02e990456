import { nearestName } from '../../../base/text/nearest.ts';
import { entries } from '../../../record/problems/reasons/index.ts';
import { type ConfigProblem, show } from '../../../sandbox/config/problem.ts';
import type { ChainStep, TaskCheck } from '../checks/check.ts';
import type { LessonTask } from '../lesson.ts';
import type { QuizText } from '../text/lesson-text.ts';
import { problemAt } from './pack-problem.ts';

/** The tasks of `lesson.ts` and the headings of `lesson.md`, also where something else is wrong in them. */
export interface TaskNames {
  readonly tasks: readonly NamedTask[];
  /** The ids of the headings `## Task`. */
  readonly written: readonly string[];
  readonly quizzes: readonly QuizText[];
  /** All of `lesson.md` can be read. A heading that cannot is a problem of its own, and may be the one of a task. */
  readonly isTextSound: boolean;
}

export interface NamedTask {
  /** Its place in the list. */
  readonly index: number;
  readonly id: string;
  readonly after?: string;
  /** Absent for a task with a problem. */
  readonly sound?: LessonTask;
}

/** Problems of the ids and names in the tasks of a lesson. */
export function taskProblems(folder: string, names: TaskNames): readonly ConfigProblem[] {
  const { tasks, quizzes } = names;
  const coded = tasks.map(({ id }) => id);
  const all = [...coded, ...quizzes.map(({ question }) => question.id)];
  return [
    ...idProblems(folder, { kind: 'Task', member: 'tasks', coded: tasks, ...names }),
    ...tasks.flatMap(({ index, sound }) =>
      (sound === undefined ? [] : strangersIn(sound)).map(([name, near]) => {
        const expected = `the reason of a refusal, or what a check compares${asked(near)}`;
        return problemAt(folder, { file: `lesson.ts: tasks[${index}].close`, found: show(name), expected });
      }),
    ),
    ...tasks.flatMap(({ index, after }, place) => {
      const earlier = coded.slice(0, place);
      if (after === undefined || earlier.includes(after)) return [];
      const expected = `the id of an earlier task${asked(nearestName(after, earlier))}`;
      return [problemAt(folder, { file: `lesson.ts: tasks[${index}].after`, found: show(after), expected })];
    }),
    ...new Set(all.filter((id, index) => all.indexOf(id) !== index)),
  ].map(each =>
    typeof each === 'string'
      ? problemAt(folder, { expected: `${show(each)} as the id of one task or quiz, not of two` })
      : each,
  );
}

function asked(near: string | undefined): string {
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Tasks or steps in both files. */
interface Pairs extends Pick<TaskNames, 'isTextSound' | 'written'> {
  readonly kind: 'Task' | 'Step';
  /** The list in `lesson.ts`. */
  readonly member: 'tasks' | 'lab.steps';
  readonly coded: readonly Pick<NamedTask, 'index' | 'id'>[];
}

/** Each task or step has its code in `lesson.ts` and its text in `lesson.md`. Two that lack each other are one problem: a wrong id. */
export function idProblems(folder: string, pairing: Pairs): readonly ConfigProblem[] {
  const { kind, member, written, isTextSound } = pairing;
  const coded = pairing.coded.map(({ id }) => id);
  const untold = coded.filter(id => !written.includes(id));
  const uncoded = written.filter(id => !coded.includes(id));
  const pairs = untold.flatMap((id, index) => {
    const other = nearestName(id, uncoded) ?? (untold.length === uncoded.length ? uncoded[index] : undefined);
    return other === undefined ? [] : [[id, other] as const];
  });
  const [wrong, meant] = [pairs.map(([id]) => id), pairs.map(([, other]) => other)];
  const missing = isTextSound ? untold.filter(id => !wrong.includes(id)) : [];
  return [
    ...pairs.map(([id, other]) =>
      problemAt(folder, {
        file: `lesson.ts: ${member}[${pairing.coded.find(each => each.id === id)?.index}].id`,
        found: show(id),
        expected: `the id of a heading in lesson.md: ## ${kind} ${other}`,
      }),
    ),
    ...missing.map(id => problemAt(folder, { file: 'lesson.md', expected: `a heading ## ${kind} ${id}: TITLE` })),
    ...uncoded
      .filter(id => !meant.includes(id))
      .map(id =>
        problemAt(folder, {
          file: `lesson.ts: ${member}`,
          expected: `a ${kind.toLowerCase()} with the id ${show(id)}`,
        }),
      ),
  ];
}

/** Names in `close` that are no reason of a refusal and nothing that a check of the task compares, with the one that is probably meant. */
function strangersIn({ checks, close = {} }: LessonTask): readonly (readonly [name: string, meant?: string])[] {
  const known = [...Object.keys(entries), ...checks.flatMap(comparedBy)];
  return Object.keys(close).flatMap(name => {
    if (known.includes(name)) return [];
    const meant = nearestName(name, known);
    return [meant === undefined ? [name] : [name, meant]];
  });
}

function comparedBy(check: TaskCheck): readonly string[] {
  if (check.form === 'answer') return [];
  const ofChain = check.form === 'chain' ? check.by : [];
  const steps: readonly ChainStep[] = check.form === 'chain' ? check.steps : [check.pattern];
  return [
    ...ofChain,
    ...steps.flatMap(({ request, ...step }) => [
      ...Object.keys(step),
      ...Object.keys({ ...request, ...request?.parameter, ...request?.header }),
      ...Object.values({ ...step.read, ...(check.form === 'exchange' ? check.read : {}) }).map(String),
    ]),
  ];
}
