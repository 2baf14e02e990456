import type { Preferences } from '../../http/preferences.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { fileView } from './file-view.ts';
import { issuerList } from './issuer-list.ts';

const themes = [
  { value: 'system', label: 'as the system' },
  { value: 'light', label: 'light' },
  { value: 'dark', label: 'dark' },
];

/** How this browser sees the pages, what can be forgotten, and how the sandbox was set. */
export async function settingsPage(desk: Desk, preferences: Preferences, done: string) {
  const settings = await desk.settings();
  const names = [...new Set(settings.map(({ group }) => group))];
  return {
    preferences,
    themes,
    done,
    // whether the dashboard asks for a token
    canSignOut: desk.gate !== undefined,
    groups: names.map(name => ({ name, rows: settings.filter(({ group }) => group === name) })),
    // those that are not at their default
    given: settings.filter(({ from }) => from !== 'default'),
    // undefined for an issuer that makes none
    issuers: await issuerList(desk),
    startedAt: momentOf(desk.startedAt, desk.clock()),
    configFile: desk.configFile ?? 'built in',
    file: fileView(desk),
  };
}
