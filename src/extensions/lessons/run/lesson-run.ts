import type { EventOf } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { Breakpoints } from '../../../server/http/breakpoints.ts';
import type { TaskCheck, TaskResult } from '../checks/check.ts';
import { countable, judgeAll } from '../checks/judge.ts';
import type { LabRun } from '../lab/lab-run.ts';
import type { ApiProbed, LabSwitched } from '../lesson-events.ts';
import { type ApiProbeParts, createProbe } from '../probe.ts';
import type { Fetch } from '../trial/agent.ts';

export interface LearnerIssuer {
  readonly issuer: string;
  readonly events: EventLog;
  /** The title of the explanation of a refusal. */
  titleOf(refusal: EventOf<'error.returned'>): string;
  /** Mints a token without a grant. */
  mint: ApiProbeParts['mint'];
  rotateKeys(): Promise<void>;
  emit(fact: ApiProbed | LabSwitched): void;
  /** Sends a request to this process over HTTP, marked as one of the sandbox's own pages. */
  readonly send: Fetch;
  /** Replaces members of a client. */
  setClient(client_id: string, members: Readonly<Record<string, unknown>>): Promise<void>;
  readonly breakpoints: RunBreakpoints;
  /** Its lifetime may be over. */
  isLiving(): boolean;
  stop(): void;
}

/** The breakpoints of the learner's issuer. The first one loads their module. */
export interface RunBreakpoints {
  get(): Promise<Breakpoints>;
  current(): Breakpoints | undefined;
}

/** The state of a task or quiz. */
export interface Checked {
  readonly id: string;
  readonly checks: readonly TaskCheck[];
  /** No event before that task is done counts. */
  readonly after?: string;
}

/** The results of a lesson after its issuer has ended. */
export interface SavedRun {
  /** Tasks and quizzes, each with the Unix seconds of real time when it was done. */
  readonly done: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, string>>;
}

/** A refusal at the issuer of a learner. */
export type LearnerRefusal = EventOf<'error.returned'> & {
  /** The title of its explanation. */
  readonly title: string;
  /** Seconds of real time since then. */
  readonly age: number;
};

/** A running lesson of one learner. A done task stays done until the learner resets it. */
export type LessonRun = ReturnType<typeof createRun>;

export interface RunParts {
  /** The results of an earlier run. */
  readonly saved?: SavedRun;
  readonly own: LearnerIssuer;
  /** The tokens with which the lesson calls the learner's API. */
  readonly probe?: ApiProbeParts['tokens'];
  /** Begins the attack of a lab; its second issuer ends with the run. */
  readonly lab?: { readonly run: LabRun; readonly second?: LearnerIssuer };
  readonly tasks: readonly Checked[];
  /** Called for each task that becomes done. */
  readonly onDone: (task: string, requestId: string | undefined) => void;
}

/** Follows the events of the learner's issuer. */
export function createRun({ own, probe, lab, tasks, onDone, saved = nothing }: RunParts) {
  const { events } = own;
  const { done, doneAt, since, firstDone } = marksOf(saved);
  let { answers } = saved;
  const stop = events.subscribe(({ type }) => settling.has(type) && settle());

  function judging(): Judging {
    return { own, done, since, firstDone, answers };
  }

  /** Stored as soon as a task is done, because old events are dropped. */
  function settle(): void {
    for (const task of tasks) {
      if (done.has(task.id)) continue;
      const result = judged(task, judging());
      if (result.state !== 'done') continue;
      done.set(task.id, result);
      doneAt.set(task.id, events.wall());
      if (!firstDone.has(task.id)) firstDone.set(task.id, events.lastId);
      onDone(task.id, result.requestId);
    }
  }

  return {
    issuer: own.issuer,
    isLiving: own.isLiving,
    breakpoints: own.breakpoints,
    /** The probe of the learner's API; undefined if the lesson has none. */
    probe: probe && createProbe({ ...own, tokens: probe }),
    /** Undefined if the lesson is not a lab. */
    lab: lab?.run,
    /** The address of the learner's API, as the learner typed it. */
    apiUrl: '',
    /** Results by the id of the task or quiz. */
    results: (): ReadonlyMap<string, TaskResult> =>
      new Map(tasks.map(task => [task.id, done.get(task.id) ?? judged(task, judging())])),
    /** Options chosen so far, by question. `id:missed` is the first wrong one, and `id:again` the one at the end of the lesson. */
    answers: () => answers,
    answer(question: string, option: string): void {
      answers = { ...missedBy(tasks, done, question, option), ...answers, [question]: option };
      settle();
    },
    /** Resets a task: forgets its result and all earlier events. */
    again(task: string): void {
      done.delete(task);
      doneAt.delete(task);
      since.set(task, events.lastId);
      answers = Object.fromEntries(Object.entries(answers).filter(([question]) => question.split(':', 1)[0] !== task));
    },
    /** Kept events of the learner's issuer, oldest first. */
    events: () => events.keptSince(0),
    /** Refusals since the start, the newest first. */
    refusals: () => refusalsOf(own),
    saved: (): SavedRun => ({ done: Object.fromEntries(doneAt), answers }),
    end(): void {
      stop();
      lab?.second?.stop();
      own.stop();
    },
  };
}

/** What is known of each task, by its id. */
function marksOf(saved: SavedRun) {
  const tasks = Object.keys(saved.done);
  return {
    done: new Map<string, TaskResult>(tasks.map(task => [task, { state: 'done' }])),
    doneAt: new Map(Object.entries(saved.done)),
    since: new Map<string, number>(),
    firstDone: new Map(tasks.map(task => [task, 0])),
  };
}

/** The wrong answer to a question that has a right one, and was not answered before. */
function missedBy(
  tasks: readonly Checked[],
  done: Judging['done'],
  question: string,
  option: string,
): SavedRun['answers'] {
  const asked = tasks.find(({ id }) => id === question)?.checks[0];
  const right = asked?.form === 'answer' ? asked.question.right : undefined;
  return right === undefined || right === option || done.has(question) ? {} : { [`${question}:missed`]: option };
}

interface Judging {
  readonly own: LearnerIssuer;
  readonly done: ReadonlyMap<string, TaskResult>;
  /** The last event before the task began, by task. */
  readonly since: ReadonlyMap<string, number>;
  /** The last event when a task was done for the first time: *Do it again* does not close the tasks after it. */
  readonly firstDone: ReadonlyMap<string, number>;
  readonly answers: Readonly<Record<string, string>>;
}

function judged({ id, checks, after }: Checked, judging: Judging): TaskResult {
  const { own, done, since, firstDone, answers } = judging;
  const opened = after === undefined ? 0 : firstDone.get(after);
  const spent = new Set<string>();
  for (const result of done.values()) {
    if ('requestId' in result && result.requestId !== undefined) spent.add(result.requestId);
  }
  const from = Math.max(since.get(id) ?? 0, opened ?? own.events.lastId);
  const all = countable(own.events.keptSince(0));
  return judgeAll(checks, { events: all.filter(event => event.id > from), all, answers, spent });
}

function refusalsOf({ events, titleOf }: LearnerIssuer): readonly LearnerRefusal[] {
  const told = (each: EventOf<'error.returned'>) => ({
    title: titleOf(each),
    age: events.wall() - events.wallOf(each),
  });
  return events.latest('error.returned', mostRefusals).map(each => ({ ...each, ...told(each) }));
}

const nothing: SavedRun = { done: {}, answers: {} };

const mostRefusals = 20;

/** Events after which a task can be done: the end of a request, or an event without a request. */
const settling: ReadonlySet<string> = new Set(['request.completed', 'clock.changed', 'api.probed']);
