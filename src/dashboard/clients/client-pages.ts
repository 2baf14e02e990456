import type { Request, Response, Router } from 'express';
import type { Change, ChangeProblem } from '../../base/events/change.ts';
import { allowsRedirectUri, isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { flowKindWords } from '../../record/flows/flow.ts';
import { clientPath, registeredClient } from '../clients-and-users.ts';
import { factsOf } from '../connect-pages.ts';
import { changing, type FieldTexts } from '../form.ts';
import { momentOf } from '../moment.ts';
import { linksOn, type PageContext } from '../page.ts';
import { areSecretsHidden, textOf } from '../query.ts';
import { type Removed, removedClients } from '../removed.ts';
import { rowAddress, savedWords, saveRow } from '../row-form.ts';
import { snippets } from '../snippets/snippets.ts';
import {
  type ClientForm,
  fields,
  formAsTyped,
  formOfClient,
  type Members,
  membersOf,
  problemsByField,
  sections,
} from './client-form.ts';
import { clientsPage, lastSeen, quickMembers, refreshes, standingOf, typedQuickForm, typeOf } from './client-list.ts';
import { readClientRow } from './client-row.ts';

/** `/clients`: the list with a short form for a new client, and the full form of one client. */
export function clientPages(router: Router, context: PageContext): void {
  const removed = removedClients(context);

  router.get('/clients', async (req, res) => {
    const done = context.noticesFor(req).join(' ');
    const id = textOf(req.query.open);
    const query = textOf(req.query.q);
    await showClients(context, removed, res, id === '' ? { query, done } : { query, opened: { id, done } });
  });

  router.post(
    '/clients',
    changing(context, (typed, _req, res) => {
      const back = typed.get('restore');
      return back === null ? create(context, removed, typed, res) : restore(context, removed, back, res);
    }),
  );

  router.get('/clients/:id', async (req, res) => {
    const client = registeredClient(context, req.params.id);
    if (client === undefined) return noSuchClient(context, res);
    const done = context.noticesFor(req);
    await showClient(context, req, res, { client, done, isNew: req.query.new === '1' && done.length > 0 });
  });

  router.post(
    '/clients/:id',
    changing<{ id: string }>(context, (typed, req, res) => {
      const client = registeredClient(context, req.params.id);
      if (client === undefined) return noSuchClient(context, res);
      const action = typed.get('action');
      if (action === 'delete') return remove(context, removed, client, res);
      if (action === 'row') return changeRow(context, removed, client, typed, res);
      return change(context, client, typed, req, res);
    }),
  );
}

async function create(context: PageContext, removed: Removed, typed: URLSearchParams, res: Response): Promise<void> {
  const quick = typedQuickForm(typed);
  const changed = await context.control.apply({ kind: 'client.create', members: quickMembers(quick) }, 'dashboard');
  if (changed.ok) {
    const done = ['Client created (in memory). It is ready to use.', ...changed.notes];
    return context.leadTo(res, `${clientPath(quick.client_id)}?new=1`, done);
  }
  const form = { ...quick, problems: problemsByField(changed.problems) };
  await showClients(context, removed, res, { query: '', quick: form }, 400);
}

async function showClients(
  context: PageContext,
  removed: Removed,
  res: Response,
  shown: Parameters<typeof clientsPage>[2],
  status = 200,
): Promise<void> {
  const model = { ...clientsPage(context, removed, shown), sheet: 'dashboard-page.css' };
  await context.show(res, { template: 'clients', title: 'Clients', nav: 'clients', model, status });
}

async function changeRow(
  context: PageContext,
  removed: Removed,
  client: RegisteredClient,
  typed: URLSearchParams,
  res: Response,
): Promise<void> {
  const { client_id } = client;
  const query = typed.get('q') ?? '';
  const read = readClientRow(client, context.control.clientEntry(client_id) ?? {}, typed);
  const changed = await saveRow(context, read, { kind: 'client.patch', client_id, members: read.members });
  if (changed.ok) {
    const done = [savedWords(client_id, read.names, 'request'), ...changed.notes];
    return context.leadTo(res, rowAddress('/dashboard/clients', query, client_id), done);
  }
  const opened = { id: client_id, typed, problems: problemsByField(changed.problems) };
  await showClients(context, removed, res, { query, opened }, 400);
}

async function restore(context: PageContext, removed: Removed, client_id: string, res: Response): Promise<void> {
  const members = removed.entryOf(client_id);
  const change: Change =
    members === undefined ? { kind: 'client.revert', client_id } : { kind: 'client.create', members };
  const changed = await context.control.apply(change, 'dashboard');
  if (!changed.ok) return noSuchClient(context, res);
  context.leadTo(res, clientPath(client_id), ['Client restored. Tokens from before the deletion stay revoked.']);
}

async function remove(
  context: PageContext,
  removed: Removed,
  { client_id }: RegisteredClient,
  res: Response,
): Promise<void> {
  removed.remember(client_id, context.control.clientEntry(client_id));
  await context.control.apply({ kind: 'client.delete', client_id }, 'dashboard');
  context.leadTo(res, '/dashboard/clients', [`${client_id} was deleted (in memory). Its tokens are revoked.`]);
}

interface Asked {
  readonly change: Change | { readonly problems: readonly ChangeProblem[] };
  readonly done: string;
  readonly form?: ClientForm;
}

async function change(
  context: PageContext,
  client: RegisteredClient,
  typed: URLSearchParams,
  req: Request,
  res: Response,
): Promise<void> {
  const { client_id } = client;
  const { change, done, form } = askedOf(context, client, typed);
  const changed =
    'problems' in change
      ? ({ ok: false, problems: change.problems } as const)
      : await context.control.apply(change, 'dashboard');
  if (changed.ok) return context.leadTo(res, clientPath(client_id), [done, ...changed.notes]);
  const kept = form === undefined ? {} : { form };
  await showClient(context, req, res, { client, problems: changed.problems, ...kept }, 400);
}

function askedOf({ control }: PageContext, client: RegisteredClient, typed: URLSearchParams): Asked {
  const { client_id, redirect_uris } = client;
  const action = typed.get('action');
  if (action === 'revert') {
    return { change: { kind: 'client.revert', client_id }, done: 'Reverted to the configuration.' };
  }
  if (action === 'add-redirect') {
    const members = { redirect_uris: [...redirect_uris, typed.get('uri') ?? ''] };
    const done = 'Redirect URI added (in memory). The next sign-in may use it.';
    return { change: { kind: 'client.patch', client_id, members }, done };
  }
  const form = formAsTyped(typed);
  const entry = control.clientEntry(client_id) ?? {};
  const read = membersOf(form, entry, formOfClient(client, entry).values);
  const done = 'Saved in memory. Takes effect on the next request.';
  return { change: 'problems' in read ? read : { kind: 'client.patch', client_id, members: read.members }, done, form };
}

async function showClient(
  context: PageContext,
  req: Request,
  res: Response,
  parts: Omit<Parameters<typeof clientPage>[1], 'isHidden'>,
  status = 200,
): Promise<void> {
  const model = await clientPage(context, { ...parts, isHidden: areSecretsHidden(context, req) });
  await context.show(res, { template: 'client', title: parts.client.client_id, nav: 'clients', model, status });
}

function noSuchClient(context: PageContext, res: Response): Promise<void> {
  const why = 'It was never registered, was deleted, or was dropped when too many clients registered dynamically.';
  return context.message(res, 404, {
    title: 'No such client',
    paragraphs: [`No client has this id. ${why}`],
    links: [{ href: `${context.base}/dashboard/clients`, name: 'All clients' }],
  });
}

interface ClientPageParts {
  readonly client: RegisteredClient;
  readonly form?: ClientForm;
  readonly problems?: readonly ChangeProblem[];
  readonly done?: readonly string[];
  readonly isHidden: boolean;
  readonly isNew?: boolean;
}

async function clientPage(context: PageContext, parts: ClientPageParts) {
  const { client, problems = [], done = [], isHidden, isNew = false } = parts;
  const { client_id } = client;
  const { control, base } = context;
  const standing = standingOf(context, client);
  const texts = problemsByField(problems);
  const entry = control.clientEntry(client_id) ?? {};
  const form = parts.form ?? formOfClient(client, entry);
  const at = lastSeen(context)(client_id);
  const lifetimes = await defaultLifetimes(context);
  return {
    id: client_id,
    href: base + clientPath(client_id),
    name: client.client_name,
    type: typeOf(client),
    standing,
    seen: at,
    refreshed: refreshes(context)(client_id),
    sections: filledSections(form, texts, entry, lifetimes),
    wrong: wrongFields(texts),
    more: { json: form.more, problems: texts.more ?? [] },
    problems: [...(texts[''] ?? []), ...(texts.client_id ?? [])],
    done,
    isChanged: standing !== 'configured',
    canRevert: standing === 'changed',
    isHidden,
    ...configurationOf(context, client, isHidden),
    ...(isNew ? { snippet: await firstSnippet(context, client, isHidden) } : {}),
    redirects: seenRedirects(context, client),
    flows: recentFlows(context, client_id),
    query: encodeURIComponent(`client:${/\s/.test(client_id) ? `"${client_id}"` : client_id}`),
    cors: await corsWords(context),
    links: linksOn(context, 'client', client_id),
  };
}

async function firstSnippet(context: PageContext, client: RegisteredClient, areSecretsHidden: boolean) {
  const isMachine = client.grant_types.every(grant => grant === 'client_credentials');
  const id = isMachine ? 'curl' : isPublic(client) ? 'spa' : 'node';
  const [snippet] = await snippets(factsOf(context, { client: client.client_id, areSecretsHidden }), [id]);
  return snippet;
}

function filledSections(
  form: ClientForm,
  problems: FieldTexts,
  entry: Members,
  lifetimes: ReadonlyMap<string, string>,
) {
  return sections.map(({ title, fields }) => {
    const filled = fields.map(field => ({
      ...field,
      values: form.values[field.name] ?? [],
      problems: problems[field.name] ?? [],
      placeholder: field.kind === 'number' ? `sandbox default (${lifetimes.get(field.name) ?? 'none'})` : '',
    }));
    const rare = filled.filter(({ isRare }) => isRare);
    return {
      title,
      fields: filled.filter(({ isRare }) => isRare === undefined),
      rare,
      isOpen: rare.some(field => field.problems.length > 0 || Object.hasOwn(entry, field.name)),
      summary: rare.map(({ label }) => shortLabel(label)).join(', '),
    };
  });
}

function wrongFields(texts: FieldTexts) {
  const wrong = fields.filter(({ name }) => texts[name] !== undefined);
  const links = wrong.map(({ name, label }) => ({ id: `f-${name}`, label: shortLabel(label) }));
  return texts.more === undefined ? links : [...links, { id: 'f-more', label: 'All other members' }];
}

function shortLabel(label: string): string {
  return label.replace(/ \(.*/, '');
}

/** The setting that is the default of a member: `ACCESS_TOKEN_LIFETIME` for `access_token_lifetime`. */
async function defaultLifetimes({ settings }: PageContext): Promise<ReadonlyMap<string, string>> {
  return new Map((await settings()).map(({ name, value }) => [name.toLowerCase(), value]));
}

function configurationOf({ control }: PageContext, client: RegisteredClient, isHidden: boolean) {
  const { client_id, client_secret, origin: _, ...members } = client;
  const mask = (text: string) => (isHidden ? text.replace(/^(\s*"?client_secret"?: ).*?(,?)$/m, '$1"…"$2') : text);
  const secret = client_secret === undefined ? {} : { client_secret };
  return {
    lines: {
      typescript: mask(control.configurationLines('client', client_id)),
      json: mask(control.configurationLines('client', client_id, 'json')),
    },
    effective: mask(JSON.stringify({ client_id, ...secret, ...members }, null, 2)),
  };
}

const mostFlows = 5;

function recentFlows({ flows, base, clock }: PageContext, client_id: string) {
  const now = clock();
  return flows
    .latest(500)
    .filter(flow => flow.client_id === client_id)
    .slice(0, mostFlows)
    .map(({ id, kind, sub, status, lastAt }) => ({
      href: `${base}/dashboard/flows/${id}`,
      words: `${flowKindWords[kind]}${sub === undefined ? '' : `, ${sub}`}`,
      status,
      at: momentOf(lastAt, now),
    }));
}

/** CORS is decided for all clients together. */
async function corsWords({ settings }: PageContext): Promise<string> {
  const origins = (await settings()).find(({ name }) => name === 'CORS_ORIGINS')?.value ?? 'none';
  if (origins === '*') return 'Web pages of any origin may call this sandbox (CORS_ORIGINS=*).';
  const listed = origins === 'none' ? '' : `, and on ${origins.split(' ').join(', ')} (CORS_ORIGINS),`;
  return `Web pages on localhost and on the origins of redirect URIs and web_origins${listed} may call this sandbox.`;
}

const most = 10;

/** Refused redirect URIs, newest first. Truncated ones, and those registered since, are left out. */
function seenRedirects({ events, clock }: PageContext, client: RegisteredClient) {
  const seen = new Map<string, { count: number; at: number }>();
  for (const { reason, client_id, sent = '', at } of events.latest('error.returned', Number.POSITIVE_INFINITY)) {
    if (reason !== 'redirect_uri_not_registered' || client_id !== client.client_id) continue;
    if (sent.endsWith('…') || !URL.canParse(sent) || allowsRedirectUri(client, sent)) continue;
    const before = seen.get(sent);
    seen.set(sent, { count: (before?.count ?? 0) + 1, at: before?.at ?? at });
  }
  const now = clock();
  return [...seen].slice(0, most).map(([uri, { count, at }]) => ({ uri, count, last: momentOf(at, now) }));
}
