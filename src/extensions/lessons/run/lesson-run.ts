import { defined } from '../../../base/defined.ts';
import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { Breakpoints } from '../../../server/http/breakpoints.ts';
import type { NotYet, TaskCheck, TaskResult } from '../checks/check.ts';
import { countable, judgeAll } from '../checks/judge.ts';
import { sentenceOf } from '../checks/sentence.ts';
import type { Drawn } from '../draw.ts';
import type { LabRun } from '../lab/lab-run.ts';
import type { LessonCode } from '../lesson.ts';
import type { ApiProbed, ClientReported, LabSwitched } from '../lesson-events.ts';
import { type ApiProbeParts, createProbe } from '../probe.ts';
import type { Fetch } from '../trial/agent.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { createBench } from './bench.ts';
import { createExaminer, type Examined } from './examiner.ts';
import { newestDeed } from './newest.ts';

export interface LearnerIssuer {
  readonly issuer: string;
  readonly events: EventLog;
  /** The title of the explanation of a refusal. */
  titleOf(refusal: EventOf<'error.returned'>): string;
  /** The title of the explanation and the reason, as sentences. */
  explain(refusal: EventOf<'error.returned'>): string;
  /** Mints a token without a grant. */
  mint: ApiProbeParts['mint'];
  rotateKeys(): Promise<void>;
  emit(fact: ApiProbed | LabSwitched | ClientReported): void;
  /** All checks of the client report for one client. */
  reportOn(client: string): Promise<readonly Examined[]>;
  /** Sends a request to this process over HTTP, marked with its sender. */
  readonly sendAs: (by: 'lab' | 'victim' | 'desk' | 'lesson') => Fetch;
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
  /** No event before that task is done counts, and no answer. */
  readonly after?: string;
  /** Nothing but *done* is told of it, and an answer is not asked for again: the rest would tell a mystery. */
  readonly isSecret?: true;
  /** Sentences for the newest request, by the reason of its refusal or by what differs. */
  readonly close?: Readonly<Record<string, string>>;
}

/** The results of a lesson after its issuer has ended. */
export interface SavedRun {
  /** Tasks and quizzes, each with the Unix seconds of real time when it was done. */
  readonly done: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, string>>;
  /** By task or quiz. */
  readonly attempts?: Readonly<Record<string, Attempts>>;
  /** Unix seconds of real time. */
  readonly begunAt?: number;
  readonly drawn?: Drawn;
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
  /** The client that the client report examines. */
  readonly report?: LessonCode['report'];
  /** Begins the attack of a lab; its second issuer ends with the run. */
  readonly lab?: { readonly run: LabRun; readonly second?: LearnerIssuer };
  readonly tasks: readonly Checked[];
  /** Called for each task that becomes done. */
  readonly onDone: (task: string, requestId: string | undefined) => void;
  /** The mystery of this run. */
  readonly drawn?: Drawn | undefined;
}

/** Follows the events of the learner's issuer. */
export function createRun({ own, probe, report, lab, tasks, onDone, drawn, saved = nothing }: RunParts) {
  const { events } = own;
  const kind = { isLab: lab !== undefined, isApp: report !== undefined };
  const { follow, ...progress } = createProgress({ own, tasks, onDone, saved, ...kind });
  const { begunAt = events.wall() } = saved;
  const examiner = report && createExaminer({ ...own, wanted: report });
  const stop = events.subscribe(event => {
    if (settling.has(event.type)) follow(event);
    if (event.type === 'request.completed') examiner?.follow();
  });
  return {
    issuer: own.issuer,
    isLiving: own.isLiving,
    breakpoints: own.breakpoints,
    /** The probe of the learner's API; undefined if the lesson has none. */
    probe: probe && createProbe({ ...own, tokens: probe }),
    /** Reads the client report; undefined for a lesson without one. */
    examiner,
    /** Undefined if the lesson is not a lab. */
    lab: lab?.run,
    bench: createBench({ issuer: own.issuer, send: own.sendAs('lesson') }),
    /** The address of the learner's API, as the learner typed it. */
    apiUrl: '',
    ...progress,
    saved: (): SavedRun => ({ ...progress.saved(), begunAt, ...defined({ drawn }) }),
    /** Kept events of the learner's issuer, oldest first. */
    events: () => events.keptSince(0),
    titleOf: own.titleOf,
    /** Refusals since the start, the newest first. */
    refusals: () => refusalsOf(own),
    end(): void {
      stop();
      lab?.second?.stop();
      own.stop();
    },
  };
}

function createProgress({ own, tasks, onDone, saved, ...kind }: ProgressParts) {
  const { events } = own;
  const { done, doneAt, since, firstDone } = marksOf(saved);
  const deeds = tasks.filter(({ checks }) => checks.some(({ form }) => form !== 'answer'));
  const attempts = createAttempts(saved.attempts, own);
  let { answers } = saved;
  let begunAgain: string | undefined;

  /** The deed in work, or the first open question. */
  const inWork = () => begunAgain ?? nextOf(deeds, done) ?? nextOf(tasks, done);

  const judging = (): Judging => ({ own, done, since, firstDone, answers, ...kind });

  /** Stored as soon as a task is done, because old events are dropped. */
  function settle(): void {
    for (const task of tasks) {
      if (done.has(task.id)) continue;
      const result = judged(task, judging());
      if (result.state !== 'done') continue;
      done.set(task.id, result);
      if (begunAgain === task.id) begunAgain = undefined;
      doneAt.set(task.id, events.wall());
      if (!firstDone.has(task.id)) firstDone.set(task.id, events.lastId);
      onDone(task.id, result.requestId);
    }
  }

  return {
    inWork,
    follow({ type, requestId }: SandboxEvent): void {
      const open = inWork();
      settle();
      if (type === 'request.completed') attempts.request(requestId, open, done);
    },
    /** Results by the id of the task or quiz. Only the task in work is close to the newest request. */
    results(at = begunAgain ?? nextOf(deeds, done)): ReadonlyMap<string, TaskResult> {
      const resultOf = (task: Checked) => (task.id === at ? inWords : bare)(task, judging());
      return new Map(tasks.map(task => [task.id, done.get(task.id) ?? resultOf(task)]));
    },
    /** Options chosen so far, by question. `id:missed` is the first wrong one, and `id:again` the one at the end of the lesson. */
    answers: () => answers,
    answer(question: string, option: string): void {
      const asked = done.has(question) ? undefined : tasks.find(({ id }) => id === question);
      answers = answered(answers, question, option, asked);
      settle();
      if (asked !== undefined) attempts.answer(question, done.has(question));
    },
    /** Resets a task: forgets its result and all earlier events. */
    again(task: string): void {
      done.delete(task);
      doneAt.delete(task);
      since.set(task, events.lastId);
      if (deeds.some(({ id }) => id === task)) begunAgain = task;
      answers = Object.fromEntries(Object.entries(answers).filter(([question]) => question.split(':', 1)[0] !== task));
    },
    saved: (): SavedRun => ({ done: Object.fromEntries(doneAt), answers, attempts: attempts.save() }),
  };
}

interface ProgressParts extends Required<Pick<RunParts, 'own' | 'tasks' | 'onDone' | 'saved'>>, LessonKind {}

interface LessonKind {
  /** The steps of a lab come one by one: a step is not close to the attack. */
  readonly isLab: boolean;
  /** The learner runs an app, whose requests follow a sign-in by themselves. */
  readonly isApp: boolean;
}

/** Tells for each task whether it is done, since when, and where its deeds start to count. */
function marksOf(saved: SavedRun) {
  const tasks = Object.keys(saved.done);
  return {
    done: new Map<string, TaskResult>(tasks.map(task => [task, { state: 'done' }])),
    doneAt: new Map(Object.entries(saved.done)),
    since: new Map<string, number>(),
    firstDone: new Map(tasks.map(task => [task, 0])),
  };
}

/** `asked`: the question, while it is open. `id:tries` counts how often the missing check of a mystery was named. */
function answered(
  answers: SavedRun['answers'],
  question: string,
  option: string,
  asked?: Checked,
): SavedRun['answers'] {
  const [tries, missed] = [`${question}:tries`, `${question}:missed`];
  if (asked === undefined && answers[tries] !== undefined) return answers;
  if (asked?.isSecret === true)
    return { ...answers, [question]: option, [tries]: String(Number(answers[tries] ?? 0) + 1) };
  const [check] = asked?.checks ?? [];
  const right = check?.form === 'answer' ? check.question.right : undefined;
  const isMissed = right !== undefined && right !== option;
  return { ...(isMissed ? { [missed]: option } : {}), ...answers, [question]: option };
}

interface Judging extends LessonKind {
  readonly own: LearnerIssuer;
  readonly done: ReadonlyMap<string, TaskResult>;
  /** The last event before the task began, by task. */
  readonly since: ReadonlyMap<string, number>;
  /** The last event when a task was done for the first time: *Do it again* does not close the tasks after it. */
  readonly firstDone: ReadonlyMap<string, number>;
  readonly answers: Readonly<Record<string, string>>;
}

/** The open task after the one that was done last, because a task may be left out. */
function nextOf(tasks: readonly Checked[], done: Judging['done']): string | undefined {
  const last = [...done.keys()].map(id => tasks.findIndex(task => task.id === id)).findLast(index => index >= 0) ?? -1;
  const open = tasks.filter(({ id }) => !done.has(id));
  return (open.find(task => tasks.indexOf(task) > last) ?? open[0])?.id;
}

function evidenceOf({ id, after }: Checked, { own: { events }, done, since, firstDone, answers }: Judging) {
  const opened = after === undefined ? 0 : firstDone.get(after);
  const spent = new Set([...done.values()].flatMap(result => ('requestId' in result ? (result.requestId ?? []) : [])));
  const from = Math.max(since.get(id) ?? 0, opened ?? events.lastId);
  const all = countable(events.keptSince(0));
  const isEarly = after !== undefined && opened === undefined;
  return { events: all.filter(event => event.id > from), all, answers: isEarly ? {} : answers, spent };
}

function judged(task: Checked, judging: Judging): TaskResult {
  return judgeAll(task.checks, evidenceOf(task, judging));
}

/** A task that nobody is at is open, and no more. */
function bare(task: Checked, judging: Judging): TaskResult {
  const result = judged(task, judging);
  if (result.state === 'done') return result;
  return { state: 'not yet', ...('wrong' in result ? { wrong: result.wrong } : {}) };
}

/** The result of the task in work, with what is to say of the newest request. */
function inWords(task: Checked, judging: Judging): TaskResult {
  const evidence = evidenceOf(task, judging);
  const { includes, refusal: refused } = newestDeed(evidence.events, judging.isApp);
  const result = judgeAll(task.checks, { ...evidence, isNewest: includes });
  if (result.state === 'done') return result;
  const refusal = refused && isTold(refused, evidence) ? refused : undefined;
  const off = result.state === 'close' && !judging.isLab ? result.difference : undefined;
  const { close = {} } = task;
  const blank = blankSent(evidence.events);
  if (blank !== undefined) return { state: 'not yet', ...blank };
  if (task.isSecret === true)
    return { state: 'not yet', ...(refusal && { says: judging.own.explain(refusal), requestId: refusal.requestId }) };
  const written = [off?.field, refusal?.reason].map(name => close[name ?? '']).find(text => text !== undefined);
  const says = written ?? (refusal ? judging.own.explain(refusal) : off && sentenceOf(off));
  const requestId = result.requestId ?? refusal?.requestId;
  const told = defined({ says, requestId });
  if (off !== undefined || (result.state === 'not yet' && isBegun(result, judging))) return { ...result, ...told };
  return { state: 'not yet', ...told };
}

/** A step of a lab tells its refusal itself, and one that did another task is told there. */
function isTold({ requestId }: SandboxEvent, { events, spent }: ReturnType<typeof evidenceOf>): boolean {
  const isOfStep = events.some(
    each => each.type === 'request.completed' && each.requestId === requestId && each.by === 'lab',
  );
  return !isOfStep && !spent.has(requestId);
}

/** The newest request was sent with a placeholder of the page in place of a value. */
function blankSent(events: readonly SandboxEvent[]) {
  const newest = events.findLast(each => each.type === 'request.completed');
  const { url = '', requestHeaders = '', requestBody } = newest?.exchange ?? {};
  const [blank] = /\bYOUR_[A-Z_]+\b/.exec(`${url}\n${requestHeaders}\n${requestBody?.text ?? ''}`) ?? [];
  const says = `Your request has \`${blank}\` in it. Paste the value into its box, press *Fill in*, and copy the command again.`;
  return blank === undefined ? undefined : defined({ says, requestId: newest?.requestId });
}

/** An event of the chain came after the last task that was done: it was sent for this one. */
function isBegun({ last = 0 }: NotYet, { firstDone }: Judging): boolean {
  return last > Math.max(0, ...firstDone.values());
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
const settling: ReadonlySet<string> = new Set([
  ...['request.completed', 'clock.changed', 'api.probed', 'client.reported'],
]);
