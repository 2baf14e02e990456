import type { Request, Response, Router } from 'express';
import { inTurns } from '../../base/turns.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { sendHtml } from '../../server/http/send-html.ts';
import { formOf } from '../form.ts';
import { serveRows } from '../live-rows.ts';
import type { PageContext } from '../page.ts';
import { listOf } from '../problems/problem-pages.ts';
import { markSeen } from '../problems/seen.ts';
import { integerOf, textOf } from '../query.ts';
import { type ReplayFields, type ReplayRequest, replayFields, replayRequest } from './replay.ts';
import { newRequests, requestsPage } from './request-list.ts';
import { requestPane } from './request-pane.ts';
import { requestPage } from './request-view.ts';

/** `/requests`: the recorded requests, one request, and its replay. */
export function requestPages(router: Router, context: PageContext): void {
  const { events } = context;
  serveRows(router, context, {
    name: 'requests',
    template: 'request-rows',
    read: (query, after, since) => newRequests(context, query, after, since),
  });

  router.get('/requests', async (req, res) => {
    const asked = { query: textOf(req.query.q), before: integerOf(req.query.before) };
    const open = textOf(req.query.open);
    const page = await inTurns(requestsPage(context, asked));
    const pane = open === '' ? undefined : paneOf(context, req, res, open);
    const model = { ...page, open: pane === undefined ? '' : open, pane, sheet: 'dashboard-page.css' };
    await context.show(res, { template: 'requests', title: 'Requests', nav: 'requests', model });
  });

  router.get('/requests/latest', (_req, res) => {
    const latest = events.latest('request.completed', 1)[0];
    res.redirect(303, `${context.base}/dashboard/requests${latest === undefined ? '' : `/${latest.requestId}`}`);
  });

  router.get('/requests/:id', async (req, res) => {
    const model = requestPage(context, req.params.id, isHidden(context, req));
    if (model === undefined) return context.forgotten(res, 'request');
    await context.show(res, { template: 'request', title: model.title, nav: 'requests', model });
  });

  router.get('/requests/:id/pane', async (req, res) => {
    const pane = paneOf(context, req, res, req.params.id);
    if (pane === undefined) return context.forgotten(res, 'request');
    sendHtml(res, await context.fragment('request-pane', { pane }));
  });

  router.post('/requests/:id/replay', (req, res) => replay(context, req.params.id, req, res));
}

function isHidden({ preferences }: PageContext, req: Request): boolean {
  const hide = textOf(req.query.hide);
  return hide === '1' || (hide === '' && preferences.read(req).secrets === 'hidden');
}

/** The pane explains, so its problem is seen. */
function paneOf(context: PageContext, req: Request, res: Response, requestId: string) {
  const shown = { hidden: isHidden(context, req), list: listOf(req), done: textOf(req.query.done) };
  const pane = requestPane(context, requestId, shown);
  const problem = pane?.explained === undefined ? undefined : context.problems.ofRequest(requestId);
  if (problem !== undefined) markSeen(context, res, problem.lastEventId);
  return pane;
}

async function replay(context: PageContext, requestId: string, req: Request, res: Response): Promise<void> {
  const original = context.events.ofRequest(requestId).find(event => event.type === 'request.completed');
  if (original === undefined) return context.forgotten(res, 'request');
  const form = await formOf(req);
  const fields = form.has('path') ? typedFields(form) : replayFields(original, new URL(context.issuer).origin);
  const checked = replayRequest(fields, requestId);
  if (!checked.ok) return showProblems(context, res, original, { fields, problems: checked.problems });
  const answer = await sent(context, checked);
  if (typeof answer === 'string') return showProblems(context, res, original, { fields, problems: [answer] });
  res.redirect(303, `${context.base}/dashboard/requests${placeOf(req, answer.requestId)}`);
}

/** The page of the new request, or the pane if the old one was in it. */
function placeOf(req: Request, requestId: string): string {
  if (req.query.pane === undefined) return `/${requestId}`;
  return `?${new URLSearchParams([...listOf(req), ['open', requestId]])}`;
}

async function sent(context: PageContext, { request }: ReplayRequest & { ok: true }) {
  try {
    return await context.send(request);
  } catch (error) {
    return `The request could not be sent: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A browser ends the lines of a text area with CR LF. */
function typedFields(form: URLSearchParams): ReplayFields {
  const typed = (name: string) => form.get(name) ?? '';
  return {
    method: typed('method').trim().toUpperCase(),
    path: typed('path').trim(),
    headers: typed('headers'),
    body: typed('body').replaceAll('\r\n', '\n'),
  };
}

async function showProblems(
  context: PageContext,
  res: Response,
  { requestId }: Completed,
  { fields, problems }: { readonly fields: ReplayFields; readonly problems: readonly string[] },
): Promise<void> {
  const page = requestPage(context, requestId, false);
  if (page?.wire?.replay === undefined) return context.forgotten(res, 'request');
  const model = { ...page, wire: { ...page.wire, replay: { ...page.wire.replay, ...fields, problems } } };
  await context.show(res, { template: 'request', title: page.title, nav: 'requests', model, status: 422 });
}
