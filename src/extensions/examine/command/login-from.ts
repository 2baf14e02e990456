import { CommandFailure, type Given, isOn, textOf, type World } from '../../../client/cli/command.ts';
import { readText } from '../../../client/cli/out-file.ts';
import { resourceServer } from '../../report/api/resource-server.ts';
import { commandLogin } from '../drive/command-login.ts';
import { type SignInRecord, signInRecordIn, userIn } from '../drive/recorded-login.ts';
import { scriptSteps } from '../drive/script-login.ts';
import { walkSteps } from '../drive/walk-login.ts';
import type { ExamSteps } from '../driver.ts';
import type { ExamineOptions } from '../examination.ts';

/**
 * The examination of an app, as the flags ask for it.
 * @throws CommandFailure for flags that do not go together
 */
export async function optionsFrom(given: Given, world: World): Promise<ExamineOptions> {
  const [one, other] = ways.filter(name => isOn(given, name));
  if (other !== undefined) throw new CommandFailure(`--${one} and --${other} cannot be used together`);
  const modules = given.flags.module;
  const isWalk = isOn(given, 'login-url');
  const record = recordIn(given, world);
  if (textOf(given, 'plan') === resourceServer.id) throw new CommandFailure(`--plan ${resourceServer.id} needs --api`);
  return {
    plan: textOf(given, 'plan') ?? 'relying-party',
    ...(modules === undefined ? {} : { modules }),
    user: textOf(given, 'user') ?? (isWalk ? firstUser : record && userIn(record)),
    seconds: numberIn(given, 'seconds', { fallback: 30, most: 3600 }),
    sideBySide: numberIn(given, 'side-by-side', { fallback: 4, most: 64 }),
    ...(await stepsFrom(given, world, record)), // last, because it may open a browser
  };
}

/** Stands for the first user, who is known when the sandbox has started. */
export const firstUser = '';

/** The flags that say how to sign in. */
export const ways = ['login', 'login-script', 'login-url', 'login-recorded'];

function recordIn(given: Given, world: World): SignInRecord | undefined {
  const file = textOf(given, 'login-recorded');
  if (file === undefined) return undefined;
  const json = readText(file, world, '--login-recorded: ');
  try {
    return signInRecordIn(json);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(`--login-recorded: ${file}: ${error.message}`);
  }
}

async function stepsFrom(
  given: Given,
  { cwd, environment = {} }: World,
  record: SignInRecord | undefined,
): Promise<ExamSteps> {
  const [command, script, url] = ways.map(name => textOf(given, name));
  const signedIn = textOf(given, 'signed-in');
  for (const [flag, needed] of pairs)
    if (isOn(given, flag) && !isOn(given, needed)) throw new CommandFailure(`--${flag} needs --${needed}`);
  if (record !== undefined) return walkSteps({ url: record.url, forms: record.forms, signedIn: record.signedIn });
  if (script !== undefined) return scriptSteps(script, { cwd, browser: textOf(given, 'browser') });
  if (command !== undefined) {
    const stepOf = (text: string) => commandLogin(text, { cwd, env: environment });
    const [logout, check] = ['logout', 'check'].map(name => textOf(given, name));
    return {
      login: stepOf(command),
      ...(logout !== undefined && { logout: stepOf(logout) }),
      ...(check !== undefined && { check: stepOf(check) }),
    };
  }
  if (url === undefined)
    throw new CommandFailure(
      'nothing signs in to the app',
      1,
      "Give a command that does, such as --login 'npx playwright test login.spec.ts', --login-script with a script of Playwright, --login-url with the address that begins a sign-in, --login-recorded with a sign-in that the dashboard recorded, or --api with the address of an API.",
    );
  checkAddress('login-url', url);
  const logoutUrl = textOf(given, 'logout-url');
  if (logoutUrl !== undefined) checkAddress('logout-url', logoutUrl);
  if (signedIn === undefined)
    throw new CommandFailure(
      '--login-url needs --signed-in',
      1,
      "Give a text that only a page for somebody signed in has, such as --signed-in 'Sign out'.",
    );
  return walkSteps({ url, signedIn, logoutUrl });
}

/** Flags that belong to one way to sign in, because a command cannot use the cookies of a walk, or to an API. */
const pairs = [
  ['logout', 'login'],
  ['check', 'login'],
  ['logout-url', 'login-url'],
  ['signed-in', 'login-url'],
  ['browser', 'login-script'],
  ...(['audience', 'scope', 'client', 'rotate', 'sandbox', 'ca', 'insecure', 'control-token'] as const).map(
    flag => [flag, 'api'] as const,
  ),
] as const;

function checkAddress(flag: string, address: string): void {
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new CommandFailure(`--${flag} expects an http or https address, not ${JSON.stringify(address)}`);
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
