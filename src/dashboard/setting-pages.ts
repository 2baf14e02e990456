import type { Request, Response, Router } from 'express';
import type { ConfigurationChanges } from '../base/events/configuration-events.ts';
import { changesInWords } from '../base/events/reload.ts';
import { memberWords } from '../record/words/configuration-words.ts';
import type { ShortLivedIssuers } from '../sandbox/control/short-lived.ts';
import type { Preferences } from '../server/http/preferences.ts';
import { changing, formOf, pathBack } from './form.ts';
import { momentOf } from './moment.ts';
import type { PageContext } from './page.ts';

/** The buttons of the frame: the theme, and whether the tools are open. */
export function displayPages(router: Router, context: PageContext): void {
  router.post('/settings/display', async (req, res) => {
    const typed = await formOf(req);
    keep(context, req, res, displayed(typed));
    res.redirect(303, pathBack(context.base, typed));
  });
}

/** `/settings`: appearance, reset, export, and the settings in effect. */
export function settingPages(router: Router, context: PageContext): void {
  router.get('/settings', async (req, res) => {
    const done = context.noticesFor(req).join(' ');
    const model = await settingsPage(context, context.preferences.read(req), done);
    await context.show(res, { template: 'settings', title: 'Settings', nav: 'settings', model });
  });

  router.post('/settings/view', async (req, res) => {
    const typed = await formOf(req);
    const keys = typed.get('keys') === 'on';
    const secrets = typed.get('secrets') === 'hidden' ? 'hidden' : 'shown';
    keep(context, req, res, { keys, secrets });
    leadBack(context, res, 'Saved in this browser.');
  });

  router.get('/settings/reset', async (_req, res) => {
    await context.show(res, { template: 'reset', title: 'Reset everything', nav: 'settings', model: {} });
  });

  router.post(
    '/settings/reset',
    changing(context, (form, _req, res) => reset(context, form.get('part') ?? '', res), 'makes room'),
  );
  router.post(
    '/settings/issuers',
    changing(context, (form, _req, res) => endIssuer(context, form.get('end') ?? '', res)),
  );
}

async function reset(context: PageContext, part: string, res: Response): Promise<void> {
  const asked = Object.hasOwn(resets, part) ? resets[part] : undefined;
  if (asked === undefined) return leadBack(context, res, 'Nothing was reset, because the form named no known part.');
  await context.control.reset(asked.part);
  leadBack(context, res, asked.done);
}

async function endIssuer(context: PageContext, id: string, res: Response): Promise<void> {
  const issuers = await context.issuers?.();
  const hasEnded = issuers?.delete(id, 'dashboard') === true;
  leadBack(context, res, hasEnded ? `Issuer ${id} has ended.` : 'This issuer had already ended.');
}

interface Reset {
  readonly part?: 'history' | 'configuration';
  readonly done: string;
}

const resets: Readonly<Record<string, Reset>> = {
  history: { part: 'history', done: 'History cleared. Sessions and tokens stay valid.' },
  configuration: {
    part: 'configuration',
    done: 'All changes undone. Clients, users, scopes, collections and rules for claims match the configuration.',
  },
  everything: { done: 'The sandbox was reset. Only its signing keys stay.' },
};

function keep({ preferences }: PageContext, req: Request, res: Response, changed: Partial<Preferences>): void {
  res.append('Set-Cookie', preferences.cookie({ ...preferences.read(req), ...changed }));
}

function displayed(typed: URLSearchParams): Partial<Preferences> {
  const [theme, tools] = [typed.get('theme'), typed.get('tools')];
  const isTheme = theme === 'system' || theme === 'light' || theme === 'dark';
  return { ...(isTheme ? { theme } : {}), ...(tools === null ? {} : { tools: tools === 'open' }) };
}

function leadBack(context: PageContext, res: Response, sentence: string): void {
  context.leadTo(res, '/dashboard/settings', [sentence]);
}

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function ruleRows({ control }: PageContext) {
  const { templates = [], onToken } = control.tokenRules() ?? {};
  const rows = templates.map((rule, index) => ({ place: `tokenClaims[${index}]`, text: JSON.stringify(rule) }));
  return onToken === undefined ? rows : [...rows, { place: 'onToken', text: 'a function of the configuration' }];
}

async function settingsPage(context: PageContext, preferences: Preferences, done: string) {
  const settings = await context.settings();
  const names = [...new Set(settings.map(({ group }) => group))];
  return {
    preferences,
    themes,
    done,
    canSignOut: context.gate !== undefined,
    groups: names.map(name => ({ name, rows: settings.filter(({ group }) => group === name) })),
    given: settings.filter(({ from }) => from !== 'default'),
    issuers: await issuerList(context),
    limits: (await context.limits?.(context.flows.kept())) ?? [],
    startedAt: momentOf(context.startedAt, context.clock()),
    configFile: context.configFile ?? 'built in',
    file: fileView(context),
    withoutEffect: await context.withoutEffect(),
    rules: ruleRows(context),
  };
}

const mostShown = 50;

async function issuerList({ issuers, time }: Pick<PageContext, 'issuers' | 'time'>) {
  const shelf = await issuers?.();
  if (shelf === undefined) return undefined;
  const all = shelf.list();
  const rows = all.slice(-mostShown).reverse();
  return { rows: rows.map(each => rowOf(each, time.state().wall)), total: all.length };
}

/** In real seconds, because an issuer's own clock does not age it. */
function rowOf(told: ReturnType<ShortLivedIssuers['list']>[number], wall: number) {
  const { id, issuer, createdAt, expiresAt, dashboard } = told;
  const href = dashboard === undefined ? {} : { href: new URL(dashboard).pathname };
  return { id, issuer, ...href, made: momentOf(createdAt, wall), ends: momentOf(expiresAt, wall) };
}

const none: ConfigurationChanges = { entries: [], settings: [], atNextStart: [] };

function fileView({ fileState, configFile, startedAt, clock }: PageContext) {
  const { used, changed, refused } = fileState();
  const now = clock();
  const { entries, settings } = changed ?? none;
  return {
    name: refused?.file ?? used?.file ?? configFile ?? 'built in',
    isThere: configFile !== undefined,
    read: momentOf(used?.at ?? startedAt, now),
    ...(changed === undefined ? {} : { changed: { at: momentOf(changed.at, now), words: changesInWords(changed) } }),
    entries: entries.slice(0, mostShown).map(({ kind, name, change, members }) => ({
      what: `${kind} ${name}`,
      how: memberWords(members) || change,
    })),
    settings,
    atNextStart: used?.atNextStart ?? [],
    ...(refused === undefined ? {} : { refused: { at: momentOf(refused.at, now), problems: refused.problems } }),
  };
}
