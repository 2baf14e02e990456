import { defined } from '../../base/defined.ts';
import { type NamesWith, type SettingGroup, type SettingRow, settingGroups, type ValuesOf } from './setting.ts';
import { logSettings } from './settings/log.ts';
import { operationsSettings } from './settings/operations.ts';
import { dashboardSettings, loginSettings } from './settings/pages.ts';
import { protectionSettings } from './settings/protection.ts';
import { protocolSettings } from './settings/protocol.ts';
import { registrationSettings } from './settings/registration.ts';
import { relaxationSettings } from './settings/relaxations.ts';
import { sampleBackendSettings } from './settings/sample-backend.ts';
import { serverSettings } from './settings/server.ts';
import { storeSettings } from './settings/store.ts';
import { tlsSettings } from './settings/tls.ts';
import { tokenSettings } from './settings/tokens.ts';

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
  typeof storeSettings &
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
  readonly name: SettingName;
  readonly env: string;
}

const tables: Readonly<Record<SettingGroup, Readonly<Record<string, SettingRow>>>> = {
  Server: serverSettings,
  HTTPS: tlsSettings,
  Registration: registrationSettings,
  Protocol: protocolSettings,
  Tokens: tokenSettings,
  Login: loginSettings,
  Dashboard: dashboardSettings,
  Protection: protectionSettings,
  Relaxations: relaxationSettings,
  Storage: storeSettings,
  'Sample backend': sampleBackendSettings,
  Operations: operationsSettings,
  Log: logSettings,
};

/**
 * The only table of settings, by name. Flags, environment variables, file members, defaults, `--help` and docs/settings.md are made
 * from it.
 */
export const settings = Object.fromEntries(
  settingGroups.flatMap(group =>
    Object.entries(tables[group]).map(([name, row]) => [name, { ...row, ...namesOf(name, row), group, name }]),
  ),
) as unknown as Readonly<Record<SettingName, Setting>>; // each row of the tables, under its name

/** The table as a list, in its order. */
export const settingList: readonly Setting[] = Object.values(settings);

function namesOf(name: string, { inFile, secret, ...given }: SettingRow): Pick<Setting, 'env' | 'flag'> {
  const kebab = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const { env = kebab.toUpperCase().replaceAll('-', '_'), flag = inFile && !secret ? kebab : undefined } = given;
  return { env, ...defined({ flag }) };
}

/** Settings that are read on each use, so that a changed value takes effect at once. */
export const liveSettings: readonly LiveSetting[] = settingList.flatMap(({ name, isLive }) =>
  isLive ? [name as LiveSetting] : [],
);

type LiveSetting = NamesWith<SettingRows, 'isLive'>;
