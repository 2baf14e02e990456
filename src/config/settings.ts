import type { NamesWith, Setting, ValuesOf } from './setting.ts';
import { logSettings } from './settings/log.ts';
import { operationsSettings } from './settings/operations.ts';
import { pageSettings } from './settings/pages.ts';
import { protectionSettings } from './settings/protection.ts';
import { protocolSettings } from './settings/protocol.ts';
import { registrationSettings } from './settings/registration.ts';
import { relaxationSettings } from './settings/relaxations.ts';
import { sampleBackendSettings } from './settings/sample-backend.ts';
import { serverSettings } from './settings/server.ts';
import { storeSettings } from './settings/store.ts';
import { tlsSettings } from './settings/tls.ts';
import { tokenSettings } from './settings/tokens.ts';
import { webhookSettings } from './settings/webhooks.ts';

export { type Setting, type SettingGroup, settingGroups } from './setting.ts';
export { signingAlgs } from './settings/signing-algs.ts';

/** Named one by one, so that the declarations of the package keep the comment above each row. */
type Rows = typeof serverSettings &
  typeof tlsSettings &
  typeof registrationSettings &
  typeof protocolSettings &
  typeof tokenSettings &
  typeof pageSettings &
  typeof protectionSettings &
  typeof relaxationSettings &
  typeof storeSettings &
  typeof sampleBackendSettings &
  typeof operationsSettings &
  typeof logSettings &
  typeof webhookSettings;

/**
 * The only table of settings, by name. Flags, environment variables, file members, defaults, `--help` and
 * docs/settings.md are made from it.
 */
export const settings: Rows = {
  ...serverSettings,
  ...tlsSettings,
  ...registrationSettings,
  ...protocolSettings,
  ...tokenSettings,
  ...pageSettings,
  ...protectionSettings,
  ...relaxationSettings,
  ...storeSettings,
  ...sampleBackendSettings,
  ...operationsSettings,
  ...logSettings,
  ...webhookSettings,
};

/** The name of a setting: its member in a file. */
export type SettingName = keyof typeof settings;

/** The values of all settings. */
export type SettingValues = ValuesOf<typeof settings>;

/** The table as a list, in its order. */
export const settingList: readonly (Setting & { readonly name: SettingName })[] = Object.entries(settings).map(
  ([name, row]) => ({ ...(row as Setting), name: name as SettingName }),
);

/** Settings that are read on each use, so that a changed value takes effect at once. */
export const liveSettings: readonly LiveSetting[] = settingList.flatMap(({ name, isLive }) =>
  isLive ? [name as LiveSetting] : [],
);

type LiveSetting = NamesWith<typeof settings, 'isLive'>;
