import { randomId } from '../../../protocol/random.ts';
import type { ExamLogin, ExamSteps } from '../driver.ts';
import type { ExamStep } from '../exam-module.ts';
import {
  chosenModules,
  type ExamHost,
  type Examination,
  type ExamineOptions,
  examine,
  type ModuleResult,
} from '../examination.ts';
import { planNamed } from '../plans/index.ts';
import { createAskedSignIns, type ExaminationRun, type RunDriver } from './run.ts';

/** The subject of a run, and who signs in. */
export interface AskedRun extends Omit<ExamineOptions, keyof ExamSteps | 'onResult' | 'signal'> {
  readonly driver: RunDriver;
  readonly app?: string;
  /** The steps, or for the driver `asked` the names of those that somebody does. */
  readonly steps: ExamSteps | readonly ExamStep[];
}

/** Most runs at a time. */
export const mostRuns = 3;
/** Runs that are over and can still be read. */
const mostKept = 10;

/** A wait for a change of a run. */
interface RunWait {
  /** The version that the caller knows. */
  readonly after: number;
  /** Seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The examinations that a running sandbox does. */
export type Examinations = ReturnType<typeof createExaminations>;

export function createExaminations(host: ExamHost, now: () => number) {
  const runs = new Map<string, ReturnType<typeof createRun>>();
  const isRunning = (run: ReturnType<typeof createRun>) => run.shown().state === 'running';
  return {
    host,
    /**
     * Starts a run; undefined where there are too many.
     * @throws TypeError for an unknown plan or module
     */
    start(asked: AskedRun): ExaminationRun | undefined {
      if ([...runs.values()].filter(isRunning).length >= mostRuns) return undefined;
      const run = createRun(host, asked, now());
      runs.set(run.id, run);
      for (const old of [...runs.values()].filter(each => !isRunning(each)).slice(0, -mostKept)) runs.delete(old.id);
      return run.shown();
    },
    get: (id: string) => runs.get(id),
    /** The newest first. */
    list: (): readonly ExaminationRun[] => [...runs.values()].map(run => run.shown()).reverse(),
    /** Stops all, and waits until nothing of them is left. */
    async end(): Promise<void> {
      await Promise.all([...runs.values()].map(run => run.stop('The sandbox stopped.')));
    },
  };
}

function createRun(host: ExamHost, { driver, steps, app, ...asked }: AskedRun, startedAt: number) {
  const id = `exam_${randomId()}`;
  const over = new AbortController();
  const heard = createChanges();
  const attention = createAttention();
  const progress = createProgress(asked, heard.changed);
  const signIns = createAskedSignIns(heard.changed, () => {
    if (!over.signal.aborted && !attention.wasPaid()) void stop('Nobody answered in time.');
  });
  const asking: ExamLogin = signIn => {
    attention.begin();
    return signIns.ask(signIn);
  };
  const options = {
    ...asked,
    ...('login' in steps ? steps : askedSteps(steps, asking)),
    signal: over.signal,
    onResult: progress.add,
  };
  const own: ExamHost = { ...host, alone: work => host.alone(work, over.signal) };
  const done = examine(own, options).then(progress.done, progress.failed);
  async function stop(message: string): Promise<void> {
    progress.stopped(message);
    over.abort(new Error(message));
    await done;
  }
  const shown = (): ExaminationRun => ({
    ...{ id, driver, app, startedAt, version: heard.version(), waiting: signIns.list() },
    ...progress.facts(),
  });
  return {
    id,
    shown,
    stop,
    answer: signIns.answer,
    /** Resolves when the run has changed, or the time is up. */
    async wait(asked: RunWait): Promise<ExaminationRun> {
      const leave = attention.come();
      await heard.after(asked);
      leave();
      return shown();
    },
    /** The run when somebody has to sign in or it is over, or as it is when the signal aborts. */
    async settled(signal: AbortSignal): Promise<ExaminationRun> {
      const isBetween = () => signIns.list().length === 0 && progress.facts().state === 'running';
      while (isBetween() && !signal.aborted) await heard.after({ after: heard.version(), timeout: 1, signal });
      return shown();
    },
    /** Somebody looks at the run. */
    look: () => attention.come()(),
  };
}

function askedSteps(names: readonly ExamStep[], ask: ExamLogin): ExamSteps {
  const of = (name: ExamStep) => (names.includes(name) ? ask : undefined);
  return { login: ask, logout: of('sign-out'), check: of('check') };
}

/** @throws TypeError for an unknown plan or module */
function createProgress(
  { plan = 'relying-party', modules: names }: Pick<AskedRun, 'plan' | 'modules'>,
  changed: () => void,
) {
  const { id, title, modules: all } = planNamed(plan);
  const chosen = chosenModules(all, names).map(module => module.id);
  const modules: ModuleResult[] = [];
  let ended: Pick<ExaminationRun, 'state' | 'result' | 'error'> = { state: 'running' };
  function end(how: typeof ended): void {
    if (ended.state !== 'running') return; // what comes after a stop is its end
    ended = how;
    changed();
  }
  return {
    facts: () => ({
      ...{ plan: id, title, of: chosen.length, modules: [...modules], ...ended },
      left: chosen.filter(each => modules.every(done => done.id !== each)),
    }),
    add(result: ModuleResult): void {
      modules.push(result);
      changed();
    },
    done: (result: Examination) => end({ state: 'done', result }),
    failed: ({ name, message }: Error) => end({ state: 'failed', error: { name, message } }),
    stopped: (message: string) => end({ state: 'stopped', error: { name: 'Error', message } }),
  };
}

/** Whether somebody looked at a run since its newest sign-in began: a run that nobody looks at must end. */
function createAttention() {
  let looking = 0;
  let looks = 0;
  let before = 0;
  return {
    begin(): void {
      before = looks;
    },
    come(): () => void {
      looking++;
      looks++;
      return () => {
        looking--;
      };
    },
    wasPaid: () => looking > 0 || looks > before,
  };
}

/** Counts changes, and tells those who wait for one. */
function createChanges() {
  const listeners = new Set<() => void>();
  let version = 1;
  return {
    version: () => version,
    changed(): void {
      version++;
      for (const listener of listeners) listener();
    },
    after: ({ after, timeout, signal }: RunWait) =>
      new Promise<void>(resolve => {
        if (version > after || signal.aborted) return resolve();
        const end = () => {
          listeners.delete(end);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(end, timeout * 1000);
        listeners.add(end);
        signal.addEventListener('abort', end, { once: true });
      }),
  };
}
