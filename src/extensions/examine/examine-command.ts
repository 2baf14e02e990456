import { resolve } from 'node:path';
import { isRecord, recordIn } from '../../base/text/record.ts';
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
import { connectIssuer } from '../../client/cli/connection.ts';
import { readText, writeText } from '../../client/cli/out-file.ts';
import { loadConfig } from '../../sandbox/config/load-config.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { sandboxFlags, sandboxGiven } from './api/call-api.ts';
import { examineApi } from './api/examine-api.ts';
import { resourceServer } from './api/resource-server.ts';
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

const formats: Readonly<Record<string, (result: Examination, failOn: ExamFailOn) => string>> = {
  table: examinationAsText,
  json: result => `${asJsonText(result)}\n`,
  junit: examinationAsJunit,
  markdown: examinationAsMarkdown,
};

/** `grantbox examine`. */
export const command: Command = {
  usage: '--login <command> | --login-url <url> --signed-in <text> | --api <url> | --list',
  about: [
    'Tells whether an app that signs people in, or an API, is safe. For an app it starts a sandbox that misbehaves in a different way for each module of a plan, signs in to the app each time, and judges what the app does: wrong tokens and wrong responses must be refused, unusual ones accepted.',
    '--login is a command that signs in once, such as a test of the app: exit code 0 means that somebody is signed in. It finds the issuer in GRANTBOX_ISSUER. An app that cannot be told an issuer uses the one of the sandbox, http://localhost:9000, and its modules run one after the other. --login-url needs no command: the examiner follows redirects by itself.',
    '--api calls your API with good and bad tokens of a running sandbox, or of one that it starts. The API must answer to GET, and must trust the issuer of the sandbox. If it refuses the good token, the command looks for the reason: whether it fetched the keys, and which typ or aud it accepts.',
    'Exit code 0: no module failed. 1: a module failed, or the app or API does not work where nothing is wrong. 2: the API or the sandbox did not answer.',
  ],
  flags: [
    { name: 'login', value: '<command>', about: 'Command that signs in to the app once' },
    { name: 'login-url', value: '<url>', about: 'Address that begins a sign-in in an app without scripts' },
    {
      name: 'signed-in',
      value: '<text>',
      about: 'With --login-url: a text that only a page for somebody signed in has',
    },
    { name: 'api', value: '<url>', about: 'Address of your API, which answers to GET' },
    {
      name: 'audience',
      value: '<aud>',
      about: 'With --api: the aud that your API expects',
      fallback: 'as the client is registered',
    },
    {
      name: 'scope',
      value: '<scope>',
      about: 'With --api: the scope that your API asks for; a token without it must be answered with 403',
      fallback: 'all scopes of the client, and no such call',
    },
    {
      name: 'client',
      value: '<client_id>',
      about: 'With --api: the client that the tokens are for',
      fallback: 'the first one that has users',
    },
    {
      name: 'rotate',
      about: 'With --api: rotate the keys at the end; the API must fetch the new ones within 31 seconds',
    },
    ...sandboxFlags(
      'with --api: the address that HOST, PORT and TLS say, or http://localhost:9000; one is started if none runs there',
    ),
    {
      name: 'plan',
      value: '<plan>',
      choices: planList().map(({ id }) => id),
      about: 'What to examine',
      fallback: 'relying-party, and resource-server with --api',
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
      about: 'User whom the sandbox signs in without a click, or whom the tokens are for',
      fallback: 'nobody with --login, which clicks by itself, else the first user',
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
    {
      name: 'baseline',
      value: '<file>',
      about:
        'Result of an earlier run in JSON: what failed or warned there is known, and does not change the exit code',
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
    [
      'grantbox examine --api http://localhost:8080/bikes --audience my-api --scope bikes:read',
      'an API, with its audience and its scope',
    ],
    ['grantbox examine --list', 'what is examined, and why'],
  ],
  async run(given, world) {
    const format = formatOf(given, 'table');
    if (isOn(given, 'list')) return done(format === 'json' ? asJsonText(planList()) : planListAsText());
    const known = knownIn(given, world); // before the work begins, so that a mistake costs no time
    const result = isOn(given, 'api')
      ? await apiExamined(given, world)
      : await examined(world, optionsFrom(given, world));
    const failOn = (textOf(given, 'fail-on') ?? 'fail') as ExamFailOn; // one of the choices of the flag
    const text = formats[format]?.(result, failOn) ?? '';
    const file = textOf(given, 'output');
    if (file !== undefined) writeText(resolve(world.cwd, file), text, `--output: ${file}`);
    return outcome(result, { failOn, known }, file === undefined ? text : '');
  },
};

interface Judgement {
  readonly failOn: ExamFailOn;
  /** Ids of modules that failed or warned in the baseline. */
  readonly known: ReadonlySet<string>;
}

function outcome({ modules }: Examination, { failOn, known }: Judgement, out: string): Outcome {
  const isBad = ({ verdict }: ModuleResult) => verdict === 'fail' || (failOn === 'warn' && verdict === 'warn');
  const bad = modules.filter(isBad);
  const fresh = bad.filter(({ id }) => !known.has(id));
  const words = failOn === 'warn' ? 'failed or warned' : 'failed';
  const old = bad.length - fresh.length;
  const note = old === 0 ? '' : `; ${old} more as in the baseline`;
  if (fresh.length === 0)
    return { code: 0, out, note: old === 0 ? '' : `grantbox examine: nothing new ${words}${note}\n` };
  return {
    code: 1,
    out,
    note: `grantbox examine: ${fresh.length} ${fresh.length === 1 ? 'module' : 'modules'} ${words}${note}\n`,
  };
}

/** @throws CommandFailure for a file that is not the result of this plan */
function knownIn(given: Given, world: World): ReadonlySet<string> {
  const plan = textOf(given, 'plan') ?? (isOn(given, 'api') ? resourceServer.id : 'relying-party');
  const typed = textOf(given, 'baseline');
  if (typed === undefined) return new Set();
  const content = recordIn(readText(typed, world, '--baseline: '));
  if (content?.format !== 'grantbox-examination' || content.plan !== plan || !Array.isArray(content.modules))
    throw new CommandFailure(
      `--baseline: ${typed} is not the result of the plan ${plan}`,
      1,
      `Write one with --plan ${plan} --json --output ${typed}.`,
    );
  const bad = content.modules.filter(isRecord).filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return new Set(bad.map(({ id }) => String(id)));
}

function optionsFrom(given: Given, world: World): ExamineOptions {
  const modules = given.flags.module;
  const isWalk = isOn(given, 'login-url');
  return {
    plan: textOf(given, 'plan') ?? 'relying-party',
    login: loginFrom(given, world),
    ...(modules === undefined ? {} : { modules }),
    user: textOf(given, 'user') ?? (isWalk ? firstUser : undefined),
    seconds: numberIn(given, 'seconds', { fallback: 30, most: 3600 }),
    sideBySide: numberIn(given, 'side-by-side', { fallback: 4, most: 64 }),
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
      "Give a command that does, such as --login 'npx playwright test login.spec.ts', --login-url with the address that begins a sign-in, or --api with the address of an API.",
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

function numberIn(
  given: Given,
  flag: string,
  { fallback, most }: { readonly fallback: number; readonly most: number },
): number {
  const typed = textOf(given, flag);
  if (typed === undefined) return fallback;
  const number = Number(typed);
  if (Number.isInteger(number) && number > 0 && number <= most) return number;
  throw new CommandFailure(`--${flag} expects a whole number from 1 to ${most}, not ${JSON.stringify(typed)}`);
}

/** Examines an API with the sandbox that runs, or with one that is started for it. */
async function apiExamined(given: Given, world: World): Promise<Examination> {
  const other = ['login', 'login-url'].find(name => isOn(given, name));
  if (other !== undefined) throw new CommandFailure(`--api and --${other} cannot be used together`);
  const plan = textOf(given, 'plan') ?? resourceServer.id;
  if (plan !== resourceServer.id) throw new CommandFailure(`--api examines the plan ${resourceServer.id}, not ${plan}`);
  const isThere = await isSandboxThere(given, world);
  const sandbox = isThere ? undefined : await startedHere(world);
  const asked = sandbox === undefined ? given : { ...given, flags: { ...given.flags, sandbox: [sandbox.url] } };
  try {
    return await examineApi(asked, world);
  } catch (error) {
    throw sentenceOf(error);
  } finally {
    await sandbox?.stop();
  }
}

/** Whether a sandbox answers; one that was named must. */
async function isSandboxThere(given: Given, world: World): Promise<boolean> {
  if (isOn(given, 'sandbox')) return true;
  try {
    await connectIssuer(sandboxGiven(given), world);
    return true;
  } catch (error) {
    if (error instanceof CommandFailure && error.code === 2) return false;
    throw error;
  }
}

/** Starts a sandbox of this folder for the examination alone. It records, because verdicts are read from the requests. */
async function startedHere({ cwd, modules, environment: env = {} }: World): Promise<Sandbox> {
  const { startSandbox } = await import('../../sandbox/sandbox.ts');
  return startSandbox(await loadConfig({ modules, cwd, env, overrides: { logLevel: 'silent', recording: true } }));
}

async function examined(world: World, options: ExamineOptions): Promise<Examination> {
  const sandbox = await startedHere(world);
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
    throw sentenceOf(error);
  }
}

/** Errors that a user can mend become their sentence. */
function sentenceOf(error: unknown): unknown {
  const isExpected = error instanceof TypeError || (error instanceof Error && error.name === 'BaselineFailed');
  return isExpected ? new CommandFailure(error.message.replace(/^examine: /, '')) : error;
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
