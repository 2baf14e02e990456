import type { EventOf } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { TaskCheck, TaskResult } from '../checks/check.ts';
import { countable } from '../checks/evidence.ts';
import { judgeAll } from '../checks/judge.ts';

/** The issuer of one learner in one lesson. */
export interface LearnerIssuer {
  readonly issuer: string;
  readonly events: EventLog;
  /** The title of the explanation of a refusal. */
  titleOf(refusal: EventOf<'error.returned'>): string;
  /** Its lifetime may be over. */
  isLiving(): boolean;
  stop(): void;
}

/** A task or a quiz, as far as it is checked. */
export interface Checked {
  readonly id: string;
  readonly checks: readonly TaskCheck[];
}

/** A lesson that one learner is in. A task that was done stays done until the learner does it again. */
export interface LessonRun {
  readonly issuer: string;
  isLiving(): boolean;
  /** By the id of the task or quiz. */
  results(): ReadonlyMap<string, TaskResult>;
  /** Options chosen so far, by question. */
  answers(): Readonly<Record<string, string>>;
  answer(question: string, option: string): void;
  /** Forgets that a task was done, and all that happened before. */
  again(task: string): void;
  /** Refusals since the start, the newest first, with the titles of their explanations. */
  refusals(): readonly (EventOf<'error.returned'> & { readonly title: string })[];
  end(): void;
}

export interface RunParts {
  readonly own: LearnerIssuer;
  readonly tasks: readonly Checked[];
  /** Told of each task once it is done. */
  readonly onDone: (task: string, requestId: string | undefined) => void;
}

/** Follows the events of the learner's issuer. */
export function createRun({ own, tasks, onDone }: RunParts): LessonRun {
  const { events } = own;
  const done = new Map<string, TaskResult>();
  const since = new Map<string, number>();
  let answers: Readonly<Record<string, string>> = {};
  const stop = events.subscribe(({ type }) => settling.has(type) && settle());

  function judged({ id, checks }: Checked): TaskResult {
    const spent = new Set<string>();
    for (const result of done.values()) {
      if ('requestId' in result && result.requestId !== undefined) spent.add(result.requestId);
    }
    const seen = countable(events.keptSince(since.get(id) ?? 0));
    return judgeAll(checks, { events: seen, answers, spent });
  }

  /** Kept as soon as it is done, because old events are removed. */
  function settle(): void {
    for (const task of tasks) {
      if (done.has(task.id)) continue;
      const result = judged(task);
      if (result.state !== 'done') continue;
      done.set(task.id, result);
      onDone(task.id, result.requestId);
    }
  }

  return {
    issuer: own.issuer,
    isLiving: own.isLiving,
    results: () => new Map(tasks.map(task => [task.id, done.get(task.id) ?? judged(task)])),
    answers: () => answers,
    answer(question, option) {
      answers = { ...answers, [question]: option };
      settle();
    },
    again(task) {
      done.delete(task);
      since.set(task, events.lastId);
      answers = Object.fromEntries(Object.entries(answers).filter(([question]) => question !== task));
    },
    refusals: () => events.latest('error.returned', mostRefusals).map(each => ({ ...each, title: own.titleOf(each) })),
    end() {
      stop();
      own.stop();
    },
  };
}

const mostRefusals = 20;

/** After these a task can be done: a request has ended, or something happened without one. */
const settling: ReadonlySet<string> = new Set(['request.completed', 'clock.changed']);
