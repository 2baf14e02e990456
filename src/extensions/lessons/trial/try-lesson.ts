import type { LessonProgress, TaskProgress } from '../control.ts';
import type { LessonSolver, Participant, TaskSolver } from '../solver.ts';
import { createParticipant } from './participant.ts';

export interface TrialParts {
  /** The URL of a sandbox with the lesson. */
  readonly url: string;
  readonly lesson: string;
  readonly tasks: readonly string[];
  readonly solver: LessonSolver;
  /** Waits for so many milliseconds. */
  sleep(milliseconds: number): Promise<unknown>;
}

/** Without `fault`, the solver solved the task and the near miss did not. */
export interface TrialResult {
  readonly lesson: string;
  readonly task: string;
  readonly fault?: string;
}

/** Runs the solver and the near miss of each task over real HTTP. */
export async function tryLesson(parts: TrialParts): Promise<readonly TrialResult[]> {
  const { lesson, tasks, solver } = parts;
  const results: TrialResult[] = [];
  for (const task of tasks) {
    const own = solver[task];
    const fault = own === undefined ? 'solve.ts has no solver for it' : await faultOf(parts, task, own);
    results.push({ lesson, task, ...(fault === undefined ? {} : { fault }) });
  }
  const strangers = Object.keys(solver).filter(task => !tasks.includes(task));
  return [
    ...results,
    ...strangers.map(task => ({ lesson, task, fault: 'solve.ts solves it, but the lesson has no such task' })),
  ];
}

async function faultOf(
  parts: TrialParts,
  task: string,
  { solve, nearMiss, nearState }: TaskSolver,
): Promise<string | undefined> {
  const near = await stateAfter(parts, task, nearMiss, nearState);
  if (typeof near === 'string') return `its near miss ended with ${near}`;
  if (near.state === 'done') return 'its near miss solved it';
  if (nearState !== undefined && near.state !== nearState)
    return `its near miss is ${described(near)}, and nearState says ${nearState}`;
  const solved = await stateAfter(parts, task, solve, 'done');
  if (typeof solved === 'string') return `its solver ended with ${solved}`;
  return solved.state === 'done' ? undefined : `its solver did not solve it: ${described(solved)}`;
}

/** The state of the task after a solver worked on it in a new issuer, or the error that stopped it. */
async function stateAfter(
  parts: TrialParts,
  task: string,
  work: (by: Participant) => Promise<void>,
  wanted: TaskProgress['state'] | undefined,
): Promise<TaskProgress | string> {
  const { learner, issuer = '' } = await ask(parts, 'reset');
  try {
    await work(createParticipant(issuer, parts.lesson));
  } catch (error) {
    return String(error);
  }
  const read = async () => (await ask(parts, 'progress', learner)).tasks.find(each => each.task === task);
  let state: TaskProgress | undefined;
  // a request is recorded shortly after its answer has arrived
  const most = wanted === undefined ? 1 : mostPauses;
  for (let pauses = 0; pauses < most && state?.state !== (wanted ?? 'done'); pauses++) {
    await parts.sleep(pause);
    state = await read();
  }
  return state ?? 'no such task';
}

const pause = 50;
const mostPauses = 40;

async function ask({ url, lesson }: TrialParts, what: 'reset' | 'progress', learner = ''): Promise<LessonProgress> {
  const address = `${url}/_sandbox/lessons/${lesson}/${what}?learner=${learner}`;
  const response = await fetch(address, { method: what === 'reset' ? 'POST' : 'GET' });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as LessonProgress; // our own control API sends this type
}

function described({ state, difference }: TaskProgress): string {
  if (difference === undefined) return state;
  const { field, sent, expected } = difference;
  return `${state}: ${field} was ${sent ?? 'absent'}, expected ${expected}`;
}
