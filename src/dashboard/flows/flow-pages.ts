import type { Request, Router } from 'express';
import { inTurns } from '../../base/turns.ts';
import { type Flow, flowKindWords } from '../../record/flows/flow.ts';
import { stateOf, stateSentence } from '../../record/flows/flow-state.ts';
import { redact, redactText, secretsOf } from '../../record/flows/redaction.ts';
import { type Sequence, type SequenceStep, type StepRefusal, sequenceOf } from '../../record/flows/sequence.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { explainedRequest } from '../../record/problems/explain.ts';
import { serveRows } from '../live-rows.ts';
import { momentOf } from '../moment.ts';
import { type PageContext, shareOf } from '../page.ts';
import { integerOf, textOf } from '../query.ts';
import { findFlows, flowsPage, listFlows, progressOf } from './flow-list.ts';
import { stateView, stepView, tookWords } from './flow-view.ts';

/** `/flows`: each login, token request and logout, step by step. */
export function flowPages(router: Router, context: PageContext): void {
  const { flows, base } = context;
  serveRows(router, context, {
    name: 'flows',
    template: 'flow-rows',
    read: (query, after) => listFlows(context, { query, after }),
  });

  router.get('/flows', async (req, res) => {
    const before = textOf(req.query.before);
    const asked = { query: textOf(req.query.q), before: before === '' ? undefined : before };
    const model = await inTurns(flowsPage(context, asked));
    await context.show(res, { template: 'flows', title: 'Sign-ins', nav: 'flows', model });
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
    if (flow === undefined) return context.message(res, 404, noFlow(context, requestId));
    res.redirect(303, `${base}/dashboard/flows/${flow.id}${anchorOf(context, flow, requestId)}`);
  });

  router.get('/flows/:id', async (req, res) => {
    const flow = flows.find(req.params.id);
    if (flow === undefined) return context.forgotten(res, 'flow');
    const model = flowPage(context, flow, viewOf(context, req));
    await context.show(res, { template: 'flow', title: model.title, nav: 'flows', model });
  });

  router.get('/api/v1/flows', async (req, res) => {
    const most = Math.min(integerOf(req.query.limit) ?? mostListed, mostListed);
    const { found, parsed } = await inTurns(findFlows(context, { query: textOf(req.query.q) }, most));
    res.json({ flows: found.map(flow => flowSummary(context, flow)), problems: parsed.problems });
  });

  /** Tells the script of an open page whether the flow has new steps. */
  router.get('/api/v1/flows/:id/progress', (req, res) => {
    const flow = flows.find(req.params.id);
    res.json(flow === undefined ? { requests: 0 } : { requests: flow.steps.length, status: flow.status });
  });
}

const mostListed = 100;

function viewOf({ preferences }: PageContext, req: Request): FlowView {
  const hide = textOf(req.query.hide);
  const isHiddenByDefault = preferences.read(req).secrets === 'hidden';
  return {
    step: integerOf(req.query.step) ?? 0,
    isPrinted: textOf(req.query.print) === '1',
    isHidden: hide === '1' || (hide === '' && isHiddenByDefault),
    isHiddenByDefault,
  };
}

function anchorOf({ events }: PageContext, flow: Flow, requestId: string): string {
  const step = sequenceOf(flow, events).steps.find(({ record }) => record?.requestIds.includes(requestId));
  return step === undefined ? '' : `#step-${step.number}`;
}

function noFlow({ base, events }: PageContext, requestId: string) {
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

function flowSummary({ events, issuer }: Pick<PageContext, 'events' | 'issuer'>, flow: Flow) {
  const { id, kind, status, client_id, sub, startedAt, lastAt, tokenIds, incomplete } = flow;
  const { steps, missing } = progressOf(flow, events);
  const refused = flow.steps.findLast(({ refusal }) => refusal !== undefined);
  return {
    ...{ id, kind, status, startedAt, lastAt, steps, tokenIds, incomplete },
    client_id,
    sub,
    ...(missing === '' ? {} : { missing }),
    ...(refused === undefined ? {} : { refusal: { ...refused.refusal, requestId: refused.requestId } }),
    links: { flow: `${issuer}/dashboard/flows/${id}` },
  };
}

interface FlowView {
  readonly step: number;
  readonly isPrinted: boolean;
  readonly isHidden: boolean;
  /** True if the reader hides secrets on all pages, so that addresses need not say it. */
  readonly isHiddenByDefault: boolean;
}

function flowPage(context: PageContext, flow: Flow, asked: FlowView) {
  const { events, clock } = context;
  const now = clock();
  const masked = asked.isHidden ? createMask(context, flow) : undefined;
  const sequence = sequenceOf(flow, events, masked?.exchange);
  const view = { ...asked, step: Math.min(asked.step, sequence.steps.length) };
  const refused = refusedLast(flow, sequence);
  const explain = (requestId: string) => {
    const explanation = explainedRequest(context, requestId)?.explanation;
    const [title, fix] = [explanation?.title ?? '', explanation?.fixes[0]?.text ?? ''];
    return { title: masked?.hide(title) ?? title, fix: masked?.hide(fix) ?? fix };
  };
  const shown = view.step === 0 ? sequence.steps : sequence.steps.slice(0, view.step);
  const shows = (step: SequenceStep) =>
    view.isPrinted || step.number === view.step || (view.step === 0 && step === refused);
  return {
    ...headOf(context, flow, refused),
    ...(refused?.record?.refusal === undefined
      ? {}
      : {
          refusal: {
            ...(masked?.refusal(refused.record.refusal) ?? refused.record.refusal),
            requestId: refused.record.requestId,
            number: refused.number,
            ...explain(refused.record.requestId),
          },
        }),
    lanes: sequence.lanes,
    steps: shown.map(step =>
      stepView(step, {
        ...context,
        ...{ sequence, explain, shows, now },
        isOpen: flow.status === 'open',
        told: view.step === 0 ? refused : undefined,
      }),
    ),
    omitted: sequence.omitted,
    // number of requests, for the script that asks for new ones
    requests: flow.steps.length,
    tokens: tokensOf(context, flow),
    related: relatedTo(context, flow),
    view,
    count: sequence.steps.length,
    links: linksOf(context, flow, view, sequence.steps.length),
  };
}

function headOf(context: PageContext, flow: Flow, refused: SequenceStep | undefined) {
  const { id, kind, client_id = '', sub = '', status, startedAt, incomplete } = flow;
  const now = context.clock();
  return {
    id,
    client_id,
    sub,
    status,
    title: flowKindWords[kind],
    state: stateView(stateOf(flow), now),
    // the step that failed; 0 if none did
    failedStep: refused?.number ?? 0,
    sentence: stateSentence(flow),
    at: momentOf(startedAt, now),
    took: tookWords(flow),
    isIncomplete: incomplete,
    share: shareOf(context, 'flow', id),
  };
}

function refusedLast({ status }: Flow, { steps }: Sequence): SequenceStep | undefined {
  return status === 'failed' ? steps.findLast(({ record }) => record !== undefined && isRefused(record)) : undefined;
}

/** A fault may answer with an error, which is not a refusal by this server. */
function isRefused({ refusal, faults, status }: NonNullable<SequenceStep['record']>): boolean {
  return refusal !== undefined || (faults.length > 0 && status >= 400);
}

/** A secret of one exchange is hidden in all exchanges of the flow. */
function createMask({ events }: PageContext, { steps }: Flow) {
  const known = new Set<string>();
  for (const { requestId } of steps) {
    for (const event of events.ofRequest(requestId)) {
      if (event.type === 'request.completed') for (const secret of secretsOf(event.exchange)) known.add(secret);
    }
  }
  const hide = (text: string) => redactText(text, known);
  return {
    hide,
    exchange: (exchange: Parameters<typeof redact>[0]) => redact(exchange, known),
    refusal: (refusal: StepRefusal): StepRefusal => ({
      ...refusal,
      description: hide(refusal.description),
      ...(refusal.sent === undefined ? {} : { sent: hide(refusal.sent) }),
      ...(refusal.expected === undefined ? {} : { expected: hide(refusal.expected) }),
    }),
  };
}

const mostTokens = 30;

function tokensOf({ events }: PageContext, { tokenIds }: Flow) {
  return tokenIds.slice(-mostTokens).flatMap(tokenId => {
    const issued = events.issued(tokenId);
    return issued === undefined ? [] : [{ tokenId, type: tokenTypeOf(issued) }];
  });
}

const mostRelated = 10;

function relatedTo({ flows, clock }: PageContext, { id, sid }: Flow) {
  const others = sid === undefined ? [] : flows.ofSession(sid).filter(each => each.id !== id);
  return others.slice(-mostRelated).map(each => ({
    id: each.id,
    title: `${flowKindWords[each.kind]}${each.client_id === undefined ? '' : `, ${each.client_id}`}`,
    state: stateView(stateOf(each), clock()),
  }));
}

function linksOf({ base }: PageContext, { id }: Flow, view: FlowView, count: number) {
  const address = (changes: Partial<FlowView>) => {
    const { step, isPrinted, isHidden } = { ...view, ...changes };
    const query = new URLSearchParams();
    if (step > 0) query.set('step', String(step));
    if (isPrinted) query.set('print', '1');
    if (isHidden !== view.isHiddenByDefault) query.set('hide', isHidden ? '1' : '0');
    return `${base}/dashboard/flows/${id}${query.size === 0 ? '' : `?${query}`}${step > 0 ? `#step-${step}` : ''}`;
  };
  const whole = { step: 0, isPrinted: false };
  return {
    whole: address(whole),
    present: address({ ...whole, step: 1 }),
    first: view.step > 1 ? address({ step: 1 }) : '',
    last: view.step > 0 && view.step < count ? address({ step: count }) : '',
    previous: view.step > 1 ? address({ step: view.step - 1 }) : '',
    next: view.step > 0 && view.step < count ? address({ step: view.step + 1 }) : '',
    secrets: address({ isHidden: !view.isHidden }),
    print: address({ ...whole, isPrinted: true }),
  };
}
