import type { Request, Response, Router } from 'express';
import type { WebhookControl } from '../../control/webhooks.ts';
import { createNotices, type Notices } from '../../dashboard/configure/notices.ts';
import { areSecretsHidden } from '../../dashboard/configure/secrets.ts';
import type { Desk } from '../../dashboard/desk.ts';
import { formOf } from '../../dashboard/form.ts';
import { endpointFindings } from '../check-endpoint.ts';
import { deliveryPage, type TypedEndpoint, type WebhooksSaid, webhooksPage } from './webhook-view.ts';

const empty: TypedEndpoint = { url: '', secret: '', events: '' };

interface Room {
  readonly desk: Desk;
  readonly control: WebhookControl;
  readonly notices: Notices;
}

/** `/dashboard/webhooks`: endpoints, what was sent to them, and each delivery with its attempts. */
export function webhookPages(router: Router, desk: Desk, control: WebhookControl): void {
  const room: Room = { desk, control, notices: createNotices() };
  const { notices } = room;
  router.get('/', async (req, res) => {
    await show(room, res, req, { typed: empty, faults: {}, done: notices.of(req.query.done).join(' ') });
  });
  router.post('/', (req, res) => change(room, req, res));
  router.get('/:id', async (req, res) => {
    const delivery = control.delivery(req.params.id);
    if (delivery === undefined) return desk.forgotten(res, 'delivery');
    const model = deliveryPage(desk, delivery, notices.of(req.query.done).join(' '));
    await desk.show(res, { template: 'webhook', title: `Webhook ${delivery.type}`, nav: 'webhooks', model });
  });
  router.post('/:id/resend', async (req, res) => {
    const sent = control.resend(req.params.id);
    if (sent === undefined) return desk.forgotten(res, 'delivery');
    const done = notices.keep(['Sent again, with the same webhook-id.']);
    res.redirect(303, `${desk.base}/dashboard/webhooks/${sent.id}?done=${done}`);
  });
}

async function show(
  { desk, control }: Room,
  res: Response,
  req: Request,
  said: Omit<WebhooksSaid, 'isHidden'>,
): Promise<void> {
  const model = webhooksPage(desk, control, { ...said, isHidden: areSecretsHidden(desk, req) });
  const status = Object.keys(said.faults).length === 0 ? 200 : 400;
  await desk.show(res, { template: 'webhooks', title: 'Webhooks', nav: 'webhooks', model, status });
}

async function change(room: Room, req: Request, res: Response): Promise<void> {
  const { desk, control, notices } = room;
  const form = await formOf(req);
  const removed = form.get('remove');
  if (removed !== null) {
    const done = control.remove(removed) ? 'The endpoint is removed.' : 'This endpoint was already removed.';
    return res.redirect(303, `${desk.base}/dashboard/webhooks?done=${notices.keep([done])}`);
  }
  const typed = { url: textIn(form, 'url'), secret: textIn(form, 'secret'), events: textIn(form, 'events') };
  const faults = addTyped(control, typed);
  if (faults !== undefined) return show(room, res, req, { typed, faults, done: '' });
  const done = notices.keep(['The endpoint is added, in memory. It is told of events from now on.']);
  res.redirect(303, `${desk.base}/dashboard/webhooks?done=${done}`);
}

function textIn(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? '';
}

/** Sentences by field; undefined if the endpoint was added. */
function addTyped(control: WebhookControl, { url, secret, events }: TypedEndpoint): WebhooksSaid['faults'] | undefined {
  const asked = {
    url,
    ...(secret === '' ? {} : { secret }),
    ...(events === '' ? {} : { events: events.split(/[\s,]+/).filter(each => each !== '') }),
  };
  const findings = endpointFindings(asked);
  if (findings.length === 0) {
    const added = control.add(asked);
    return 'fault' in added ? { url: [`Expected ${added.fault}.`] } : undefined;
  }
  const sentences = (name: string) =>
    findings.filter(({ path }) => path[0] === name).map(({ expected }) => `Expected ${expected}.`);
  return { url: sentences('url'), secret: sentences('secret'), events: sentences('events') };
}
