import type { Request, Response, Router } from 'express';
import type { Change, ChangeFault } from '../../base/events/change.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { clientPath, registeredClient } from '../clients-and-users.ts';
import { type Removed, removedClients } from '../configure/removed.ts';
import { areSecretsHidden } from '../configure/secrets.ts';
import type { Desk } from '../desk.ts';
import { changing } from '../form.ts';
import { textOf } from '../query.ts';
import { type ClientForm, faultsByField, formAsTyped, formOfClient, membersOf } from './client-form.ts';
import { clientsPage } from './client-list.ts';
import { clientPage } from './client-page.ts';
import { quickMembers, typedQuickForm } from './quick-form.ts';

/** `/clients`: the list with a short form for a new client, and the full form of one client. */
export function clientPages(router: Router, desk: Desk): void {
  const removed = removedClients(desk);

  router.get('/clients', async (req, res) => {
    const done = desk.noticesFor(req).join(' ');
    const model = clientsPage(desk, removed, { query: textOf(req.query.q), done });
    await desk.show(res, { template: 'clients', title: 'Clients', nav: 'clients', model });
  });

  router.post(
    '/clients',
    changing(desk, (typed, _req, res) => {
      const back = typed.get('restore');
      return back === null ? create(desk, removed, typed, res) : restore(desk, removed, back, res);
    }),
  );

  router.get('/clients/:id', async (req, res) => {
    const client = registeredClient(desk, req.params.id);
    if (client === undefined) return noSuchClient(desk, res);
    const done = desk.noticesFor(req);
    await showClient(desk, req, res, { client, done, isNew: req.query.new === '1' && done.length > 0 });
  });

  router.post(
    '/clients/:id',
    changing<{ id: string }>(desk, (typed, req, res) => {
      const client = registeredClient(desk, req.params.id);
      if (client === undefined) return noSuchClient(desk, res);
      return typed.get('action') === 'delete'
        ? remove(desk, removed, client, res)
        : change(desk, client, typed, req, res);
    }),
  );
}

async function create(desk: Desk, removed: Removed, typed: URLSearchParams, res: Response): Promise<void> {
  const quick = typedQuickForm(typed);
  const changed = await desk.control.apply({ kind: 'client.create', members: quickMembers(quick) }, 'dashboard');
  if (changed.ok) {
    const done = ['Client created (in memory). It is ready to use.', ...changed.notes];
    return desk.leadTo(res, `${clientPath(quick.client_id)}?new=1`, done);
  }
  const form = { ...quick, faults: faultsByField(changed.faults) };
  const model = clientsPage(desk, removed, { query: '', done: '', quick: form });
  await desk.show(res, { template: 'clients', title: 'Clients', nav: 'clients', model, status: 400 });
}

async function restore(desk: Desk, removed: Removed, client_id: string, res: Response): Promise<void> {
  const members = removed.entryOf(client_id);
  const change: Change =
    members === undefined ? { kind: 'client.revert', client_id } : { kind: 'client.create', members };
  const changed = await desk.control.apply(change, 'dashboard');
  if (!changed.ok) return noSuchClient(desk, res);
  desk.leadTo(res, clientPath(client_id), ['Client restored. Tokens from before the deletion stay revoked.']);
}

async function remove(desk: Desk, removed: Removed, { client_id }: RegisteredClient, res: Response): Promise<void> {
  removed.remember(client_id, desk.control.clientEntry(client_id));
  await desk.control.apply({ kind: 'client.delete', client_id }, 'dashboard');
  desk.leadTo(res, '/dashboard/clients', [`${client_id} was deleted (in memory). Its tokens are revoked.`]);
}

/** The change that a form asks for, or the faults of its fields. */
interface Asked {
  readonly change: Change | { readonly faults: readonly ChangeFault[] };
  readonly done: string;
  readonly form?: ClientForm;
}

async function change(
  desk: Desk,
  client: RegisteredClient,
  typed: URLSearchParams,
  req: Request,
  res: Response,
): Promise<void> {
  const { client_id } = client;
  const { change, done, form } = askedOf(desk, client, typed);
  const changed =
    'faults' in change
      ? ({ ok: false, faults: change.faults } as const)
      : await desk.control.apply(change, 'dashboard');
  if (changed.ok) return desk.leadTo(res, clientPath(client_id), [done, ...changed.notes]);
  const kept = form === undefined ? {} : { form };
  await showClient(desk, req, res, { client, faults: changed.faults, ...kept }, 400);
}

function askedOf({ control }: Desk, client: RegisteredClient, typed: URLSearchParams): Asked {
  const { client_id, redirect_uris } = client;
  const action = typed.get('action');
  if (action === 'revert') {
    return { change: { kind: 'client.revert', client_id }, done: 'Reverted to the configuration.' };
  }
  if (action === 'add-redirect') {
    const members = { redirect_uris: [...redirect_uris, typed.get('uri') ?? ''] };
    const done = 'Redirect URI added (in memory). The next login may use it.';
    return { change: { kind: 'client.patch', client_id, members }, done };
  }
  const form = formAsTyped(typed);
  const entry = control.clientEntry(client_id) ?? {};
  const read = membersOf(form, entry, formOfClient(client, entry).values);
  const done = 'Saved in memory. Takes effect on the next request.';
  return { change: 'faults' in read ? read : { kind: 'client.patch', client_id, members: read.members }, done, form };
}

async function showClient(
  desk: Desk,
  req: Request,
  res: Response,
  parts: Omit<Parameters<typeof clientPage>[1], 'isHidden'>,
  status = 200,
): Promise<void> {
  const model = await clientPage(desk, { ...parts, isHidden: areSecretsHidden(desk, req) });
  await desk.show(res, { template: 'client', title: parts.client.client_id, nav: 'clients', model, status });
}

function noSuchClient(desk: Desk, res: Response): Promise<void> {
  const why = 'It was never registered, was deleted, or was dropped when too many clients registered dynamically.';
  return desk.message(res, 404, {
    title: 'No such client',
    paragraphs: [`No client has this id. ${why}`],
    links: [{ href: `${desk.base}/dashboard/clients`, name: 'All clients' }],
  });
}
