import { isRecord } from '../../../base/text/record.ts';
import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import type { LessonCode } from '../lesson.ts';

/**
 * A lesson ignores the settings of the sandbox. Codes live long, because a teacher talks in between. Fills in `{{issuer}}`, and in a
 * lab `{{second}}`: the addresses of its issuers.
 */
export function issuerOf({ issuer }: Pick<LessonCode, 'issuer'>, addresses: Addresses): ShortLivedConfig {
  return filled({ ...defaults, ...issuer }, addresses) as ShortLivedConfig; // a copy of the same type
}

type Addresses = Readonly<Record<string, string>>;

function filled(value: unknown, addresses: Addresses): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => addresses[name] ?? whole);
  if (Array.isArray(value)) return value.map(each => filled(each, addresses));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, addresses)]));
}

const defaults: ShortLivedConfig = {
  codeLifetime: 1800,
  label: 'Lesson',
  loginMode: 'picker',
  consent: false,
  recording: true,
  dashboard: true,
  errorUri: true,
  historySize: 500,
};
