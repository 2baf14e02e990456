import { defined } from '../../base/defined.ts';
import { nearestName } from '../../base/text/nearest.ts';
import type { Document } from './documents.ts';
import { type ConfigProblem, formatPath, type Path, show } from './problem.ts';
import type { ProviderTraits } from './provider-traits.ts';
import type { SettingRow, ValuesOf } from './setting.ts';
import { named, type Setting, type SettingName, type SettingValues, settings } from './settings.ts';

/** Flags as typed: by name without the dashes; a list for a flag that was given more than once. */
export type Flags = Readonly<Record<string, string | readonly string[]>>;

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings come from, strongest first. */
export interface SettingSources {
  readonly overrides?: Document | undefined;
  readonly flags?: Flags | undefined;
  readonly env?: Environment | undefined;
  readonly file?: Document | undefined;
  readonly imported?: readonly Document[] | undefined;
  /** The settings that there are, those of extensions among them. */
  readonly table: readonly Setting[];
  /** The base of relative paths, except those in a file. */
  readonly cwd?: string | undefined;
  /** The providers that a preset may name. */
  readonly providers: readonly ProviderTraits[];
}

/** Where values come from. */
export type ValueSources = Omit<SettingSources, 'table' | 'cwd' | 'providers'>;

/** A value of a setting, with the name of its source for messages. */
interface Given {
  readonly source: string;
  readonly raw: unknown;
  /** True if the flag was given more than once although it is not a list. */
  readonly repeated?: boolean;
  readonly folder?: string | undefined;
}

/** The value of a setting and the problems of all its sources. */
export interface SettingReading<T> {
  readonly value: T;
  /** Absent for the default. */
  readonly source?: string;
  readonly folder?: string | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** The value of a setting from the strongest source. Weaker sources are checked too. */
export function readSetting<Name extends SettingName>(
  name: Name,
  sources: ValueSources,
): SettingReading<SettingValues[Name]> {
  // the format of the row returns the type of the row
  return readRow(settings[name], sources) as SettingReading<SettingValues[Name]>;
}

/** The same for a setting of an extension, by its row. */
export function readOwn<Rows extends Readonly<Record<string, SettingRow>>, Name extends keyof Rows & string>(
  rows: Rows,
  name: Name,
  sources: ValueSources,
): SettingReading<ValuesOf<Rows>[Name]> {
  return readRow(named(name, rows[name] as SettingRow), sources) as SettingReading<ValuesOf<Rows>[Name]>;
}

/** The same for any row. */
export function readRow(row: Omit<Setting, 'group'>, sources: ValueSources): SettingReading<unknown> {
  const readings = givenValues(row, sources).map(given => ({ given, reading: readGiven(row, given) }));
  const problems = readings.flatMap(({ reading }) => ('problems' in reading ? reading.problems : []));
  const [strongest] = readings;
  const value = strongest !== undefined && 'value' in strongest.reading ? strongest.reading.value : row.default;
  const from = strongest === undefined ? {} : { source: strongest.given.source, folder: strongest.given.folder };
  return { value, ...from, problems };
}

/** Every setting with its value, and all problems. */
export function readSettings(sources: SettingSources): { values: SettingValues; problems: readonly ConfigProblem[] } {
  const readings = sources.table.map(row => ({ name: row.name, ...readRow(row, sources) }));
  const values = Object.fromEntries(readings.map(({ name, value }) => [name, value]));
  return {
    // each name of the table is present, with the value of its row
    values: values as unknown as SettingValues,
    problems: [...unknownFlags(sources), ...readings.flatMap(({ problems }) => problems)],
  };
}

function givenValues(
  row: Omit<Setting, 'group'>,
  { overrides, flags, env, file, imported = [] }: ValueSources,
): Given[] {
  const typed = row.flag === undefined ? undefined : flags?.[row.flag];
  return [
    inDocument(row, overrides),
    {
      source: `flag --${row.flag}`,
      raw: typed,
      repeated: Array.isArray(typed) && row.format.isList !== true,
    },
    { source: `environment ${row.env}`, raw: env?.[row.env] === '' ? undefined : env?.[row.env] },
    { source: `environment ${row.anyOf}`, raw: row.anyOf && env?.[row.anyOf] === 'any' ? true : undefined },
    ...[file, ...imported].map(document => inDocument(row, document)),
  ].filter(({ raw }) => raw !== undefined);
}

function inDocument({ name, inFile }: Pick<Setting, 'name' | 'inFile'>, document: Document | undefined): Given {
  const raw = inFile && document !== undefined ? document.content[name] : undefined;
  return { source: `${document?.name}: ${name}`, raw, folder: document?.folder };
}

function readGiven(
  row: SettingRow,
  { source, raw, repeated }: Given,
): { value: unknown } | { problems: ConfigProblem[] } {
  if (repeated) return { problems: [{ source, expected: 'one value' }] };
  const reading = row.format.read(raw);
  if ('value' in reading) return reading;
  return {
    problems: reading.findings.map(({ path, value, expected, nearest }) => ({
      source: `${source}${placeIn(path)}`,
      ...(value === undefined ? {} : { value: row.secret ? '***' : show(value) }),
      expected,
      ...defined({ nearest }),
    })),
  };
}

/** A list is followed by its index, anything else by the name of the part. */
function placeIn(path: Path): string {
  return typeof path[0] === 'string' ? `: ${formatPath(path)}` : formatPath(path);
}

/** The value of an unknown flag is not shown: it may be a secret that has no flag here. */
function unknownFlags({ flags = {}, table }: SettingSources): ConfigProblem[] {
  const flagNames = table.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
  return Object.keys(flags)
    .filter(name => !flagNames.includes(name))
    .map(name => {
      const row = table.find(({ flag, env }) => flag === undefined && env === environmentName(name));
      const nearest = row === undefined ? nearestFlag(name, flagNames) : undefined;
      const expected =
        row === undefined ? 'a known flag' : `the environment variable ${row.env}: the setting has no flag`;
      return { source: `flag --${name}`, expected, ...defined({ nearest }) };
    });
}

function nearestFlag(name: string, flagNames: readonly string[]): string | undefined {
  const positive = name.replace(/^no-/, '');
  if (positive !== name && flagNames.includes(positive)) return `--${positive} off`;
  const nearest = nearestName(name, flagNames);
  return nearest === undefined ? undefined : `--${nearest}`;
}

function environmentName(flag: string): string {
  return flag.toUpperCase().replaceAll('-', '_');
}
