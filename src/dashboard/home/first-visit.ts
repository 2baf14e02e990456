import type { EventLog } from '../../base/events/event-log.ts';
import { avatarOf, positionsOf } from '../../base/text/avatar.ts';
import { allowsRedirectUri, isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { displayName } from '../../protocol/users/user.ts';
import { newEvents } from '../../record/progress.ts';
import { userTags } from '../../server/http/signin/user-cards.ts';
import { clientPath } from '../clients-and-users.ts';
import { factsOf, usableClients } from '../connect-pages.ts';
import type { DashboardFacts } from '../facts.ts';
import type { SnippetClient, SnippetFacts } from '../snippets/snippet-facts.ts';
import { snippets } from '../snippets/snippets.ts';

/** The query of Home, and the display settings of the browser. */
export interface HomeQuery {
  /** The client whose values are shown; empty for the best one. */
  readonly client: string;
  readonly areSecretsHidden: boolean;
}

/** Home before anything happened: the values that an app needs. */
export async function firstVisit(options: DashboardFacts, { client: chosen, areSecretsHidden }: HomeQuery) {
  const clients = browserClients(options.registered());
  const client = clients.find(({ client_id }) => client_id === chosen) ?? clients[0];
  const facts = factsOf(options, { client: client?.client_id, areSecretsHidden });
  return {
    clients: clients.map(({ client_id }) => ({ client_id, isChosen: client_id === client?.client_id })),
    values: valuesOf(options, facts, client),
    snippets: await homeSnippets(facts),
  };
}

/** The configured clients that an app in a browser can use; without any, those of other apps. */
function browserClients(registered: Iterable<RegisteredClient>): readonly RegisteredClient[] {
  const usable = usableClients([...registered].filter(({ origin }) => origin === 'configuration'));
  const fitting = usable.filter(client => isPublic(client) && logsIn(client));
  return fitting.length > 0 ? fitting : usable;
}

function logsIn({ grant_types }: RegisteredClient): boolean {
  return grant_types.includes('authorization_code');
}

/** A value to type into an app. */
export interface Value {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Further values that the server accepts: in words, as a list, and the page on which they are set. */
  readonly note?: { readonly words: string; readonly others: readonly string[]; readonly href: string };
}

function valuesOf(options: DashboardFacts, facts: SnippetFacts, client: RegisteredClient | undefined): Value[] {
  const issuer = { id: 'value-issuer', name: 'Issuer', text: facts.iss };
  const known = [facts.spa, facts.web, facts.keyed, facts.machine].find(each => each?.client_id === client?.client_id);
  if (client === undefined || known === undefined) return [issuer];
  return [issuer, { id: 'value-client', name: 'Client ID', text: known.client_id }, ...secretOf(known)].concat(
    logsIn(client) ? redirectValue(options, client, known.redirectUri) : [],
  );
}

function secretOf({ client_secret }: SnippetClient): Value[] {
  return client_secret === undefined ? [] : [{ id: 'value-secret', name: 'Client secret', text: client_secret }];
}

const mostOthers = 3;

function redirectValue({ base }: DashboardFacts, client: RegisteredClient, text: string): Value {
  const registered = [...client.redirect_uris, ...(client.redirect_uri_patterns ?? [])];
  const words = loopbackWords(client, text);
  const others = words === anyLoopback ? [] : registered.filter(uri => uri !== text).slice(0, mostOthers);
  const href = words === '' && others.length === 0 ? base + clientPath(client.client_id) : '';
  return { id: 'value-redirect', name: 'Redirect URI', text, note: { words, others, href } };
}

const anyLoopback = 'any http://localhost:… works';
/** An address that nobody registers, to see what the rule for redirect URIs says about it. */
const probe = 'http://localhost:9/any-path';

function loopbackWords(client: RegisteredClient, redirectUri: string): string {
  if (allowsRedirectUri(client, probe)) return anyLoopback;
  if (!URL.canParse(redirectUri)) return '';
  const elsewhere = new URL(redirectUri);
  elsewhere.port = '9';
  return allowsRedirectUri(client, elsewhere.href) ? 'any port works' : '';
}

/** The snippets that most people begin with, by names short enough for a row of tabs. The stylesheet uses their ids. */
const tabs: Readonly<Record<string, string>> = {
  react: 'React',
  spa: 'oidc-client-ts',
  node: 'Node',
  spring: 'Spring API',
  'aspnet-api': '.NET API',
  curl: 'curl',
  'mcp-metadata': 'MCP',
  env: 'Env vars',
};

async function homeSnippets(facts: SnippetFacts) {
  const found = await snippets(facts, Object.keys(tabs));
  return Object.entries(tabs).flatMap(([id, name]) =>
    found.filter(snippet => snippet.id === id).map(snippet => ({ ...snippet, name })),
  );
}

/** The user whom the main button of Home signs in; undefined if nobody is configured. */
export function firstPerson({ accounts }: DashboardFacts) {
  const users = [...accounts()];
  const user = users.find(({ isVisitor }) => isVisitor === undefined);
  if (user === undefined) return undefined;
  const name = displayName(user);
  return {
    sub: user.sub,
    name,
    first: name.split(' ')[0] ?? name,
    note: userTags(user).join(', '),
    avatar: avatarOf(name, user.sub, positionsOf(users)),
  };
}

const refusedFrom = 400;

/** The way of an app to fresh tokens, as the circles of Home say it. */
const circles = [
  { name: 'Finds the server', words: 'by its discovery document' },
  { name: 'Sends the user', words: 'to the sign-in page' },
  { name: 'Gets its tokens', words: 'in exchange for the code' },
  { name: 'Calls an API', words: 'with the access token' },
  { name: 'Refreshes', words: 'before the token ends' },
] as const;

/** The circle that a request fills. */
const filledBy: Readonly<Record<string, number>> = { discovery: 0, authorize: 1, par: 1, token: 2, api: 3 };

/** Makes a function that tells which circles are filled, each by a request. The one after the last filled one is `now`. */
export function createCircles(events: EventLog) {
  const filled = new Map<number, string>();
  const readNew = newEvents(events, ['request.completed', 'token.issued'], {
    see(event) {
      if (event.type === 'token.issued') {
        if (event.grant_type === 'refresh_token' && event.minted !== true) filled.set(4, event.requestId);
        return;
      }
      const circle = filledBy[event.endpoint];
      if (circle !== undefined && event.status < refusedFrom) filled.set(circle, event.requestId);
    },
    forget: () => filled.clear(),
  });
  return () => {
    readNew();
    const now = Math.max(-1, ...filled.keys()) + 1;
    return circles.map((circle, index) => ({
      ...circle,
      ...(now === 0 && index === 0 ? { words: 'waiting for your app' } : {}),
      isNow: index === now,
      requestId: filled.get(index),
    }));
  };
}
