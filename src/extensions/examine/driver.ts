import { stripVTControlCharacters } from 'node:util';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';
import type { Taken } from './exam-module.ts';

/** The facts that a sign-in is given. */
export interface ExamSignIn {
  /** The issuer of this module, which the app has to use; one that has an issuer of its own ignores it. */
  readonly issuer: string;
  /** The id of the module, for a log. */
  readonly module: string;
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

/** Drives the app through one sign-in of a module. */
export type Driver = (issuer: SandboxIssuer, module: string) => Promise<Taken>;

interface DriverOptions {
  /** Seconds for a sign-in. */
  readonly seconds: number;
  readonly user: string | undefined;
  /** Ends a sign-in early. */
  readonly signal?: AbortSignal | undefined;
}

/** A driver with a limit of time. The provider signs `user` in without a click, if there is one. */
export function createDriver(login: ExamLogin, { seconds, user, signal }: DriverOptions): Driver {
  return async (issuer, module) => {
    signal?.throwIfAborted();
    if (user !== undefined) await issuer.nextLogin({ sub: user, action: 'approve' });
    const time = new AbortController();
    const late = new Promise<Taken>(resolve => {
      time.signal.addEventListener('abort', () => resolve({ believed: undefined, said: `No result in ${seconds} s.` }));
    });
    const end = () => time.abort();
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
    try {
      const taken = await Promise.race([takenBy(login, { issuer: issuer.issuer, module, signal: time.signal }), late]);
      signal?.throwIfAborted();
      return taken;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  };
}

/** The end of a sign-in; an error of it is a refusal of the app. */
export async function takenBy(login: ExamLogin, signIn: ExamSignIn): Promise<Taken> {
  try {
    const told = await login(signIn);
    return typeof told === 'boolean' ? { believed: told, said: '' } : told;
  } catch (error) {
    return { believed: false, said: stripVTControlCharacters(error instanceof Error ? error.message : String(error)) };
  }
}
