import { CommandFailure, type Given, isOn, textOf, type World } from '../../../client/cli/command.ts';
import { commandLogin } from '../drive/command-login.ts';
import { scriptLogin } from '../drive/script-login.ts';
import { walkLogin } from '../drive/walk-login.ts';
import type { ExamLogin } from '../driver.ts';
import type { ExamineOptions } from '../examination.ts';

/**
 * The examination of an app, as the flags ask for it.
 * @throws CommandFailure for flags that do not go together
 */
export async function optionsFrom(given: Given, world: World): Promise<ExamineOptions> {
  const modules = given.flags.module;
  const isWalk = isOn(given, 'login-url');
  return {
    plan: textOf(given, 'plan') ?? 'relying-party',
    ...(modules === undefined ? {} : { modules }),
    user: textOf(given, 'user') ?? (isWalk ? firstUser : undefined),
    seconds: numberIn(given, 'seconds', { fallback: 30, most: 3600 }),
    sideBySide: numberIn(given, 'side-by-side', { fallback: 4, most: 64 }),
    login: await loginFrom(given, world), // last, because it may open a browser
  };
}

/** Stands for the first user, who is known when the sandbox has started. */
export const firstUser = '';

const ways = ['login', 'login-script', 'login-url'];

async function loginFrom(given: Given, { cwd, environment = {} }: World): Promise<ExamLogin> {
  const [command, script, url] = ways.map(name => textOf(given, name));
  const signedIn = textOf(given, 'signed-in');
  const [one, other] = ways.filter(name => isOn(given, name));
  if (other !== undefined) throw new CommandFailure(`--${one} and --${other} cannot be used together`);
  if (script !== undefined) return scriptLogin(script, { cwd, browser: textOf(given, 'browser') });
  if (command !== undefined) return commandLogin(command, { cwd, env: environment });
  if (url === undefined)
    throw new CommandFailure(
      'nothing signs in to the app',
      1,
      "Give a command that does, such as --login 'npx playwright test login.spec.ts', --login-script with a script of Playwright, --login-url with the address that begins a sign-in, or --api with the address of an API.",
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
