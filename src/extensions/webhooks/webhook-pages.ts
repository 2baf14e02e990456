import type { Request, Response, Router } from 'express';
import { changing } from '../../dashboard/form.ts';
import { type Moment, momentOf } from '../../dashboard/moment.ts';
import type { PageContext } from '../../dashboard/page.ts';
import { areSecretsHidden } from '../../dashboard/query.ts';
import { badgeOf } from '../../dashboard/status-badge.ts';
import { endpointFindings } from './check-endpoint.ts';
import type { DeliveryAttempt, WebhookControl, WebhookDelivery, WebhookEndpoint } from './control.ts';
import { limits, retrySeconds } from './limits.ts';
import { webhookTypes } from './messages.ts';

const empty: TypedEndpoint = { url: '', secret: '', events: '' };

/** `/dashboard/webhooks`: endpoints, what was sent to them, and each delivery with its attempts. */
export function webhookPages(router: Router, context: PageContext, control: WebhookControl): void {
  router.get('/', async (req, res) => {
    await show(context, control, req, res, { typed: empty, problems: {}, done: context.noticesFor(req).join(' ') });
  });
  router.post(
    '/',
    changing(context, (form, req, res) => change(context, control, form, req, res)),
  );
  router.get('/:id', async (req, res) => {
    const delivery = control.delivery(req.params.id);
    if (delivery === undefined) return context.forgotten(res, 'delivery');
    const model = deliveryPage(context, delivery, context.noticesFor(req).join(' '));
    await context.show(res, { template: 'webhook', title: `Webhook ${delivery.type}`, nav: 'webhooks', model });
  });
  router.post('/:id/resend', async (req, res) => {
    const sent = control.resend(req.params.id);
    if (sent === undefined) return context.forgotten(res, 'delivery');
    context.leadTo(res, `/dashboard/webhooks/${sent.id}`, ['Sent again, with the same webhook-id.']);
  });
}

async function show(
  context: PageContext,
  control: WebhookControl,
  req: Request,
  res: Response,
  said: Omit<WebhooksSaid, 'isHidden'>,
): Promise<void> {
  const model = webhooksPage(context, control, { ...said, isHidden: areSecretsHidden(context, req) });
  const status = Object.keys(said.problems).length === 0 ? 200 : 400;
  await context.show(res, { template: 'webhooks', title: 'Webhooks', nav: 'webhooks', model, status });
}

async function change(
  context: PageContext,
  control: WebhookControl,
  form: URLSearchParams,
  req: Request,
  res: Response,
): Promise<void> {
  const removed = form.get('remove');
  if (removed !== null) {
    const done = control.remove(removed) ? 'The endpoint is removed.' : 'This endpoint was already removed.';
    return context.leadTo(res, '/dashboard/webhooks', [done]);
  }
  const typed = { url: textIn(form, 'url'), secret: textIn(form, 'secret'), events: textIn(form, 'events') };
  const problems = addTyped(control, typed);
  if (problems !== undefined) return show(context, control, req, res, { typed, problems, done: '' });
  const done = 'The endpoint is added, in memory. It is told of events from now on.';
  context.leadTo(res, '/dashboard/webhooks', [done]);
}

function textIn(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? '';
}

/** Sentences by field; undefined if the endpoint was added. */
function addTyped(
  control: WebhookControl,
  { url, secret, events }: TypedEndpoint,
): WebhooksSaid['problems'] | undefined {
  const asked = {
    url,
    ...(secret === '' ? {} : { secret }),
    ...(events === '' ? {} : { events: events.split(/[\s,]+/).filter(each => each !== '') }),
  };
  const findings = endpointFindings(asked);
  if (findings.length === 0) {
    const added = control.add(asked);
    return 'problem' in added ? { url: [`Expected ${added.problem}.`] } : undefined;
  }
  const sentences = (name: string) =>
    findings.filter(({ path }) => path[0] === name).map(({ expected }) => `Expected ${expected}.`);
  return { url: sentences('url'), secret: sentences('secret'), events: sentences('events') };
}

/** The fields of the form for a new endpoint. */
export interface TypedEndpoint {
  readonly url: string;
  readonly secret: string;
  readonly events: string;
}

/** The texts of the page besides its lists. */
export interface WebhooksSaid {
  readonly typed: TypedEndpoint;
  /** Sentences by field. */
  readonly problems: Readonly<Partial<Record<keyof TypedEndpoint, readonly string[]>>>;
  readonly done: string;
  readonly isHidden: boolean;
}

const mostRows = 100;

/** The page: endpoints, a form, deliveries. */
function webhooksPage({ clock }: PageContext, control: WebhookControl, said: WebhooksSaid) {
  const lines = linesOf(control.deliveries({ limit: limits.kept }));
  return {
    ...said,
    endpoints: control.endpoints().map(endpoint => endpointRow(endpoint, control)),
    lines: lines.slice(0, mostRows).map(alike => lineOf(alike, clock())),
    isMore: lines.length > mostRows,
    hasReceivers: new Set(lines.map(([{ url }]) => url)).size > 1,
    types: Object.entries(webhookTypes).map(([name, about]) => ({ name, about })),
    limits: { ...limits, attempts: retrySeconds.length + 1 },
  };
}

/** At least one delivery. */
type Alike = readonly [WebhookDelivery, ...WebhookDelivery[]];

/** One line for each delivery, and one for all that wait for the same receiver, where the newest of them stands. */
function linesOf(deliveries: readonly WebhookDelivery[]): readonly Alike[] {
  const lines = new Map<string, Alike>();
  for (const delivery of deliveries) {
    const key = delivery.status === 'waiting' ? delivery.endpointId : delivery.id;
    const known = lines.get(key);
    lines.set(key, known === undefined ? [delivery] : [...known, delivery]);
  }
  return [...lines.values()];
}

const mostWaiting = 20;

function lineOf([newest, ...others]: Alike, now: number) {
  const all = [newest, ...others];
  const soonest = all.toSorted((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0))[0] ?? newest;
  return {
    ...rowOf(newest, now),
    endpointId: newest.endpointId,
    // of those that wait, the one that is tried next
    next: rowOf(soonest, now).next,
    count: all.length,
    waiting: others.length === 0 ? [] : all.slice(0, mostWaiting).map(each => rowOf(each, now)),
  };
}

function endpointRow(endpoint: WebhookEndpoint, control: WebhookControl) {
  const own = control.deliveries({ endpoint: endpoint.id });
  const count = (status: WebhookDelivery['status']) => own.filter(each => each.status === status).length;
  const failed = count('failed') + count('dropped');
  return { ...endpoint, events: endpoint.events.join(' '), waiting: count('waiting'), failed };
}

const looks = { delivered: 'ok', waiting: 'info', failed: 'err', dropped: 'warn' } as const;

function rowOf({ id, type, url, status, attempts, createdAt, nextAttemptAt }: WebhookDelivery, now: number) {
  return {
    ...{ id, type, url, status, look: looks[status] },
    at: momentOf(createdAt, now),
    attempts: attempts.length,
    reason: status === 'delivered' ? '' : reasonOf(attempts.at(-1)),
    failure: attempts.at(-1)?.failure ?? '',
    ...(nextAttemptAt === undefined ? {} : { next: momentOf(nextAttemptAt, now) }),
  };
}

/** Why the last attempt did not deliver, in a word or two; empty before the first. */
function reasonOf(last: DeliveryAttempt | undefined): string {
  if (last === undefined) return '';
  return last.status === undefined ? 'no response' : String(last.status);
}

/** The page of one delivery: the request as it was sent, and each answer. */
function deliveryPage({ clock, events }: PageContext, delivery: WebhookDelivery, done: string) {
  return {
    ...rowOf(delivery, clock()),
    done,
    messageId: delivery.messageId,
    body: JSON.stringify(JSON.parse(delivery.body), undefined, 2),
    attempts: delivery.attempts.map((each, index) => attemptView(each, index + 1, events.wall())).reverse(),
  };
}

function attemptView(
  { at, headers, status, milliseconds, answer, failure }: DeliveryAttempt,
  number: number,
  now: number,
) {
  const moment: Moment = momentOf(at, now);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const badge = status === undefined ? {} : { badge: badgeOf({ status }, undefined) };
  return { number, at: moment, headers: lines.join('\n'), ...badge, milliseconds, answer, failure };
}
