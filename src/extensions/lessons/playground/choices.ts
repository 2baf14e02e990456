import { allowsRedirectUri, type RegisteredClient } from '../../../protocol/clients/client.ts';
import { isLoopbackUrl } from '../../../protocol/clients/client-metadata.ts';
import { canSign } from './credentials.ts';
import { type Grant, grantTypesOf, isRegisteredFor } from './grant.ts';
import type { PlaygroundRoom } from './room.ts';
import type { Chosen, PlaygroundState } from './states.ts';

const plainMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'tls_client_auth',
  'self_signed_tls_client_auth',
];

/** Tells whether the page can authenticate as this client. It cannot use a private key that only the app has. */
export function canBePlayed(client: RegisteredClient): boolean {
  return client.token_endpoint_auth_methods.some(method => plainMethods.includes(method)) || canSign(client);
}

function fits(grant: Grant, client: RegisteredClient): boolean {
  const isConfidential = client.token_endpoint_auth_methods.some(method => method !== 'none');
  return isRegisteredFor(grant, client) && (isConfidential || grant.isConfidential !== true);
}

export function clientOf({ desk }: PlaygroundRoom, client_id: string): RegisteredClient | undefined {
  return [...desk.registered()].find(client => client.client_id === client_id);
}

/** The requested client, or the first one registered for the grant; the id is empty if there is none. */
export function defaultChoice(room: PlaygroundRoom, grant: Grant, asked: string | undefined): Chosen {
  const all = [...room.desk.registered()].filter(canBePlayed).filter(client => fits(grant, client));
  const isSent = grant.steps.some(({ by }) => by === 'return');
  const own = all.find(client => !isSent || allowsRedirectUri(client, room.callback)) ?? all[0];
  const client_id = asked ?? own?.client_id ?? '';
  const [user] = room.desk.accounts();
  const client = clientOf(room, client_id) ?? room.ready.find(each => each.settings.client_id === client_id)?.settings;
  return { client_id, user: user?.sub ?? '', scope: scopeFor(grant, client) };
}

/** The scopes of the grant for which the client is registered; all of its scopes if there are none. */
function scopeFor({ scope }: Grant, client: { readonly scope?: string } | undefined): string {
  const registered = (client?.scope ?? '').split(' ').filter(name => name !== '');
  if (scope === '') return registered.filter(name => name !== 'openid' && name !== 'offline_access').join(' ');
  const fitting = scope.split(' ').filter(name => registered.includes(name));
  return (fitting.length > 0 ? fitting : registered).join(' ');
}

/** Whether the address is that of an app on this machine. */
function isOnThisMachine(uri: string): boolean {
  return /^https?:/i.test(uri) && isLoopbackUrl(uri);
}

/** Whether the server may send the answer of this client to an app on this machine at this address. */
export function canGoTo(client: RegisteredClient | undefined, uri: string): boolean {
  return client !== undefined && isOnThisMachine(uri) && allowsRedirectUri(client, uri);
}

/** The choices of the learner, and the registrations that are missing. */
export function choices(room: PlaygroundRoom, { grant, client_id, values, refusedRedirect }: PlaygroundState) {
  const { desk, callback, home } = room;
  const clients = [...desk.registered()];
  const client = clientOf(room, client_id);
  const isSent = grant.steps.some(({ by }) => by === 'return');
  const redirect_uri = values.get('redirect_uri') ?? callback;
  const isOwn = isSent && redirect_uri !== callback;
  const own = (client?.redirect_uris ?? []).filter(uri => isOnThisMachine(uri) && uri !== callback);
  // an issuer of the visitor has the clients of the catalogue, and the playground has clients of its own: neither is an app
  const hasApp = own.length > 0 && home === undefined && client_id !== ownClientId(grant);
  return {
    clients: clients.map(each => ({ id: each.client_id, name: each.client_name ?? '', fits: fits(grant, each) })),
    users: [...desk.accounts()].map(({ sub }) => sub),
    canChange: desk.access === 'on',
    ownId: ownClientId(grant),
    needsClient: client === undefined || !fits(grant, client),
    ...(isOwn ? { ownRedirect: redirect_uri } : {}),
    ...(isSent && (hasApp || isOwn) ? { answerTo: { isOwn, uri: isOwn ? redirect_uri : (own[0] ?? ''), own } } : {}),
    ...(refusedRedirect ? { refusedRedirect } : {}),
    needsCallback: isSent && !isOwn && client !== undefined && !allowsRedirectUri(client, callback),
    callback,
  };
}

function ownClientId({ id }: Grant): string {
  return `playground-${id}`;
}

/** Registers a client for the grant with the callback of the playground. Returns its id, and the problems of the change. */
export async function addClient({ desk, callback }: PlaygroundRoom, grant: Grant): Promise<string> {
  const client_id = ownClientId(grant);
  const isLogin = grant.steps.some(({ by }) => by === 'return');
  const isPublic = !grant.isConfidential;
  const ownScopes = desk.collections.flatMap(({ readScope, writeScope }) => [readScope, writeScope]);
  const scope = grant.scope === '' ? (ownScopes.find(each => each !== undefined) ?? '') : grant.scope;
  const types = [...grantTypesOf(grant), ...(isLogin ? ['refresh_token'] : [])];
  const members = {
    client_id,
    client_name: `Playground: ${grant.title}`,
    ...(isPublic
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'playground-secret' }),
    grant_types: [...new Set(types)],
    ...(isLogin ? { redirect_uris: [callback] } : {}),
    ...(grant.id === 'ciba' ? { backchannel_token_delivery_mode: 'poll' } : {}),
    ...(scope === '' ? {} : { scope }),
  };
  await desk.control.apply({ kind: 'client.create', members }, 'dashboard');
  return client_id;
}

export async function addCallback(room: PlaygroundRoom, client_id: string): Promise<void> {
  const client = clientOf(room, client_id);
  if (client === undefined) return;
  const members = { redirect_uris: [...client.redirect_uris, room.callback] };
  await room.desk.control.apply({ kind: 'client.patch', client_id, members }, 'dashboard');
}
