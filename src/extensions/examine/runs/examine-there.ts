import type { SandboxThere } from '../../../client/remote/connected-issuer.ts';
import type { ControlCalls } from '../../../client/remote/control-calls.ts';
import type { ConnectedMembers } from '../../../sandbox/sandbox-members.ts';
import { type ExamLogin, takenBy } from '../driver.ts';
import type { ExamStep, Taken } from '../exam-module.ts';
import type { Examination, ExamineApiOptions, ExamineOptions } from '../examination.ts';
import type { AskedSignIn, ExaminationRun } from './run.ts';

declare module '../../../sandbox/sandbox-members.ts' {
  interface ConnectedMembers {
    /**
     * Examines an app or an API as `examine` of a sandbox in this process does: `login` runs here, and the calls of the API come
     * from here.
     * @throws Error if the app or the API does not work where nothing is wrong; TypeError for an unknown plan, module or user
     */
    examine(options: ExamineOptions | ExamineApiOptions): Promise<Examination>;
  }
}

/** Examines with a sandbox that runs elsewhere. */
export function examineThere({ calls, ...there }: SandboxThere): ConnectedMembers {
  return {
    async examine(options) {
      if (!('api' in options)) return appExamined(calls, options);
      const { examineApi } = await import('../api/examine-api.ts');
      return examineApi({ ...there, jwksUri: String((await there.metadata()).jwks_uri) }, options);
    },
  };
}

async function appExamined(
  calls: ControlCalls,
  { login, logout, check, onResult, signal, seconds = 30, sideBySide = 4, ...asked }: ExamineOptions,
): Promise<Examination> {
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    (await calls({ name: 'examine', method, path: `/examinations${path}`, body, timeoutSeconds: 60 }))
      .content as ExaminationRun;
  signal?.throwIfAborted();
  const steps = { 'sign-in': login, 'sign-out': logout, check };
  const names = Object.entries(steps).flatMap(([name, step]) => (step === undefined ? [] : [name]));
  let run = await call('POST', '', { driver: 'asked', steps: names, seconds, sideBySide, ...asked });
  const at = `/${run.id}`;
  const hands = createHands(steps, (id, taken) => call('POST', `${at}/answer`, { signIn: id, ...taken }));
  const stop = () => call('DELETE', at).catch(() => {});
  signal?.addEventListener('abort', stop);
  try {
    for (let told = 0; ; run = await call('GET', `${at}/wait?after=${run.version}&timeout=20`)) {
      signal?.throwIfAborted();
      for (const result of run.modules.slice(told)) onResult?.(result, { done: ++told, of: run.of });
      hands.take(run.waiting);
      if (run.state !== 'running') return resultOf(run);
    }
  } finally {
    hands.take([]);
    signal?.removeEventListener('abort', stop);
    await stop();
  }
}

type Steps = Readonly<Record<ExamStep, ExamLogin | undefined>>;

/** Does the steps that wait, each once. One that does not wait any longer is aborted. */
function createHands(steps: Steps, answer: (id: string, taken: Taken) => Promise<unknown>) {
  const begun = new Map<string, AbortController>();
  async function take({ id, ...asked }: AskedSignIn, signal: AbortSignal): Promise<void> {
    const call = steps[asked.step];
    if (call === undefined) return;
    const taken = await takenBy(call, { ...asked, signal });
    if (!signal.aborted) await answer(id, taken).catch(() => {}); // it came too late, or the wait tells what is wrong
  }
  return {
    take(waiting: readonly AskedSignIn[]): void {
      for (const [id, time] of begun) if (!waiting.some(each => each.id === id)) time.abort();
      for (const each of waiting.filter(({ id }) => !begun.has(id))) {
        const time = new AbortController();
        begun.set(each.id, time);
        void take(each, time.signal);
      }
    },
  };
}

/** @throws the error of the examination */
function resultOf({ result, error }: ExaminationRun): Examination {
  if (result !== undefined) return result;
  const { name = 'Error', message = 'The examination ended without a result.' } = error ?? {};
  if (name === 'TypeError') throw new TypeError(message);
  throw Object.assign(new Error(message), { name });
}
