import type { Response, Router } from 'express';
import type { Preferences } from '../../http/preferences.ts';
import { createNotices, type Notices } from '../configure/notices.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { settingsPage } from './settings-page.ts';

/** `/settings`: how this browser sees the pages, what can be forgotten, and how the sandbox was set. */
export function settingPages(router: Router, desk: Desk): void {
  const notices = createNotices();

  router.get('/settings', async (req, res) => {
    const done = notices.of(req.query.done).join(' ');
    const model = await settingsPage(desk, desk.preferences.read(req), done);
    await desk.show(res, { template: 'settings', title: 'Settings', nav: 'settings', model });
  });

  router.post('/settings/view', async (req, res) => {
    const preferences = typedPreferences(await formOf(req));
    res.append('Set-Cookie', desk.preferences.cookie(preferences));
    leadBack(desk, notices, res, 'Kept in this browser, for this sandbox.');
  });

  router.get('/settings/reset', async (_req, res) => {
    await desk.show(res, { template: 'reset', title: 'Reset everything', nav: 'settings', model: {} });
  });

  router.post('/settings/reset', async (req, res) => {
    const part = (await formOf(req)).get('part') ?? '';
    const reset = Object.hasOwn(resets, part) ? resets[part] : undefined;
    if (reset === undefined) return leadBack(desk, notices, res, 'Nothing was reset.');
    await desk.control.reset(reset.part);
    leadBack(desk, notices, res, reset.done);
  });

  router.post('/settings/issuers', async (req, res) => {
    const id = (await formOf(req)).get('end') ?? '';
    const issuers = await desk.issuers?.();
    const hasEnded = issuers?.delete(id, 'dashboard') === true;
    leadBack(desk, notices, res, hasEnded ? `The issuer ${id} has ended.` : 'That issuer had ended already.');
  });
}

interface Reset {
  readonly part?: 'history' | 'configuration';
  readonly done: string;
}

const resets: Readonly<Record<string, Reset>> = {
  history: { part: 'history', done: 'The history is empty. Sessions and tokens are as they were.' },
  configuration: {
    part: 'configuration',
    done: 'Clients, users, scopes and collections are those of the configuration again.',
  },
  everything: { done: 'The sandbox is as it was at the start. Only its keys stayed.' },
};

function typedPreferences(typed: URLSearchParams): Preferences {
  const theme = typed.get('theme');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    keys: typed.get('keys') === 'on',
    secrets: typed.get('secrets') === 'hidden' ? 'hidden' : 'shown',
  };
}

function leadBack({ base }: Desk, notices: Notices, res: Response, sentence: string): void {
  res.redirect(303, `${base}/dashboard/settings?done=${notices.keep([sentence])}`);
}
