import type { Setting } from './setting.ts';
import { logSettings } from './settings/log.ts';
import { pageSettings } from './settings/pages.ts';
import { protectionSettings } from './settings/protection.ts';
import { protocolSettings } from './settings/protocol.ts';
import { registrationSettings } from './settings/registration.ts';
import { sampleBackendSettings } from './settings/sample-backend.ts';
import { serverSettings } from './settings/server.ts';
import { tlsSettings } from './settings/tls.ts';
import { tokenSettings } from './settings/tokens.ts';

export { type Setting, type SettingGroup, settingGroups } from './setting.ts';
export { signingAlgs } from './settings/signing-algs.ts';

/** THE table of settings, by name. Flags, environment, file, defaults, `--help` and the README are all made from it. */
export const settings = {
  ...serverSettings,
  ...tlsSettings,
  ...registrationSettings,
  ...protocolSettings,
  ...tokenSettings,
  ...pageSettings,
  ...protectionSettings,
  ...sampleBackendSettings,
  ...logSettings,
};

export type SettingName = keyof typeof settings;
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** The table as a list, in its order. */
export const settingList: readonly (Setting & { readonly name: SettingName })[] = Object.entries(settings).map(
  ([name, row]) => ({ ...(row as Setting), name: name as SettingName }),
);
