import { resolve } from 'node:path';
import {
  asJsonText,
  type Command,
  CommandFailure,
  done,
  formatOf,
  type Given,
  isOn,
  type Outcome,
  textOf,
  type World,
} from '../../client/cli/command.ts';
import { writeText } from '../../client/cli/out-file.ts';
import { loadConfig } from '../../sandbox/config/load-config.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { commandLogin } from './drive/command-login.ts';
import { walkLogin } from './drive/walk-login.ts';
import type { ExamLogin } from './driver.ts';
import type { Examination, ExamineOptions, ModuleResult } from './examination.ts';
import {
  type ExamFailOn,
  examinationAsJunit,
  examinationAsMarkdown,
  examinationAsText,
} from './examination-formats.ts';
import { planList, planListAsText } from './plan-list.ts';
import { plans } from './plans/index.ts';

const formats: Readonly<Record<string, (result: Examination, failOn: ExamFailOn) => string>> = {
  table: examinationAsText,
  json: result => `${asJsonText(result)}\n`,
  junit: examinationAsJunit,
  markdown: examinationAsMarkdown,
};

/** `grantbox examine`. */
export const command: Command = {
  usage: '--login <command> | --login-url <url> --signed-in <text> | --list',
  about: [
    'Tells whether an app that signs people in is safe. It starts a sandbox that misbehaves in a different way for each module of a plan, signs in to the app each time, and judges what the app does: wrong tokens and wrong responses must be refused, unusual ones accepted.',
    '--login is a command that signs in once, such as a test of the app: exit code 0 means that somebody is signed in. It finds the issuer in GRANTBOX_ISSUER. An app that cannot be told an issuer uses the one of the sandbox, http://localhost:9000, and its modules run one after the other. --login-url needs no command: the examiner follows redirects by itself.',
    'Exit code 0: no module failed. 1: a module failed, or the app cannot sign in where nothing is wrong. 2: the sandbox could not start.',
  ],
  flags: [
    { name: 'login', value: '<command>', about: 'Command that signs in to the app once' },
    { name: 'login-url', value: '<url>', about: 'Address that begins a sign-in in an app without scripts' },
    {
      name: 'signed-in',
      value: '<text>',
      about: 'With --login-url: a text that only a page for somebody signed in has',
    },
    {
      name: 'plan',
      value: '<plan>',
      choices: plans.map(({ id }) => id),
      about: 'What to examine',
      fallback: 'relying-party',
    },
    {
      name: 'module',
      value: '<id>',
      isList: true,
      about: 'Only this module, after the baseline',
      fallback: 'all of the plan',
    },
    {
      name: 'user',
      value: '<user>',
      about: 'User whom the sandbox signs in without a click',
      fallback: 'nobody with --login, which clicks by itself, and the first user with --login-url',
    },
    { name: 'seconds', value: '<number>', about: 'Seconds for each module', fallback: '30' },
    { name: 'side-by-side', value: '<number>', about: 'Modules that run at once', fallback: '4' },
    {
      name: 'format',
      value: '<format>',
      choices: Object.keys(formats),
      about: 'Format of the result',
      fallback: 'table',
    },
    { name: 'json', about: 'Same as --format json' },
    { name: 'output', value: '<file>', about: 'Write the result to this file and print nothing' },
    {
      name: 'fail-on',
      value: '<verdict>',
      choices: ['fail', 'warn'],
      about: 'Exit with 1 if a module failed (fail), or failed or warned (warn)',
      fallback: 'fail',
    },
    { name: 'list', about: 'Print all plans and modules, and examine nothing' },
  ],
  examples: [
    ["grantbox examine --login 'npx playwright test login.spec.ts'", 'with the test of the sign-in that you have'],
    ["grantbox examine --login-url http://localhost:3000/login --signed-in 'Sign out'", 'a web app without scripts'],
    [
      "grantbox examine --plan oauth-bcp --login 'node login.mjs' --user alice --json",
      'the attacks of RFC 9700, for a pipeline',
    ],
    ['grantbox examine --list', 'what is examined, and why'],
  ],
  async run(given, world) {
    const format = formatOf(given, 'table');
    if (isOn(given, 'list')) return done(format === 'json' ? asJsonText(planList()) : planListAsText());
    const result = await examined(world, optionsFrom(given, world));
    const failOn = (textOf(given, 'fail-on') ?? 'fail') as ExamFailOn; // one of the choices of the flag
    const text = formats[format]?.(result, failOn) ?? '';
    const file = textOf(given, 'output');
    if (file !== undefined) writeText(resolve(world.cwd, file), text, `--output: ${file}`);
    return outcome(result, failOn, file === undefined ? text : '');
  },
};

function outcome({ summary }: Examination, failOn: ExamFailOn, out: string): Outcome {
  const count = summary.fail + (failOn === 'warn' ? summary.warn : 0);
  if (count === 0) return { code: 0, out, note: '' };
  const words = failOn === 'warn' ? 'failed or warned' : 'failed';
  return { code: 1, out, note: `grantbox examine: ${count} ${count === 1 ? 'module' : 'modules'} ${words}\n` };
}

function optionsFrom(given: Given, world: World): ExamineOptions {
  const modules = given.flags.module;
  const isWalk = isOn(given, 'login-url');
  return {
    plan: textOf(given, 'plan') ?? 'relying-party',
    login: loginFrom(given, world),
    ...(modules === undefined ? {} : { modules }),
    user: textOf(given, 'user') ?? (isWalk ? firstUser : undefined),
    seconds: numberIn(given, 'seconds', 30),
    sideBySide: numberIn(given, 'side-by-side', 4),
  };
}

/** Stands for the first user, who is known when the sandbox has started. */
const firstUser = '';

function loginFrom(given: Given, { cwd, environment = {} }: World): ExamLogin {
  const [command, url, signedIn] = [textOf(given, 'login'), textOf(given, 'login-url'), textOf(given, 'signed-in')];
  if (command !== undefined && url !== undefined)
    throw new CommandFailure('--login and --login-url cannot be used together');
  if (command !== undefined) return commandLogin(command, { cwd, env: environment });
  if (url === undefined)
    throw new CommandFailure(
      'nothing signs in to the app',
      1,
      "Give a command that does, such as --login 'npx playwright test login.spec.ts', or --login-url with the address that begins a sign-in.",
    );
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CommandFailure(`--login-url expects an http or https address, not ${JSON.stringify(url)}`);
  if (signedIn === undefined)
    throw new CommandFailure(
      '--login-url needs --signed-in',
      1,
      "Give a text that only a page for somebody signed in has, such as --signed-in 'Sign out'.",
    );
  return walkLogin({ url, signedIn });
}

function numberIn(given: Given, flag: string, fallback: number): number {
  const typed = textOf(given, flag);
  if (typed === undefined) return fallback;
  const number = Number(typed);
  if (Number.isInteger(number) && number > 0) return number;
  throw new CommandFailure(`--${flag} expects a whole number above 0, not ${JSON.stringify(typed)}`);
}

/** Starts a sandbox of this folder for the examination alone. */
async function examined(world: World, options: ExamineOptions): Promise<Examination> {
  const { startSandbox } = await import('../../sandbox/sandbox.ts');
  const { cwd, modules, environment: env = {} } = world;
  const config = await loadConfig({ modules, cwd, env, overrides: { logLevel: 'silent' } });
  const sandbox = await startSandbox(config);
  try {
    return await examine(sandbox, { ...options, ...(await userOf(sandbox, options)), ...progressOf(world) });
  } finally {
    await sandbox.stop();
  }
}

/** @throws CommandFailure if the app cannot sign in where nothing is wrong, or a name is unknown */
async function examine(sandbox: Sandbox, options: ExamineOptions): Promise<Examination> {
  try {
    return await sandbox.examine(options);
  } catch (error) {
    if (!(error instanceof TypeError) && (error as Error).name !== 'BaselineFailed') throw error;
    throw new CommandFailure((error as Error).message.replace(/^examine: /, ''));
  }
}

async function userOf(sandbox: Sandbox, { user }: ExamineOptions): Promise<Pick<ExamineOptions, 'user'>> {
  if (user !== firstUser) return {};
  const [first] = await sandbox.users.list();
  if (first === undefined) throw new CommandFailure('the sandbox has no users', 1, 'Name one in the configuration.');
  return { user: first.sub };
}

/** A line on the terminal that says how far it is, and how long it will take. */
function progressOf({ terminal }: World): Pick<ExamineOptions, 'onResult'> {
  if (terminal === undefined) return {};
  const begun = performance.now();
  return {
    onResult({ id, verdict }: ModuleResult, { done, of }) {
      const left = Math.ceil(((performance.now() - begun) / 1000 / done) * (of - done));
      const line = `${done} of ${of} modules, about ${left} s left  ${id}: ${verdict}`;
      terminal.write(done === of ? '\r\u001b[K' : `\r\u001b[K${line}`);
    },
  };
}
