import type { Request, Response, Router } from 'express';
import { byField, type FieldTexts, formOf } from '../../../dashboard/form.ts';
import type { PageContext } from '../../../dashboard/page.ts';
import { textOf } from '../../../dashboard/query.ts';
import { OAuthError } from '../../../protocol/errors.ts';
import { recordedForms, type SignInRecord, signInRecordIn } from '../drive/recorded-login.ts';
import { plans } from '../plans/index.ts';
import { requestsSince } from '../stage.ts';
import type { ExamineHere } from './examine-here.ts';

/** A sign-in that is recorded. */
interface Recording {
  readonly plan: string;
  readonly url: string;
  /** The newest event when it began. */
  readonly since: number;
  readonly signedIn: string;
  /** The record as JSON; empty before there is one. */
  readonly record: string;
}

const at = '/dashboard/examine/record';

/** Where a sign-in that begins at this address is recorded. */
export function recordPath({ host }: ExamineHere['runs'], { plan, url }: Pick<Recording, 'plan' | 'url'>): string {
  return `${at}?${new URLSearchParams({ plan, url, since: String(host.first.events.lastId) })}`;
}

/** `/dashboard/examine/record`: records a sign-in that somebody does in another window, and examines with it. */
export function recordPages(router: Router, context: PageContext, here: ExamineHere): void {
  const show = (res: Response, recording: Recording, problems: FieldTexts = {}) =>
    context.show(res, {
      template: 'examine-record',
      title: 'Record a sign-in',
      nav: 'examine',
      model: {
        ...recording,
        problems,
        plans: plans.map(({ id, title, modules }) => ({ id, title, count: modules.length })),
      },
      status: Object.keys(problems).length === 0 ? 200 : 400,
    });
  router.get('/record', async ({ query }: Request, res) => {
    const typed = new URLSearchParams(['plan', 'url', 'since'].map(name => [name, textOf(query[name])]));
    await show(res, recordingIn(typed));
  });
  router.post('/record', async (req, res) => {
    const recording = recordingIn(await formOf(req));
    const forms = recordedForms(requestsSince(here.runs.host.first, recording.since));
    const problems = missingIn(recording, forms);
    if (Object.keys(problems).length > 0) return show(res, recording, problems);
    const { url, signedIn } = recording;
    const record: SignInRecord = { format: 'grantbox-sign-in', version: 1, url, forms, signedIn };
    await show(res, { ...recording, record: JSON.stringify(record, null, 2) });
  });
  const withRecord = (path: string, use: (record: SignInRecord, recording: Recording, res: Response) => unknown) =>
    router.post(path, async (req, res) => {
      const recording = recordingIn(await formOf(req));
      try {
        await use(signInRecordIn(recording.record), recording, res);
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof OAuthError)) throw error;
        await show(res, recording, { record: [`${error.message}.`] });
      }
    });
  withRecord('/record/file', (record, _recording, res) => {
    res.set('Content-Disposition', 'attachment; filename="grantbox-sign-in.json"');
    res.type('application/json; charset=utf-8').send(`${JSON.stringify(record, null, 2)}\n`);
  });
  withRecord('/record/examine', async (recorded, { plan }, res) => {
    const { id } = await here.start({ plan, driver: { recorded }, issuers: 'first' });
    res.redirect(303, `${context.base}/dashboard/examine/${id}`);
  });
}

function recordingIn(form: URLSearchParams): Recording {
  const text = (name: string) => form.get(name)?.trim() ?? '';
  const url = text('url');
  const isAddress = URL.canParse(url) && /^https?:/.test(url); // it becomes a link
  const since = Number(text('since')) || 0;
  return { plan: text('plan'), url: isAddress ? url : '', since, signedIn: text('signedIn'), record: text('record') };
}

function missingIn({ signedIn }: Recording, forms: SignInRecord['forms']): FieldTexts {
  return byField([
    ...(signedIn === '' ? [['signedIn', 'Expected a text that only a signed-in page has.'] as const] : []),
    ...(forms.length > 0
      ? []
      : [
          [
            'all',
            'Nothing was recorded: no form was sent at this sandbox since you began. If it knew you already, sign in with a private window.',
          ] as const,
        ]),
  ]);
}
