import { resolve } from 'node:path';
import { type Command, CommandFailure, done, type Given, isOn, textOf, type World } from '../../client/cli/command.ts';
import { outFile, writeNew } from '../../client/cli/out-file.ts';
import type { Modules } from '../../sandbox/extension.ts';
import { readSession } from './read-session.ts';
import { type ChosenPart, choose, type WantedPart } from './reproduce/choose.ts';
import { issuerConfig } from './reproduce/issuer-config.ts';
import { stepsOf } from './reproduce/steps.ts';
import { type Runner, testText } from './reproduce/write-test.ts';
import type { FileSession } from './session-schema.ts';

/** `grantbox reproduce`. */
export const command: Command = {
  usage: '<file> [--problem <id> | --flow <id>] [--vitest | --playwright] [--out <file>]',
  about: [
    'Turns a problem or a flow of a session file into a test that fails as the session did. The test makes the same users, client and clock in a sandbox of its own, and repeats what the client sent; the user signs in without a click. Codes and tokens come from that sandbox, and verifiers and secrets are made up.',
    'Without --problem and --flow it takes the newest problem of the file, or else the newest flow that failed. Flows that need a page or a key of the client (device, CIBA, DPoP, signed assertions) are refused.',
  ],
  words: { name: 'file', most: 1 },
  flags: [
    { name: 'problem', value: '<id>', about: 'Problem to repeat, such as prb_x7k2a' },
    { name: 'flow', value: '<id>', about: 'Flow to repeat, such as flow_x7k2a' },
    { name: 'vitest', about: 'Write a test for Vitest', fallback: 'on' },
    { name: 'playwright', about: 'Write a test for Playwright' },
    { name: 'out', value: '<file>', about: 'File to write, ending in .ts or .mts', fallback: 'standard output' },
  ],
  examples: [
    ['grantbox reproduce grantbox-prb_x7k2a.json --out login.test.ts', 'write a failing Vitest test'],
    ['grantbox reproduce grantbox-session.json --flow flow_x7k2a --playwright --out login.spec.ts', 'repeat one flow'],
  ],
  async run(given, world) {
    const [name] = given.words;
    if (name === undefined) throw new CommandFailure('name the file: a session file of Grantbox');
    const target = outFile(given, world);
    const { text, title, failure } = await written(name, given, world);
    const told =
      failure === '' ? 'Nothing was refused in it.' : `It fails with ${failure}, until the client is mended.`;
    if (target === undefined) return done(text, `${title}. ${told}`);
    writeNew(target, text);
    return done(`${target.typed} was written: ${title}. ${told}`);
  },
};

async function written(name: string, given: Given, { cwd, modules }: World) {
  if (isOn(given, 'problem') && isOn(given, 'flow'))
    throw new CommandFailure('--problem and --flow cannot be used together');
  if (isOn(given, 'vitest') && isOn(given, 'playwright'))
    throw new CommandFailure('--vitest and --playwright cannot be used together');
  const runner = isOn(given, 'playwright') ? 'playwright' : 'vitest';
  const wanted = { problem: textOf(given, 'problem'), flow: textOf(given, 'flow') };
  return reproduce({ name, path: resolve(cwd, name), runner, modules, ...wanted });
}

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
  const session = await readSession(name, path, modules);
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
