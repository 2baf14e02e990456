import { defined } from '../../base/defined.ts';
import { presetChoice, presetHelp } from './preset-choice.ts';
import type { ProviderTraits } from './provider-traits.ts';
import { type ConfiguredBy, type SettingGroup, type SettingRow, settingGroups, type ValuesOf } from './setting.ts';
import { dashboardSettings, loginSettings, sampleBackendSettings } from './settings/pages.ts';
import { protocolSettings, registrationSettings, relaxationSettings, tokenSettings } from './settings/protocol.ts';
import { logSettings, operationsSettings, protectionSettings, serverSettings, tlsSettings } from './settings/server.ts';

export { type SettingGroup, settingGroups } from './setting.ts';
export { signingAlgs } from './settings/signing-algs.ts';

/** Named one by one, so that the declarations of the package keep the comment above each row. */
export type SettingRows = typeof serverSettings &
  typeof tlsSettings &
  typeof registrationSettings &
  typeof protocolSettings &
  typeof tokenSettings &
  typeof loginSettings &
  typeof dashboardSettings &
  typeof protectionSettings &
  typeof relaxationSettings &
  typeof sampleBackendSettings &
  typeof operationsSettings &
  typeof logSettings;

/** The name of a setting: its member in a file. */
export type SettingName = keyof SettingRows;

/** The values of all settings. */
export type SettingValues = ValuesOf<SettingRows>;

/** A row with its group and its names. */
export interface Setting extends SettingRow {
  readonly group: SettingGroup;
  readonly name: string;
  readonly env: string;
}

/** Rows by group and name. */
export type SettingTables = { readonly [Group in SettingGroup]?: Readonly<Record<string, SettingRow>> };

/** What settings are made from, besides the core. */
export interface SettingModules {
  readonly extensions: readonly { readonly settings?: SettingTables }[];
  readonly providers: readonly ProviderTraits[];
}

const core: SettingTables = {
  Server: serverSettings,
  HTTPS: tlsSettings,
  Registration: registrationSettings,
  Protocol: protocolSettings,
  Tokens: tokenSettings,
  'Sign-in': loginSettings,
  Dashboard: dashboardSettings,
  Protection: protectionSettings,
  Relaxations: relaxationSettings,
  'Sample backend': sampleBackendSettings,
  Operations: operationsSettings,
  Log: logSettings,
};

/**
 * The settings that there are, group by group: those of the core, with the names of the providers, then those of extensions. Flags, environment variables, file
 * members, defaults, `--help` and docs/settings.md are made from this list.
 */
export function settingsWith({ extensions, providers }: SettingModules): readonly Setting[] {
  const preset = { ...protocolSettings.preset, format: presetChoice(providers), help: presetHelp(providers) };
  const all = [
    { ...core, Protocol: { ...protocolSettings, preset } },
    ...extensions.map(({ settings = {} }) => settings),
  ];
  return settingGroups.flatMap(group =>
    all.flatMap(tables => Object.entries(tables[group] ?? {}).map(([name, row]) => ({ ...named(name, row), group }))),
  );
}

/** A row with the names that follow from its own. */
export function named(name: string, row: SettingRow): Omit<Setting, 'group'> {
  const { inFile, secret } = row;
  const kebab = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const { env = kebab.toUpperCase().replaceAll('-', '_'), flag = inFile && !secret ? kebab : undefined } = row;
  return { ...row, name, env, ...defined({ flag }) };
}

/** The settings of the core, by name. */
export const settings = Object.fromEntries(
  settingsWith({ extensions: [], providers: [] }).map(row => [row.name, row]),
) as unknown as Readonly<Record<SettingName, Setting>>; // each row of the tables, under its name

/** The values of the settings of an extension: a configuration has them beside those of the core, without their types. */
export function ownSettings<Rows extends Readonly<Record<string, SettingRow>>>(config: object): ConfiguredBy<Rows> {
  return config as ConfiguredBy<Rows>;
}
