import { defined } from '../../base/defined.ts';
import type { ChangeFault } from '../../base/events/change.ts';
import { allowsRedirectUri, isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { flowKindWords } from '../../record/flows/flow-words.ts';
import { clientPath } from '../clients-and-users.ts';
import type { FieldTexts } from '../configure/fault-texts.ts';
import { factsOf } from '../connect/connect-page.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { snippets } from '../snippets/snippets.ts';
import { lastSeen, refreshes, standingOf, typeOf } from './client-facts.ts';
import { fields, sections } from './client-fields.ts';
import { type ClientForm, faultsByField, formOfClient, type Members } from './client-form.ts';

interface ClientPageParts {
  readonly client: RegisteredClient;
  readonly form?: ClientForm;
  readonly faults?: readonly ChangeFault[];
  readonly done?: readonly string[];
  readonly isHidden: boolean;
  /** Whether to show a snippet to begin with. */
  readonly isNew?: boolean;
}

/** A client with the form that changes it. */
export async function clientPage(desk: Desk, parts: ClientPageParts) {
  const { client, faults = [], done = [], isHidden, isNew = false } = parts;
  const { client_id } = client;
  const { control, base } = desk;
  const standing = standingOf(desk, client);
  const texts = faultsByField(faults);
  const entry = control.clientEntry(client_id) ?? {};
  const form = parts.form ?? formOfClient(client, entry);
  const at = lastSeen(desk)(client_id);
  const lifetimes = await defaultLifetimes(desk);
  return {
    id: client_id,
    href: base + clientPath(client_id),
    name: client.client_name,
    type: typeOf(client),
    standing,
    ...defined({ seen: at, refreshed: refreshes(desk)(client_id) }),
    sections: filledSections(form, texts, entry, lifetimes),
    wrong: wrongFields(texts),
    more: { json: form.more, faults: texts.more ?? [] },
    // faults of the whole client, not of one field
    faults: [...(texts[''] ?? []), ...(texts.client_id ?? [])],
    // one sentence per change
    done,
    isChanged: standing !== 'configured',
    canRevert: standing === 'changed',
    // whether secrets are hidden on the screen
    isHidden,
    ...configurationOf(desk, client, isHidden),
    ...(isNew ? { snippet: await firstSnippet(desk, client, isHidden) } : {}),
    redirects: seenRedirects(desk, client),
    flows: recentFlows(desk, client_id),
    query: encodeURIComponent(`client:${/\s/.test(client_id) ? `"${client_id}"` : client_id}`),
    cors: await corsWords(desk),
  };
}

/** The snippet most applications of this kind start with. */
async function firstSnippet(desk: Desk, client: RegisteredClient, areSecretsHidden: boolean) {
  const isMachine = client.grant_types.every(grant => grant === 'client_credentials');
  const id = isMachine ? 'curl' : isPublic(client) ? 'spa' : 'node';
  const [snippet] = await snippets(factsOf(desk, { client: client.client_id, areSecretsHidden }), [id]);
  return snippet;
}

/** The fields of each section; the rare ones are folded unless one is configured or wrong. */
function filledSections(form: ClientForm, faults: FieldTexts, entry: Members, lifetimes: ReadonlyMap<string, string>) {
  return sections.map(({ title, fields }) => {
    const filled = fields.map(field => ({
      ...field,
      values: form.values[field.name] ?? [],
      faults: faults[field.name] ?? [],
      placeholder: field.kind === 'number' ? `sandbox default (${lifetimes.get(field.name) ?? 'none'})` : '',
    }));
    const rare = filled.filter(({ isRare }) => isRare);
    return {
      title,
      fields: filled.filter(({ isRare }) => isRare === undefined),
      rare,
      isOpen: rare.some(field => field.faults.length > 0 || Object.hasOwn(entry, field.name)),
      summary: rare.map(({ label }) => shortLabel(label)).join(', '),
    };
  });
}

/** The fields with faults, for the summary on top of the form. */
function wrongFields(texts: FieldTexts) {
  const wrong = fields.filter(({ name }) => texts[name] !== undefined);
  const links = wrong.map(({ name, label }) => ({ id: `f-${name}`, label: shortLabel(label) }));
  return texts.more === undefined ? links : [...links, { id: 'f-more', label: 'All other members' }];
}

function shortLabel(label: string): string {
  return label.replace(/ \(.*/, '');
}

/** The setting that is the default of a member: `ACCESS_TOKEN_LIFETIME` for `access_token_lifetime`. */
async function defaultLifetimes({ settings }: Desk): Promise<ReadonlyMap<string, string>> {
  return new Map((await settings()).map(({ name, value }) => [name.toLowerCase(), value]));
}

function configurationOf({ control }: Desk, client: RegisteredClient, isHidden: boolean) {
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

function recentFlows({ flows, base, clock }: Desk, client_id: string) {
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
async function corsWords({ settings }: Desk): Promise<string> {
  const origins = (await settings()).find(({ name }) => name === 'CORS_ORIGINS')?.value ?? 'none';
  if (origins === '*') return 'Web pages of any origin may call this sandbox (CORS_ORIGINS=*).';
  const listed = origins === 'none' ? '' : `, and on ${origins.split(' ').join(', ')} (CORS_ORIGINS),`;
  return `Web pages on localhost and on the origins of redirect URIs and web_origins${listed} may call this sandbox.`;
}

const most = 10;

/** Refused redirect URIs, newest first. Truncated ones, and those registered since, are left out. */
function seenRedirects({ events, clock }: Desk, client: RegisteredClient) {
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
