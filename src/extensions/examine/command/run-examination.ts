import { defined } from '../../../base/defined.ts';
import { CommandFailure, type Given, isOn, textOf, type World } from '../../../client/cli/command.ts';
import { connectIssuer, discover } from '../../../client/cli/connection.ts';
import { loadConfig } from '../../../sandbox/config/load-config.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { apiIn, sandboxGiven, silenceOf, withSandboxFlag } from '../../report/api/call-api.ts';
import { resourceServer } from '../../report/api/resource-server.ts';
import type { ApiHost } from '../api/api-issuer.ts';
import { examineApi } from '../api/examine-api.ts';
import type { Examination, ExamineApiOptions, ExaminedApi, ExamineOptions, ModuleResult } from '../examination.ts';
import { loginFlags } from './flags.ts';
import { firstUser } from './login-from.ts';

/** Examines an API with the sandbox that runs, or with one that is started for it. */
export async function apiExamined(given: Given, world: World): Promise<Examination> {
  const other = loginFlags.find(({ name }) => isOn(given, name))?.name;
  if (other !== undefined) throw new CommandFailure(`--api and --${other} cannot be used together`);
  const plan = textOf(given, 'plan') ?? resourceServer.id;
  if (plan !== resourceServer.id) throw new CommandFailure(`--api examines the plan ${resourceServer.id}, not ${plan}`);
  const options: ExamineApiOptions = {
    api: {
      url: apiIn(given, 'api'),
      ...namedIn(given),
      rotate: isOn(given, 'rotate'),
      insecure: isOn(given, 'insecure'),
    },
    ...defined({ modules: given.flags.module }),
    ...progressOf(world),
  };
  try {
    const there = await sandboxThere(given, world);
    if (there !== undefined) return await examineApi(there, options, world.timing?.sleep);
    const sandbox = await startedHere(world);
    return await sandbox.examine(options).finally(sandbox.stop);
  } catch (error) {
    throw withSandboxFlag(silenceOf(sentenceOf(error)));
  }
}

function namedIn(given: Given): Pick<ExaminedApi, 'audience' | 'scope' | 'client' | 'user'> {
  const [audience, scope] = [textOf(given, 'audience'), textOf(given, 'scope')];
  return { audience, scope, client: textOf(given, 'client'), user: textOf(given, 'user') };
}

/** The sandbox that answers; one that was named must. */
async function sandboxThere(given: Given, world: World): Promise<ApiHost | undefined> {
  const found = await connectIssuer(sandboxGiven(given), world).catch((error: unknown) => {
    const isNone = error instanceof CommandFailure && error.code === 2 && !isOn(given, 'sandbox');
    if (!isNone) throw error;
  });
  if (found === undefined) return undefined;
  const { issuer, members } = await discover(found);
  return { ...found, issuer, jwksUri: String(members.jwks_uri) };
}

/** Starts a sandbox of this folder for the examination alone. It records, because verdicts are read from the requests. */
async function startedHere({ cwd, modules, environment: env = {} }: World): Promise<Sandbox> {
  const { startSandbox } = await import('../../../sandbox/sandbox.ts');
  return startSandbox(await loadConfig({ modules, cwd, env, overrides: { logLevel: 'silent', recording: true } }));
}

/** Examines an app with a sandbox that is started for it. */
export async function examined(world: World, options: ExamineOptions): Promise<Examination> {
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await startedHere(world);
    return await examine(sandbox, { ...options, ...(await userOf(sandbox, options)), ...progressOf(world) });
  } finally {
    await Promise.all([sandbox?.stop(), options.login.close?.()]);
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
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const isExpected = error instanceof TypeError || name === 'BaselineFailed' || message.startsWith('examine: ');
  return isExpected
    ? new CommandFailure(message.replace(/^examine: /, '').replace(/^nextLogin: sub /, '--user '))
    : error;
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
