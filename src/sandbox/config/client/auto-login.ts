import { defined } from '../../../base/defined.ts';
import { nearestName } from '../../../base/text/nearest.ts';
import { isRecord } from '../../../base/text/record.ts';
import { checkClients } from '../documents.ts';
import { type ConfigProblem, type Finding, show } from '../problem.ts';
import type { RegistrationEntries } from '../registration.ts';
import { readSetting, type SettingSources } from '../setting-values.ts';
import type { SettingValues } from '../settings.ts';

/** `AUTO_LOGIN` and `auto_login` of clients must name a user, because nobody is there to choose a different one. */
export function autoLoginProblems(
  sources: SettingSources,
  { autoLogin }: SettingValues,
  { clients, users }: Pick<RegistrationEntries, 'clients' | 'users'>,
): ConfigProblem[] {
  const names = users.flatMap(({ raw }) => loginNamesOf(raw));
  return [
    ...settingProblems(sources, autoLogin, names),
    ...checkClients(clients, raw => autoLoginFindings(raw, names)),
  ];
}

/** Names a user can sign in with: `sub`, username or e-mail address. */
export function loginNamesOf(raw: unknown): string[] {
  if (!isRecord(raw)) return [];
  const email = isRecord(raw.claims) ? raw.claims.email : undefined;
  return [raw.sub, raw.username, email].filter(name => typeof name === 'string');
}

function settingProblems(sources: SettingSources, name: string | undefined, names: readonly string[]): ConfigProblem[] {
  if (name === undefined || name === 'hint' || isKnown(name, names)) return [];
  const { source = '' } = readSetting('autoLogin', sources);
  const nearest = nearestName(name, [...names, 'hint']);
  const expected = 'sub, username or e-mail address of a user, or hint';
  return [{ source, value: show(name), expected, ...defined({ nearest }) }];
}

/** Problems of `auto_login` in an entry of `clients`. */
export function autoLoginFindings(raw: unknown, names: readonly string[]): Finding[] {
  const value = isRecord(raw) ? raw.auto_login : undefined;
  if (typeof value !== 'string' || isKnown(value, names)) return [];
  const nearest = nearestName(value, names);
  const expected = 'sub, username or e-mail address of a user';
  return [{ path: ['auto_login'], value, expected, nearest }];
}

function isKnown(name: string, names: readonly string[]): boolean {
  return names.includes(name) || names.some(each => each.toLowerCase() === name.toLowerCase());
}
