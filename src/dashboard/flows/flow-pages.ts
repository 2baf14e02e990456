import type { Request, Router } from 'express';
import { defined } from '../../base/defined.ts';
import { inTurns } from '../../base/turns.ts';
import type { Flow } from '../../record/flows/flow.ts';
import { sequenceOf } from '../../record/flows/sequence.ts';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { integerOf, textOf } from '../query.ts';
import { findFlows, flowsPage, listFlows, progressOf } from './flow-list.ts';
import { type FlowView, flowPage } from './flow-page.ts';

/** `/flows`: each login, token request and logout, step by step. */
export function flowPages(router: Router, desk: Desk): void {
  const { flows, base } = desk;
  serveRows(router, desk, {
    name: 'flows',
    template: 'flow-rows',
    read: (query, after) => listFlows(desk, { query, after }),
  });

  router.get('/flows', async (req, res) => {
    const before = textOf(req.query.before);
    const asked = { query: textOf(req.query.q), before: before === '' ? undefined : before };
    const model = await inTurns(flowsPage(desk, asked));
    await desk.show(res, { template: 'flows', title: 'Flows', nav: 'flows', model });
  });

  router.get('/flows/latest', (req, res) => {
    const latest = flows.latest(20).find(({ kind }) => kind !== 'setup') ?? flows.latest(1)[0];
    const [, query] = req.originalUrl.split(/\?(.*)/s);
    const path = latest === undefined ? '' : `/${latest.id}${query ? `?${query}` : ''}`;
    res.redirect(303, `${base}/dashboard/flows${path}`);
  });

  router.get('/flows/by-request/:requestId', async (req, res) => {
    const { requestId } = req.params;
    const flow = flows.ofRequest(requestId);
    if (flow === undefined) return desk.message(res, 404, noFlow(desk, requestId));
    res.redirect(303, `${base}/dashboard/flows/${flow.id}${anchorOf(desk, flow, requestId)}`);
  });

  router.get('/flows/:id', async (req, res) => {
    const flow = flows.find(req.params.id);
    if (flow === undefined) return desk.forgotten(res, 'flow');
    const model = flowPage(desk, flow, viewOf(desk, req));
    await desk.show(res, { template: 'flow', title: model.title, nav: 'flows', model });
  });

  router.get('/api/v1/flows', async (req, res) => {
    const most = Math.min(integerOf(req.query.limit) ?? mostListed, mostListed);
    const { found, parsed } = await inTurns(findFlows(desk, { query: textOf(req.query.q) }, most));
    res.json({ flows: found.map(flow => flowSummary(desk, flow)), problems: parsed.problems });
  });

  /** Tells the script of an open page whether the flow has new steps. */
  router.get('/api/v1/flows/:id/progress', (req, res) => {
    const flow = flows.find(req.params.id);
    res.json(flow === undefined ? { requests: 0 } : { requests: flow.steps.length, status: flow.status });
  });
}

/** Flows in the JSON list. */
const mostListed = 100;

function viewOf({ preferences }: Desk, req: Request): FlowView {
  const hide = textOf(req.query.hide);
  const isHiddenByDefault = preferences.read(req).secrets === 'hidden';
  return {
    step: integerOf(req.query.step) ?? 0,
    isPrinted: textOf(req.query.print) === '1',
    isHidden: hide === '1' || (hide === '' && isHiddenByDefault),
    isHiddenByDefault,
  };
}

function anchorOf({ events }: Desk, flow: Flow, requestId: string): string {
  const step = sequenceOf(flow, events).steps.find(({ record }) => record?.requestIds.includes(requestId));
  return step === undefined ? '' : `#step-${step.number}`;
}

function noFlow({ base, events }: Desk, requestId: string) {
  const isKept = events.ofRequest(requestId).length > 0;
  return {
    title: 'No flow',
    paragraphs: [
      isKept
        ? 'This request is not part of a flow, because it is not a request of the protocol.'
        : 'The history has no request with this id. It is kept in memory, and the oldest entries are removed first.',
    ],
    links: [
      ...(isKept
        ? [{ href: `${base}/dashboard/requests/${encodeURIComponent(requestId)}`, name: 'Open the request' }]
        : []),
      { href: `${base}/dashboard/flows`, name: 'All flows' },
    ],
  };
}

/** A flow of the JSON list: its outcome without its requests. */
function flowSummary({ events, issuer }: Pick<Desk, 'events' | 'issuer'>, flow: Flow) {
  const { id, kind, status, client_id, sub, startedAt, lastAt, tokenIds, incomplete } = flow;
  const { steps, missing } = progressOf(flow, events);
  const refused = flow.steps.findLast(({ refusal }) => refusal !== undefined);
  return {
    ...{ id, kind, status, startedAt, lastAt, steps, tokenIds, incomplete },
    ...defined({ client_id, sub }),
    ...(missing === '' ? {} : { missing }),
    ...(refused === undefined ? {} : { refusal: { ...refused.refusal, requestId: refused.requestId } }),
    links: { flow: `${issuer}/dashboard/flows/${id}` },
  };
}
