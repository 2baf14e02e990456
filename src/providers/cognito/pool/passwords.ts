import { refused } from './errors.ts';

/** The default policy of a user pool. */
export const policy = {
  MinimumLength: 8,
  RequireUppercase: true,
  RequireLowercase: true,
  RequireNumbers: true,
  RequireSymbols: true,
  TemporaryPasswordValidityDays: 7,
} as const;

const rules: readonly (readonly [test: RegExp, fault: string])[] = [
  [new RegExp(`^.{${policy.MinimumLength},256}$`, 's'), 'Password not long enough'],
  [/[A-Z]/, 'Password must have uppercase characters'],
  [/[a-z]/, 'Password must have lowercase characters'],
  [/\d/, 'Password must have numeric characters'],
  [/[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+ -]/, 'Password must have symbol characters'],
];

/** @throws InvalidPasswordException that names the first fault */
export function requireGoodPassword(password: string): string {
  const broken = rules.find(([test]) => !test.test(password));
  if (broken === undefined) return password;
  throw refused('InvalidPasswordException', `Password did not conform with policy: ${broken[1]}`);
}
