import type { Format } from './formats.ts';

/** One row of the table: everything there is to know about a setting. */
export interface Setting<T = unknown> {
  readonly group: SettingGroup;
  /** Absent where the setting is for the environment only: secrets and whole lists do not belong on a command line. */
  readonly flag?: string;
  readonly env: string;
  readonly format: Format<T>;
  readonly default: T;
  /** What the help says instead of the default itself. */
  readonly defaultText?: string;
  /** One line, starting with a capital, without a full stop. */
  readonly help: string;
  /** Whether `clients.config.ts` may set it by its name. */
  readonly inFile: boolean;
  /** Never printed. */
  readonly secret?: true;
}

export const settingGroups = [
  'Server',
  'HTTPS',
  'Registration',
  'Protocol',
  'Tokens',
  'Login',
  'Dashboard',
  'Protection',
  'Sample backend',
  'Log',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** A setting with a flag, which a file may set too. `names` are its flag and its variable: `--port PORT`. */
export function setting<T>(
  group: SettingGroup,
  names: `--${string} ${string}`,
  format: Format<T>,
  defaultValue: NoInfer<T>,
  help: string,
  defaultText?: string,
): Setting<T> {
  const [flag = '', env = ''] = names.slice('--'.length).split(' ');
  const shown = defaultText === undefined ? {} : { defaultText };
  return { group, inFile: true, flag, env, format, default: defaultValue, help, ...shown };
}
/** A setting for the environment alone, for pipelines that cannot mount a file. */
export function variable<T>(row: Omit<Setting<T | undefined>, 'group' | 'inFile' | 'default'>): Setting<T | undefined> {
  return { group: 'Registration', inFile: false, default: undefined, ...row };
}
