import type { Modules } from '../../../sandbox/extension.ts';
import { readSession } from '../read-session.ts';
import type { FileSession } from '../session-schema.ts';
import { type ChosenPart, choose, type WantedPart } from './choose.ts';
import { issuerConfig } from './issuer-config.ts';
import { stepsOf } from './steps.ts';
import { type Runner, testText } from './write-test.ts';

/** The file to repeat, and the form of the test. */
export interface ReproduceOptions extends WantedPart {
  /** As typed. */
  readonly name: string;
  readonly path: string;
  readonly runner: Runner;
  readonly modules: Modules;
}

export interface Reproduced {
  readonly text: string;
  readonly title: string;
  /** The refusal or the problem that the test repeats; empty if nothing was wrong. */
  readonly failure: string;
}

/**
 * Writes a test that repeats the client's part of a recorded session.
 * @throws CommandFailure if the file is no session, or if the session cannot be repeated
 */
export async function reproduce({ name, path, runner, modules, ...wanted }: ReproduceOptions): Promise<Reproduced> {
  const session = readSession(name, path);
  const chosen = choose(session, wanted);
  const user = userOf(chosen, session);
  const steps = stepsOf(chosen, { issuer: session.issuer, user });
  const config = await issuerConfig(session, chosen, user, modules);
  const text = testText({ runner, file: name, chosen, config, steps });
  const silence = chosen.problem?.kind === 'silent' ? `the problem ${chosen.problem.reason}` : '';
  return { text, title: chosen.title, failure: steps.refusal || silence };
}

/** The user of the login; where nobody logged in, a user of the file, or the first demo user. */
function userOf({ requests, flow }: ChosenPart, { setup = {} }: FileSession): string {
  const login = requests.flatMap(({ events }) => events).find(event => event?.type === 'login.succeeded');
  if (login?.type === 'login.succeeded') return login.sub;
  const [first] = 'users' in setup ? setup.users : [];
  return flow?.sub ?? (typeof first?.sub === 'string' ? first.sub : 'alice');
}
