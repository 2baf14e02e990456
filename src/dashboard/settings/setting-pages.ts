import type { Response, Router } from 'express';
import type { Preferences } from '../../server/http/preferences.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { settingsPage } from './settings-page.ts';

/** `/settings`: appearance, reset, export, and the settings in effect. */
export function settingPages(router: Router, desk: Desk): void {
  router.get('/settings', async (req, res) => {
    const done = desk.noticesFor(req).join(' ');
    const model = await settingsPage(desk, desk.preferences.read(req), done);
    await desk.show(res, { template: 'settings', title: 'Settings', nav: 'settings', model });
  });

  router.post('/settings/view', async (req, res) => {
    const preferences = typedPreferences(await formOf(req));
    res.append('Set-Cookie', desk.preferences.cookie(preferences));
    leadBack(desk, res, 'Saved in this browser.');
  });

  router.get('/settings/reset', async (_req, res) => {
    await desk.show(res, { template: 'reset', title: 'Reset everything', nav: 'settings', model: {} });
  });

  router.post('/settings/reset', async (req, res) => {
    const part = (await formOf(req)).get('part') ?? '';
    const reset = Object.hasOwn(resets, part) ? resets[part] : undefined;
    if (reset === undefined) return leadBack(desk, res, 'Nothing was reset, because the form named no known part.');
    await desk.control.reset(reset.part);
    leadBack(desk, res, reset.done);
  });

  router.post('/settings/issuers', async (req, res) => {
    const id = (await formOf(req)).get('end') ?? '';
    const issuers = await desk.issuers?.();
    const hasEnded = issuers?.delete(id, 'dashboard') === true;
    leadBack(desk, res, hasEnded ? `Issuer ${id} has ended.` : 'This issuer had already ended.');
  });
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

function typedPreferences(typed: URLSearchParams): Preferences {
  const theme = typed.get('theme');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    keys: typed.get('keys') === 'on',
    secrets: typed.get('secrets') === 'hidden' ? 'hidden' : 'shown',
  };
}

function leadBack(desk: Desk, res: Response, sentence: string): void {
  desk.leadTo(res, '/dashboard/settings', [sentence]);
}
