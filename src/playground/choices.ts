import { allowsRedirectUri, type RegisteredClient } from '../oauth/clients/client.ts';
import type { Grant } from './grant.ts';
import type { PlaygroundRoom } from './room.ts';
import type { Chosen, PlaygroundState } from './states.ts';

/** Methods the page can do by itself; the others need a private key or a certificate of the application. */
const knownMethods = ['none', 'client_secret_basic', 'client_secret_post'];

function canBePlayed({ token_endpoint_auth_methods }: RegisteredClient): boolean {
  return token_endpoint_auth_methods.some(method => knownMethods.includes(method));
}

function fits(grant: Grant, client: RegisteredClient): boolean {
  const isConfidential = client.token_endpoint_auth_methods.some(
    method => method !== 'none' && knownMethods.includes(method),
  );
  return client.grant_types.includes(grant.grantType) && (isConfidential || grant.isConfidential !== true);
}

export function clientOf({ desk }: PlaygroundRoom, client_id: string): RegisteredClient | undefined {
  return [...desk.registered()].find(client => client.client_id === client_id);
}

/** The client that was asked for, or the first that is registered for the grant; its id is empty where there is none. */
export function defaultChoice(room: PlaygroundRoom, grant: Grant, asked: string | undefined): Chosen {
  const all = [...room.desk.registered()].filter(canBePlayed).filter(client => fits(grant, client));
  const isSent = grant.steps.some(({ by }) => by === 'return');
  const own = all.find(client => !isSent || allowsRedirectUri(client, room.callback)) ?? all[0];
  const client_id = asked ?? own?.client_id ?? '';
  const [user] = room.desk.accounts();
  return { client_id, user: user?.sub ?? '', scope: scopeFor(grant, clientOf(room, client_id)) };
}

/** The scopes of the grant for which the client is registered. */
function scopeFor({ scope }: Grant, client: RegisteredClient | undefined): string {
  const registered = (client?.scope ?? '').split(' ').filter(name => name !== '');
  if (scope === '') return registered.filter(name => name !== 'openid' && name !== 'offline_access').join(' ');
  return scope
    .split(' ')
    .filter(name => registered.includes(name))
    .join(' ');
}

/** What the learner can choose from, and what has to be registered first. */
export function choices(room: PlaygroundRoom, { grant, client_id }: PlaygroundState) {
  const { desk, callback } = room;
  const clients = [...desk.registered()].filter(canBePlayed);
  const client = clientOf(room, client_id);
  const isSent = grant.steps.some(({ by }) => by === 'return');
  return {
    clients: clients.map(each => ({ id: each.client_id, name: each.client_name ?? '', fits: fits(grant, each) })),
    users: [...desk.accounts()].map(({ sub }) => sub),
    canChange: desk.access === 'on',
    ownId: ownClientId(grant),
    needsClient: client === undefined || !fits(grant, client),
    needsCallback: isSent && client !== undefined && !allowsRedirectUri(client, callback),
    callback,
  };
}

function ownClientId({ id }: Grant): string {
  return `playground-${id}`;
}

/** Registers a client for the grant, with the callback of the playground; its id, and the faults of the change. */
export async function addClient({ desk, callback }: PlaygroundRoom, grant: Grant): Promise<string> {
  const client_id = ownClientId(grant);
  const isLogin = grant.steps.some(({ by }) => by === 'return');
  const isPublic = !grant.isConfidential;
  const ownScopes = desk.collections.flatMap(({ readScope, writeScope }) => [readScope, writeScope]);
  const scope = grant.scope === '' ? (ownScopes.find(each => each !== undefined) ?? '') : grant.scope;
  const types = [grant.grantType, ...(isLogin ? ['authorization_code', 'refresh_token'] : [])];
  const machine = grant.scope === '' ? ['client_credentials'] : [];
  const members = {
    client_id,
    client_name: `Playground: ${grant.title}`,
    ...(isPublic
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'playground-secret' }),
    grant_types: [...new Set([...types, ...machine])],
    ...(isLogin ? { redirect_uris: [callback] } : {}),
    ...(grant.id === 'ciba' ? { backchannel_token_delivery_mode: 'poll' } : {}),
    ...(scope === '' ? {} : { scope }),
  };
  await desk.control.apply({ kind: 'client.create', members }, 'dashboard');
  return client_id;
}

/** Adds the callback to the redirect URIs of a client. */
export async function addCallback(room: PlaygroundRoom, client_id: string): Promise<void> {
  const client = clientOf(room, client_id);
  if (client === undefined) return;
  const members = { redirect_uris: [...client.redirect_uris, room.callback] };
  await room.desk.control.apply({ kind: 'client.patch', client_id, members }, 'dashboard');
}
