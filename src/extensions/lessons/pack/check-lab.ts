import * as v from 'valibot';
import { nearestName } from '../../../base/text/nearest.ts';
import { isRecord } from '../../../base/text/record.ts';
import { relaxationNames } from '../../../protocol/relaxation.ts';
import { type ConfigProblem, show } from '../../../sandbox/config/problem.ts';
import { entry, list, oneOf, text } from '../../../sandbox/config/schema.ts';
import { protectionNames } from '../demo-app/checks.ts';
import { apiWords } from '../lab/weakness-words.ts';
import { predictions, type QuizText } from '../text/lesson-text.ts';
import { problemAt } from './pack-problem.ts';

const object = v.custom<object>(isRecord, 'an object');
const run = v.custom<() => unknown>(value => typeof value === 'function', 'a function');
const names = <const T extends readonly string[]>(known: T) => v.optional(list(oneOf(known), 'names'));

const step = entry({
  id: v.pipe(
    text,
    v.regex(/^[\w-]+$/, 'letters, digits, _ and -'),
    v.notValue('victim', 'an id other than victim, which is the button of a desk'),
  ),
  by: oneOf(['alice', 'mallory', 'app']),
  run,
});
const act = {
  label: v.optional(text),
  staysAway: v.optional(v.literal(true, 'true')),
  victim: v.optional(run),
  arrives: v.optional(run),
};
const weak = v.pipe(
  entry({
    relax: names(relaxationNames),
    unprotected: names(protectionNames),
    always: names(protectionNames),
    clients: v.optional(v.record(v.string(), object, 'an object with members for each client_id')),
    api: names(Object.keys(apiWords)),
  }),
  v.check(
    all => Object.values(all).some(each => Object.keys(each ?? {}).length > 0),
    'a weakness: relax, unprotected, always, clients or api',
  ),
);

/** The member `lab` of `lesson.ts`. */
export const labSchema = entry({
  steps: v.pipe(list(step, 'steps'), v.minLength(1, 'at least one step')),
  weak,
  second: v.optional(object),
  desk: v.optional(entry({ ...act, page: v.optional(text), more: v.optional(v.record(v.string(), entry(act))) })),
});

/** A lab as far as it can be read. */
export interface LabDraft {
  /** The whole code of the lesson. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly quizzes: readonly QuizText[];
  /** The ids of the tasks in `lesson.ts` and in `lesson.md`, in their order. */
  readonly coded: readonly string[];
  readonly written: readonly string[];
}

/** Undefined for a lesson that is no lab. */
export function labIn(content: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(content) && isRecord(content.lab) ? content.lab : undefined;
}

/** The ids of the steps of a lab, with their places. */
export function stepsIn(content: unknown): readonly { readonly index: number; readonly id: string }[] {
  const steps: unknown = labIn(content)?.steps;
  return (Array.isArray(steps) ? steps : []).flatMap((each: unknown, index) =>
    isRecord(each) && typeof each.id === 'string' ? [{ index, id: each.id }] : [],
  );
}

/** Problems of a lab that its schema cannot see: what its text lacks, and a weakness that nothing in it has. */
export function labProblems(folder: string, draft: LabDraft): readonly ConfigProblem[] {
  return [...taskListProblems(folder, draft), ...textProblems(folder, draft), ...weaknessProblems(folder, draft)];
}

/** The page of a lab has its tasks by their order. */
function taskListProblems(folder: string, { content, coded, written }: LabDraft): readonly ConfigProblem[] {
  const wanted = ['attack', 'again', ...(labIn(content)?.desk === undefined ? [] : ['goal'])];
  const isSame = (ids: readonly string[]) => [...ids].sort().join() === [...wanted].sort().join();
  const expected = `the tasks of a lab, in this order: ${wanted.join(', ')}`;
  const files = [['lesson.ts: tasks', coded] as const, ['lesson.md', written] as const];
  // an id that only one of the files has is a problem of its own
  if (isSame(coded) !== isSame(written)) return [];
  return files
    .filter(([, ids]) => ids.join() !== wanted.join())
    .map(([file, ids]) => problemAt(folder, { file, found: ids.join(', '), expected }));
}

function textProblems(folder: string, { content, text: file, quizzes }: LabDraft): readonly ConfigProblem[] {
  const question = quizzes.find(({ question: { id } }) => id === predictions.attack)?.question;
  const missing = (['Defence', 'Yours'] as const)
    .filter(name => !new RegExp(`^## ${name}: .`, 'm').test(file))
    .map(name => `a heading ## ${name}: TITLE`);
  if (question === undefined) missing.push(`a question ## Quiz ${predictions.attack}: TITLE, asked before the attack`);
  else if (question.right === undefined) missing.push(`[x] at the right line below ## Quiz ${predictions.attack}`);
  return [
    ...missing.map(expected => problemAt(folder, { file: 'lesson.md', expected })),
    ...stopProblems(folder, file, content),
  ];
}

/** The second prediction asks for this step. */
function stopProblems(folder: string, file: string, content: unknown): readonly ConfigProblem[] {
  const lines = file.split('\n');
  const index = lines.findIndex(line => line.startsWith('stops:'));
  const expected = 'stops: and the id of the step at which the defence stops the attack';
  const [, found = ''] = lines[index]?.split(/:\s*/) ?? [];
  if (found === '') return [problemAt(folder, { file: `lesson.md:${Math.max(0, index) + 1}`, expected })];
  const steps = stepsIn(content).map(({ id }) => id);
  if (steps.includes(found)) return [];
  const nearest = nearestName(found, steps);
  const told = { file: `lesson.md:${index + 1}`, found: show(found), expected: 'the id of a step' };
  return [problemAt(folder, nearest === undefined ? told : { ...told, nearest })];
}

function weaknessProblems(folder: string, { content }: LabDraft): readonly ConfigProblem[] {
  const { relax, unprotected, always, api, clients = {} } = recordIn(labIn(content)?.weak);
  const issuer = recordIn(content.issuer);
  const listed: readonly unknown[] = Array.isArray(issuer.clients) ? issuer.clients : [];
  const ids = listed.map(each => String(recordIn(each).client_id));
  const careless = ids.filter(id => id.startsWith('lab-'));
  const isLacking = (name: unknown, isThere: boolean) => Array.isArray(name) && name.length > 0 && !isThere;
  const at = (name: string, expected: string) => problemAt(folder, { file: `lesson.ts: lab.weak.${name}`, expected });
  return [
    ...(isLacking(relax, careless.length > 0)
      ? [at('relax', 'a client in issuer.clients whose client_id begins with lab-: no other is careless')]
      : []),
    ...(isLacking(unprotected, ids.includes('lab-app'))
      ? [at('unprotected', 'a client lab-app in issuer.clients, which the demo app of a lab is')]
      : []),
    ...(isLacking(always, ids.includes('lab-app'))
      ? [at('always', 'a client lab-app in issuer.clients, which the demo app of a lab is')]
      : []),
    ...(isLacking(api, Object.keys(recordIn(issuer.collections)).length > 0)
      ? [at('api', 'collections in issuer, which {{issuer}}/labs/api serves')]
      : []),
    ...Object.keys(recordIn(clients))
      .filter(id => !careless.includes(id))
      .map(id => {
        const nearest = nearestName(id, careless);
        const expected = 'a client in issuer.clients whose client_id begins with lab-';
        const told = { file: 'lesson.ts: lab.weak.clients', found: show(id), expected };
        return problemAt(folder, nearest === undefined ? told : { ...told, nearest });
      }),
  ];
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
