import type { Request, Response, Router } from 'express';
import { inTurns } from '../../base/turns.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { serveRows } from '../live/rows.ts';
import { integerOf, textOf } from '../query.ts';
import { type ReplayFields, type ReplayRequest, replayFields, replayRequest } from './replay.ts';
import { listRequests, requestsPage } from './request-list.ts';
import { requestPage } from './request-page.ts';

/** `/requests`: the recorded requests, one request, and its replay. */
export function requestPages(router: Router, desk: Desk): void {
  const { events } = desk;
  serveRows(router, desk, {
    name: 'requests',
    template: 'request-rows',
    read: (query, after) => listRequests(desk, { query, after }),
  });

  router.get('/requests', async (req, res) => {
    const asked = { query: textOf(req.query.q), before: integerOf(req.query.before) };
    const model = await inTurns(requestsPage(desk, asked));
    await desk.show(res, { template: 'requests', title: 'Requests', nav: 'requests', model });
  });

  router.get('/requests/latest', (_req, res) => {
    const latest = events.latest('request.completed', 1)[0];
    res.redirect(303, `${desk.base}/dashboard/requests${latest === undefined ? '' : `/${latest.requestId}`}`);
  });

  router.get('/requests/:id', async (req, res) => {
    const hide = textOf(req.query.hide);
    const hidden = hide === '1' || (hide === '' && desk.preferences.read(req).secrets === 'hidden');
    const model = requestPage(desk, req.params.id, hidden);
    if (model === undefined) return desk.forgotten(res, 'request');
    await desk.show(res, { template: 'request', title: model.title, nav: 'requests', model });
  });

  router.post('/requests/:id/replay', (req, res) => replay(desk, req.params.id, req, res));
}

/** Replays a request unchanged or as edited, and redirects to the page of the new request. */
async function replay(desk: Desk, requestId: string, req: Request, res: Response): Promise<void> {
  const original = desk.events.ofRequest(requestId).find(event => event.type === 'request.completed');
  if (original === undefined) return desk.forgotten(res, 'request');
  const form = await formOf(req);
  const fields = form.has('path') ? typedFields(form) : replayFields(original, new URL(desk.issuer).origin);
  const checked = replayRequest(fields, requestId);
  if (!checked.ok) return showFaults(desk, res, original, { fields, faults: checked.faults });
  const answer = await sent(desk, checked);
  if (typeof answer === 'string') return showFaults(desk, res, original, { fields, faults: [answer] });
  res.redirect(303, `${desk.base}/dashboard/requests/${answer.requestId}`);
}

async function sent(desk: Desk, { request }: ReplayRequest & { ok: true }) {
  try {
    return await desk.send(request);
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

/** The page again, with the typed values. */
async function showFaults(
  desk: Desk,
  res: Response,
  { requestId }: Completed,
  { fields, faults }: { readonly fields: ReplayFields; readonly faults: readonly string[] },
): Promise<void> {
  const page = requestPage(desk, requestId, false);
  if (page?.wire?.replay === undefined) return desk.forgotten(res, 'request');
  const model = { ...page, wire: { ...page.wire, replay: { ...page.wire.replay, ...fields, faults } } };
  await desk.show(res, { template: 'request', title: page.title, nav: 'requests', model, status: 422 });
}
