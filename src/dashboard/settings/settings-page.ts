import type { Preferences } from '../../server/http/preferences.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { fileView } from './file-view.ts';
import { issuerList } from './issuer-list.ts';

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Each rule for claims with its place, as JSON. */
function ruleRows({ control }: Desk) {
  const { templates = [], onToken } = control.tokenRules() ?? {};
  const rows = templates.map((rule, index) => ({ place: `tokenClaims[${index}]`, text: JSON.stringify(rule) }));
  return onToken === undefined ? rows : [...rows, { place: 'onToken', text: 'a function of the configuration' }];
}

/** Appearance, reset, export, and the settings in effect. */
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
    // settings that differ from their default
    given: settings.filter(({ from }) => from !== 'default'),
    // undefined for an issuer that cannot create others
    issuers: await issuerList(desk),
    limits: (await desk.limits?.(desk.flows.kept())) ?? [],
    startedAt: momentOf(desk.startedAt, desk.clock()),
    configFile: desk.configFile ?? 'built in',
    file: fileView(desk),
    withoutEffect: await desk.withoutEffect(),
    rules: ruleRows(desk),
  };
}
