import { stripVTControlCharacters } from 'node:util';
import { defined } from '../../base/defined.ts';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';
import type { ExamMcpServer, ExamStep, MoreForSignIn, Taken } from './exam-module.ts';

/** The facts that a step is given. */
export interface ExamSignIn {
  /** The issuer of this module, which the app has to use; one that has an issuer of its own ignores it. */
  readonly issuer: string;
  /** The id of the module, for a log. */
  readonly module: string;
  /** The step of this call. */
  readonly step: ExamStep;
  /** An address that the browser of the sign-in opens before a check; absent for none. */
  readonly open?: string;
  /** The MCP server of this module, for the plan `mcp-client`: the app connects, lists the tools and calls one. */
  readonly mcp?: ExamMcpServer;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

/**
 * Signs in to the app once, as a user does. True: the app believes that somebody is signed in; false, or an error:
 * it refused. `said` is for the report.
 */
export interface ExamLogin {
  (signIn: ExamSignIn): Promise<boolean | Taken>;
  /** Ends what it opened for all sign-ins, such as a browser. */
  close?(): Promise<void>;
}

/** The steps that the examiner can take in an app. */
export interface ExamSteps {
  /** Signs in to the app once. */
  readonly login: ExamLogin;
  /**
   * Signs out of the app, in the browser of the latest sign-in of the module. True: the app believes that nobody is
   * signed in any more.
   */
  readonly logout?: ExamLogin | undefined;
  /** Asks the app in that browser, after it has opened the address `open`. True: the app believes that somebody is signed in. */
  readonly check?: ExamLogin | undefined;
}

/** Drives the app through one step of a module. */
export interface Driver {
  can(step: ExamStep): boolean;
  drive(issuer: SandboxIssuer, at: Pick<ExamSignIn, 'module' | 'step' | 'open'>, more?: MoreForSignIn): Promise<Taken>;
}

interface DriverOptions {
  /** Seconds for a step. */
  readonly seconds: number;
  readonly user: string | undefined;
  /** Ends a sign-in early. */
  readonly signal?: AbortSignal | undefined;
}

/** A driver with a limit of time. The provider signs `user` in without a click, if there is one. */
export function createDriver(steps: ExamSteps, { seconds, user, signal }: DriverOptions): Driver {
  const calls = { 'sign-in': steps.login, 'sign-out': steps.logout, check: steps.check };
  return {
    can: step => calls[step] !== undefined,
    async drive(issuer, at, { mcp, logins = 1, second } = {}) {
      const call = calls[at.step];
      if (call === undefined) throw new Error(`nothing does the step ${at.step}`); // a module says what it needs
      signal?.throwIfAborted();
      const isExpected = user !== undefined && at.step === 'sign-in';
      for (let login = 0; isExpected && login < logins; login++)
        for (const each of [issuer, second]) await each?.nextLogin({ sub: user, action: 'approve' });
      const time = new AbortController();
      const late = new Promise<Taken>(resolve => {
        const said = `No result in ${seconds} s.`;
        time.signal.addEventListener('abort', () => resolve({ believed: undefined, said }));
      });
      const told = { ...at, ...defined({ mcp }), issuer: issuer.issuer, signal: time.signal };
      const end = () => time.abort();
      const timer = setTimeout(end, seconds * 1000);
      signal?.addEventListener('abort', end);
      try {
        const taken = await Promise.race([takenBy(call, told), late]);
        signal?.throwIfAborted();
        return taken;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
      }
    },
  };
}

/** The end of a step. A sign-in that ends with an error was refused; a later step that does so says nothing about the app. */
export async function takenBy(call: ExamLogin, at: ExamSignIn): Promise<Taken> {
  try {
    const told = await call(at);
    return typeof told === 'boolean' ? { believed: told !== (at.step === 'sign-out'), said: '' } : told;
  } catch (error) {
    const said = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    return { believed: at.step === 'sign-in' ? false : undefined, said };
  }
}
