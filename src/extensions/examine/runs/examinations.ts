import { randomId } from '../../../protocol/random.ts';
import type { ExamLogin } from '../driver.ts';
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
export interface AskedRun extends Omit<ExamineOptions, 'login' | 'onResult' | 'signal'> {
  readonly driver: RunDriver;
  /** Absent for the driver `asked`. */
  readonly login?: ExamLogin;
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

function createRun(host: ExamHost, { driver, login, ...asked }: AskedRun, startedAt: number) {
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
    return signIns.login(signIn);
  };
  const options = { ...asked, login: login ?? asking, signal: over.signal, onResult: progress.add };
  const done = examine(host, options).then(progress.done, progress.failed);
  async function stop(message: string): Promise<void> {
    progress.stopped(message);
    over.abort(new Error(message));
    await done;
  }
  const shown = (): ExaminationRun => ({
    ...{ id, driver, startedAt, version: heard.version(), waiting: signIns.list() },
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
    /** Somebody looks at the run. */
    look: () => attention.come()(),
  };
}

/** @throws TypeError for an unknown plan or module */
function createProgress({ plan = 'relying-party', modules: names }: Omit<AskedRun, 'driver'>, changed: () => void) {
  const { id, title, modules: all } = planNamed(plan);
  const of = chosenModules(all, names).length;
  const modules: ModuleResult[] = [];
  let ended: Pick<ExaminationRun, 'state' | 'result' | 'error'> = { state: 'running' };
  function end(how: typeof ended): void {
    if (ended.state !== 'running') return; // what comes after a stop is its end
    ended = how;
    changed();
  }
  return {
    facts: () => ({ plan: id, title, of, modules: [...modules], ...ended }),
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
