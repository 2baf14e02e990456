import type { Format } from './formats.ts';

/** One row of the table of settings, as it is written there. `Written` is the form of its value in a file. */
export interface SettingRow<T = unknown, Written = unknown> extends Traits {
  readonly format: Format<T, Written>;
  readonly default: T;
  /** One line, starting with a capital, without a full stop. */
  readonly help: string;
  /** True if `clients.config.ts` may set it by its name. */
  readonly inFile: boolean;
}

/** Properties that only some settings have. */
export interface Traits {
  /** Default: the name in kebab case. A secret has none, because it does not belong on a command line. */
  readonly flag?: string;
  /** Default: the name in capitals: `TLS_KEY`. */
  readonly env?: string;
  /** Text of the default in the help, in place of the value. */
  readonly defaultText?: string;
  /** Belongs to the whole sandbox: further issuers cannot set it. */
  readonly isWhole?: true;
  /** Read on each use, so that a changed value in the file takes effect without a restart. */
  readonly isLive?: true;
  /** Never printed. */
  readonly secret?: true;
  /** Another variable that switches it on by the word `any`. */
  readonly anyOf?: string;
  /** A path: made absolute, from the folder of the file that names it, or from the working directory. */
  readonly isPath?: true;
  /** Not together with a store that replicas share, for this reason. */
  readonly notShared?: string;
  /** Hidden on pages and in the log, although it may be set as a flag. */
  readonly isHidden?: true;
}

export const settingGroups = [
  'Server',
  'HTTPS',
  'Registration',
  'Protocol',
  'Tokens',
  'Sign-in',
  'Dashboard',
  'Protection',
  'Relaxations',
  'Storage',
  'Sample backend',
  'Operations',
  'Log',
] as const;

/** A group of the help and of docs/settings.md. */
export type SettingGroup = (typeof settingGroups)[number];

/** A row that a file may set as well. */
export type FileSetting<T, Written> = SettingRow<T, Written> & { readonly inFile: true };

/**
 * A setting that a file may set as well. Its name gives it its flag and its variable. Editors show the comment above its row as
 * the description of the member in a file.
 */
export function setting<T, Written, Default extends T | undefined, const Own extends Traits = object>(
  format: Format<T, Written>,
  defaultValue: Default,
  help: string,
  traits?: Own,
): FileSetting<T | Extract<Default, undefined>, Written> & Own {
  const row = { inFile: true, format, default: defaultValue, help, ...traits };
  // without `undefined` as default, every value comes from the format
  return row as unknown as FileSetting<T | Extract<Default, undefined>, Written> & Own;
}

/** A setting for the environment alone, for pipelines that cannot mount a file; with `flag` for the command line, too. */
export function variable<T, Written>(
  format: Format<T, Written>,
  help: string,
  traits: Traits,
): SettingRow<T | undefined, Written> & { readonly inFile: false } {
  return { inFile: false, format, default: undefined, help, ...traits };
}

type Table = Readonly<Record<string, SettingRow>>;

/** Values of a table of settings after reading. */
export type ValuesOf<Rows extends Table> = { readonly [Name in keyof Rows]: Rows[Name]['default'] };

/** Settings of a table that a file may set, in their written form. */
export type WrittenIn<Rows extends Table> = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly inFile: true } ? Name : never]?: NonNullable<
    Rows[Name]['format']['written']
  >;
};

/** The names of the settings that have a trait. */
export type NamesWith<Rows extends Table, Trait extends keyof Traits> = keyof {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly [Has in Trait]: true } ? Name : never]: true;
};

/** Values of the settings that a file may set; optional if there is no default. */
export type ConfiguredBy<Rows extends Table> = {
  readonly [Name in keyof Rows as IfConfigured<Rows, Name, 'always'>]: Rows[Name]['default'];
} & {
  readonly [Name in keyof Rows as IfConfigured<Rows, Name, 'sometimes'>]?: NonNullable<Rows[Name]['default']>;
};

type IfConfigured<Rows extends Table, Name extends keyof Rows, How> = Rows[Name] extends { readonly inFile: true }
  ? undefined extends Rows[Name]['default']
    ? How extends 'sometimes'
      ? Name
      : never
    : How extends 'always'
      ? Name
      : never
  : never;
