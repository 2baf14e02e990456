import type { Preferences } from '../../http/preferences.ts';
import type { SettingFact } from '../dashboard-options.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';
import { type FileView, fileView } from './file-view.ts';
import { issuerList } from './issuer-list.ts';

/** How this browser sees the pages, what can be forgotten, and how the sandbox was set. */
export interface SettingsPage {
  readonly preferences: Preferences;
  readonly themes: readonly { readonly value: Preferences['theme']; readonly label: string }[];
  readonly done: string;
  /** Whether the dashboard asks for a token. */
  readonly canSignOut: boolean;
  readonly groups: readonly { readonly name: string; readonly rows: readonly SettingFact[] }[];
  /** Those that are not at their default. */
  readonly given: readonly SettingFact[];
  /** Undefined for an issuer that makes none. */
  readonly issuers: Awaited<ReturnType<typeof issuerList>>;
  readonly startedAt: Moment;
  readonly configFile: string;
  readonly file: FileView;
}

const themes: SettingsPage['themes'] = [
  { value: 'system', label: 'as the system' },
  { value: 'light', label: 'light' },
  { value: 'dark', label: 'dark' },
];

export async function settingsPage(desk: Desk, preferences: Preferences, done: string): Promise<SettingsPage> {
  const settings = await desk.settings();
  const names = [...new Set(settings.map(({ group }) => group))];
  return {
    preferences,
    themes,
    done,
    canSignOut: desk.gate !== undefined,
    groups: names.map(name => ({ name, rows: settings.filter(({ group }) => group === name) })),
    given: settings.filter(({ from }) => from !== 'default'),
    issuers: await issuerList(desk),
    startedAt: momentOf(desk.startedAt, desk.clock()),
    configFile: desk.configFile ?? 'built in',
    file: fileView(desk),
  };
}
