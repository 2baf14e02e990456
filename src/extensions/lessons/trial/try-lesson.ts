import { setTimeout } from 'node:timers/promises';
import type { LessonProgress, TaskProgress } from '../control.ts';
import { type Drawn, type DrawParts, drawMystery } from '../draw.ts';
import type { LessonSolver, NearMiss, TaskSolver } from '../solver.ts';
import { createParticipant } from './participant.ts';

/** The result of one task. `problem` is absent if the solver solved the task and each near miss solved nothing that it must not solve. */
export interface TrialResult {
  readonly lesson: string;
  readonly task: string;
  readonly problem?: string;
}

export interface TrialParts {
  /** The address of the sandbox. */
  readonly url: string;
  readonly lesson: string;
  /** In their order. */
  readonly tasks: readonly string[];
  readonly solver: LessonSolver;
  /** Waits for so many milliseconds. */
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** The suspects of a mystery, and the seed of the sandbox, by which each of them is drawn in its turn. */
  readonly mystery?: Pick<DrawParts, 'suspects' | 'seed'> | undefined;
}

/** Runs the solver and the near misses of each task over real HTTP, and compares each with all tasks of the lesson. */
export async function tryLesson(parts: TrialParts): Promise<readonly TrialResult[]> {
  const { lesson, tasks, solver } = parts;
  const results: TrialResult[] = [];
  for (const task of tasks) {
    const own = solver[task];
    const problem = own === undefined ? 'solve.ts has no solver for it' : await firstProblem(parts, task, own);
    results.push({ lesson, task, problem });
  }
  const strangers = Object.keys(solver).filter(task => !tasks.includes(task));
  return [
    ...results,
    ...strangers.map(task => ({ lesson, task, problem: 'solve.ts solves it, but the lesson has no such task' })),
  ];
}

/** In a mystery, the task is tried with each check missing. */
async function firstProblem({ mystery, ...parts }: TrialParts, task: string, own: TaskSolver) {
  if (mystery === undefined) return problemOf(parts, task, own);
  for (const { id } of mystery.suspects) {
    const problem = await problemOf({ ...parts, mystery, missing: id }, task, own);
    if (problem !== undefined) return `while ${id} is missing, ${problem}`;
  }
  return undefined;
}

async function problemOf(parts: DrawnTrial, task: string, own: TaskSolver): Promise<string | undefined> {
  for (const [name, nearMiss] of Object.entries(own.nearMisses)) {
    const problem = await nearProblemOf(parts, task, nearMiss);
    if (problem !== undefined) return `its near miss "${name}" ${problem}`;
  }
  const after = await resultsAfter(parts, { task, does: by => own.solve(by), state: 'done' });
  if (typeof after === 'string') return `its solver ended with ${after}`;
  const { results, events } = after;
  const solved = results.find(each => each.task === task);
  if (solved?.state !== 'done') return `its solver did not solve it: ${described(solved, events)}`;
  const later = parts.tasks.slice(parts.tasks.indexOf(task) + 1);
  const more = later.filter(each => stateOf(results, each) === 'done');
  return problemWith('its solver', more, own.also);
}

interface DrawnTrial extends TrialParts {
  /** The missing check of a mystery. */
  readonly missing?: string;
}

async function nearProblemOf(parts: DrawnTrial, task: string, nearMiss: NearMiss): Promise<string | undefined> {
  const { also = [], state, says } = nearMiss;
  const after = await resultsAfter(parts, { ...nearMiss, task });
  if (typeof after === 'string') return `ended with ${after}`;
  const { results, events } = after;
  const near = results.find(each => each.task === task);
  if (near?.state === 'done') return 'solved it';
  if (state !== undefined && near?.state !== state) return `is ${described(near, events)}, and its state says ${state}`;
  if (says !== undefined && near?.says?.includes(says) !== true)
    return `is told ${JSON.stringify(near?.says ?? '')}, and its \`says\` is ${JSON.stringify(says)}`;
  const done = parts.tasks.filter(each => stateOf(results, each) === 'done');
  return problemWith('', done, also);
}

/** A task that was done beside the one that was meant, or was not although `also` names it. */
function problemWith(who: string, done: readonly string[], also: readonly string[] = []): string | undefined {
  const stray = done.filter(each => !also.includes(each));
  if (stray.length > 0) return `${who} also solved ${stray.join(', ')}, which its \`also\` does not name`.trim();
  const missed = also.filter(each => !done.includes(each));
  return missed.length > 0 ? `${who} did not solve ${missed.join(', ')}, which its \`also\` names`.trim() : undefined;
}

/** A deed at a task, and the state that is expected of it. */
interface Trial extends Pick<NearMiss, 'does' | 'says'> {
  readonly task: string;
  readonly state?: TaskProgress['state'];
}

interface Outcome {
  readonly results: readonly TaskProgress[];
  /** Types of the events, in their order, each once. */
  readonly events: readonly string[];
}

/** The states of all tasks after somebody worked in a new issuer, or the error that stopped it. */
async function resultsAfter(parts: DrawnTrial, { task, does, state, says }: Trial): Promise<Outcome | string> {
  const { sleep = setTimeout } = parts;
  const { learner, issuer = '' } = await begun(parts);
  try {
    await does(createParticipant(issuer, parts.lesson, parts.missing));
  } catch (error) {
    return String(error);
  }
  const read = async () => (await ask(parts, 'progress', { learner, task })).tasks;
  // a request is recorded shortly after its answer has arrived: before the answer to a later one
  await read();
  let results = await read();
  const wants = (found: TaskProgress | undefined) =>
    (state === undefined || found?.state === state) && (says === undefined || found?.says !== undefined);
  for (let pauses = 0; pauses < mostPauses && !wants(results.find(each => each.task === task)); pauses++) {
    await sleep(pause);
    results = await read();
  }
  return { results, events: await typesAt(issuer) };
}

/** Begins the lesson anew; a mystery as often as it takes until its check is the missing one. */
async function begun(parts: DrawnTrial): Promise<LessonProgress> {
  const { mystery, missing } = parts;
  let progress = await ask(parts, 'reset');
  if (mystery === undefined || missing === undefined) return progress;
  const next = (before?: Drawn) => drawMystery({ ...mystery, before });
  for (let drawn = next(); drawn.missing !== missing; drawn = next(drawn)) {
    progress = await ask(parts, 'reset', { learner: progress.learner });
  }
  return progress;
}

async function typesAt(issuer: string): Promise<readonly string[]> {
  const response = await fetch(`${issuer}/_sandbox/events?limit=100`);
  const { events }: { events: readonly { type: string }[] } = await response.json();
  return [...new Set(events.map(({ type }) => type))];
}

const pause = 10;
const mostPauses = 50;

function stateOf(results: readonly TaskProgress[], task: string): TaskProgress['state'] | undefined {
  return results.find(each => each.task === task)?.state;
}

async function ask(
  { url, lesson }: TrialParts,
  what: 'reset' | 'progress',
  query: Readonly<Record<string, string>> = {},
): Promise<LessonProgress> {
  const address = `${url}/_sandbox/lessons/${lesson}/${what}?${new URLSearchParams(query)}`;
  const response = await fetch(address, { method: what === 'reset' ? 'POST' : 'GET' });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as LessonProgress; // our own control API sends this type
}

function described(progress: TaskProgress | undefined, events: readonly string[]): string {
  if (progress === undefined) return 'no task of the lesson';
  const { state, says, difference } = progress;
  const told = says === undefined ? '' : `, and the page says ${JSON.stringify(says)}`;
  if (difference === undefined) return `${state}; the events were ${events.join(', ') || 'none'}${told}`;
  const { field, sent, expected, has } = difference;
  const fields = has.join(', ') || 'nothing';
  return `${state}: ${field} was ${sent ?? 'absent'}, expected ${expected}; there were ${fields}${told}`;
}
