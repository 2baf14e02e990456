import { CommandFailure, type Given, isOn, textOf, type World } from '../../../client/cli/command.ts';
import { commandLogin } from '../drive/command-login.ts';
import { walkLogin } from '../drive/walk-login.ts';
import type { ExamLogin } from '../driver.ts';
import type { ExamineOptions } from '../examination.ts';

/**
 * The examination of an app, as the flags ask for it.
 * @throws CommandFailure for flags that do not go together
 */
export function optionsFrom(given: Given, world: World): ExamineOptions {
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
export const firstUser = '';

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
