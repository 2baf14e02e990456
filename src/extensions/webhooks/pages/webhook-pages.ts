import type { Request, Response, Router } from 'express';
import type { Desk } from '../../../dashboard/desk.ts';
import { changing } from '../../../dashboard/form.ts';
import { areSecretsHidden } from '../../../dashboard/query.ts';
import { endpointFindings } from '../check-endpoint.ts';
import type { WebhookControl } from '../control.ts';
import { deliveryPage, type TypedEndpoint, type WebhooksSaid, webhooksPage } from './webhook-view.ts';

const empty: TypedEndpoint = { url: '', secret: '', events: '' };

/** `/dashboard/webhooks`: endpoints, what was sent to them, and each delivery with its attempts. */
export function webhookPages(router: Router, desk: Desk, control: WebhookControl): void {
  router.get('/', async (req, res) => {
    await show(desk, control, req, res, { typed: empty, faults: {}, done: desk.noticesFor(req).join(' ') });
  });
  router.post(
    '/',
    changing(desk, (form, req, res) => change(desk, control, form, req, res)),
  );
  router.get('/:id', async (req, res) => {
    const delivery = control.delivery(req.params.id);
    if (delivery === undefined) return desk.forgotten(res, 'delivery');
    const model = deliveryPage(desk, delivery, desk.noticesFor(req).join(' '));
    await desk.show(res, { template: 'webhook', title: `Webhook ${delivery.type}`, nav: 'webhooks', model });
  });
  router.post('/:id/resend', async (req, res) => {
    const sent = control.resend(req.params.id);
    if (sent === undefined) return desk.forgotten(res, 'delivery');
    desk.leadTo(res, `/dashboard/webhooks/${sent.id}`, ['Sent again, with the same webhook-id.']);
  });
}

async function show(
  desk: Desk,
  control: WebhookControl,
  req: Request,
  res: Response,
  said: Omit<WebhooksSaid, 'isHidden'>,
): Promise<void> {
  const model = webhooksPage(desk, control, { ...said, isHidden: areSecretsHidden(desk, req) });
  const status = Object.keys(said.faults).length === 0 ? 200 : 400;
  await desk.show(res, { template: 'webhooks', title: 'Webhooks', nav: 'webhooks', model, status });
}

async function change(
  desk: Desk,
  control: WebhookControl,
  form: URLSearchParams,
  req: Request,
  res: Response,
): Promise<void> {
  const removed = form.get('remove');
  if (removed !== null) {
    const done = control.remove(removed) ? 'The endpoint is removed.' : 'This endpoint was already removed.';
    return desk.leadTo(res, '/dashboard/webhooks', [done]);
  }
  const typed = { url: textIn(form, 'url'), secret: textIn(form, 'secret'), events: textIn(form, 'events') };
  const faults = addTyped(control, typed);
  if (faults !== undefined) return show(desk, control, req, res, { typed, faults, done: '' });
  const done = 'The endpoint is added, in memory. It is told of events from now on.';
  desk.leadTo(res, '/dashboard/webhooks', [done]);
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
