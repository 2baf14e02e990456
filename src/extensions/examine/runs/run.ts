import type { ExamLogin } from '../driver.ts';
import type { ExamMcpServer, ExamStep, Taken } from '../exam-module.ts';
import type { Examination, ModuleResult } from '../examination.ts';

/** `stopped`: somebody ended it, or nobody answered. `failed`: nothing could be examined. */
export type RunState = 'running' | 'done' | 'failed' | 'stopped';

/** How a run signs in to the app: somebody else does it and answers, or the sandbox by itself. */
export type RunDriver = 'asked' | 'walk' | 'recorded';

/** A step that somebody has to do: a sign-in, and in some plans what follows it in the same browser. */
export interface AskedSignIn {
  /** Unique in its run. */
  readonly id: string;
  /** The id of the module. */
  readonly module: string;
  readonly step: ExamStep;
  readonly issuer: string;
  /** An address that the browser opens before a check. */
  readonly open?: string;
  /** The MCP server of the module. */
  readonly mcp?: ExamMcpServer;
}

/** An examination that a running sandbox does, as far as it is. */
export interface ExaminationRun {
  readonly id: string;
  readonly plan: string;
  readonly title: string;
  readonly driver: RunDriver;
  readonly state: RunState;
  /** Counts up with each change. */
  readonly version: number;
  /** Unix seconds. */
  readonly startedAt: number;
  /** The address of the app, if somebody named it. */
  readonly app?: string;
  /** How many modules there are. */
  readonly of: number;
  /** The ids of the modules that are not done. */
  readonly left: readonly string[];
  /** The sign-ins that wait for somebody; none for the other drivers. */
  readonly waiting: readonly AskedSignIn[];
  /** The modules that are done, in the order of their end. */
  readonly modules: readonly ModuleResult[];
  /** Absent until it is done. */
  readonly result?: Examination;
  /** Why it failed or was stopped. */
  readonly error?: { readonly name: string; readonly message: string };
}

/** Sign-ins that somebody else does: each waits for its answer, or for the end of its time. */
export function createAskedSignIns(changed: () => void, onUnanswered: (signIn: AskedSignIn) => void) {
  const waiting = new Map<string, AskedSignIn & { take(taken: Taken): void }>();
  let count = 0;
  const ask: ExamLogin = ({ signal, ...asked }) =>
    new Promise<Taken>(resolve => {
      count++;
      const signIn = { id: `${asked.module}-${count}`, ...asked };
      const take = (taken: Taken) => {
        waiting.delete(signIn.id);
        resolve(taken);
        changed();
      };
      waiting.set(signIn.id, { ...signIn, take });
      signal.addEventListener('abort', () => {
        if (!waiting.delete(signIn.id)) return;
        changed();
        onUnanswered(signIn);
      });
      changed();
    });
  return {
    ask,
    list: (): readonly AskedSignIn[] => [...waiting.values()].map(({ take: _, ...signIn }) => signIn),
    /** False where no such sign-in waits. */
    answer(id: string, taken: Taken): boolean {
      const signIn = waiting.get(id);
      signIn?.take(taken);
      return signIn !== undefined;
    },
  };
}
