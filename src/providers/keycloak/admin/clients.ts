import { isUuid, randomId, randomSecret } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  created,
  entryTaken,
  inputInvalid,
  json,
  type ManagementCall,
} from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { changeClient, requireOwnClient, saveClient } from './change-client.ts';
import { type ClientJson, clientRepresentation } from './client-representation.ts';
import { changeMeaning } from './holdings.ts';
import { mappersSent } from './mappers.ts';
import { addressOf, clientNamed, clientNames, type Realm, requireRoom } from './realm.ts';
import { needs } from './rights.ts';
import { roleOf } from './roles.ts';
import { paged } from './user-search.ts';

/** The clients of a realm (ClientsResource.java, ClientResource.java). */
export const clientCalls: readonly ManagementCall<Realm>[] = [
  call('GET /clients', 'clients by `clientId`, with `search=true` those that contain it', needs.queryClients, list),
  call('POST /clients', 'creates a client', needs.createClients, create),
  call('GET /clients/{client}', 'a client', needs.viewClients, ({ names }, realm) =>
    json(clientRepresentation(realm, clientNamed(realm, names.client))),
  ),
  call('PUT /clients/{client}', 'changes a client', needs.manageClients, update),
  call('DELETE /clients/{client}', 'removes a client, with its roles and tokens', needs.manageClients, remove),
];

/** The members of a client whose types are checked; the others are kept as they were sent. */
const clientShape = {
  clientId: 'text',
  name: 'text',
  description: 'text',
  rootUrl: 'text',
  baseUrl: 'text',
  secret: 'text',
  clientAuthenticatorType: 'text',
  protocol: 'text',
  enabled: 'flag',
  bearerOnly: 'flag',
  publicClient: 'flag',
  consentRequired: 'flag',
  standardFlowEnabled: 'flag',
  implicitFlowEnabled: 'flag',
  directAccessGrantsEnabled: 'flag',
  serviceAccountsEnabled: 'flag',
  redirectUris: 'texts',
  webOrigins: 'texts',
  defaultClientScopes: 'texts',
  optionalClientScopes: 'texts',
  attributes: 'record',
  protocolMappers: 'records',
} as const satisfies Shape;

function list({ query, caller }: CallInput, realm: Realm): Answer {
  if (!needs.viewClients.some(caller.has)) return json([]);
  const wanted = query.get('clientId');
  const isSearch = query.get('search') === 'true';
  const isMet = (name: string) =>
    wanted === null || (isSearch ? name.toLowerCase().includes(wanted.toLowerCase()) : name === wanted);
  const found = [...clientNames(realm)].filter(isMet).toSorted();
  return json(paged(found, query, -1).map(name => clientRepresentation(realm, name)));
}

async function create({ body }: CallInput, realm: Realm): Promise<Answer> {
  return created(addressOf(realm, 'clients', realm.ids.idOf('client', await createClient(realm, body))));
}

/**
 * Creates a client, and answers with the `client_id`. One with credentials gets a secret if none was sent.
 * @throws 400 and 409 in the words of Keycloak
 */
export async function createClient(realm: Realm, body: unknown): Promise<string> {
  const sent = sentClient(body);
  const clientId = String(sent.clientId ?? randomId());
  if (clientNames(realm).has(clientId)) throw entryTaken(`Client ${clientId} already exists`);
  requireRoom(clientNames(realm).size, 'clients');
  const isPublic = sent.publicClient === true || sent.bearerOnly === true;
  const id = typeof sent.id === 'string' && isUuid(sent.id) ? sent.id : realm.ids.idOf('client', clientId);
  if (realm.ids.nameOf('client', id, clientNames(realm)) !== undefined)
    throw entryTaken(`Client ${clientId} already exists`);
  const secret = isPublic ? {} : { secret: randomSecret() };
  await saveClient(realm, { enabled: true, ...secret, ...sent, id, clientId }, undefined);
  realm.state.ids.set(`client ${clientId}`, id);
  return clientId;
}

function sentClient(body: unknown): ClientJson {
  const checked = membersIn(body, clientShape);
  const others = Object.entries(Object(body)).filter(([, value]) => value !== null);
  const mappers =
    checked.protocolMappers === undefined ? {} : { protocolMappers: mappersSent(checked.protocolMappers) };
  return { ...Object.fromEntries(others), ...mappers };
}

async function update({ body, names }: CallInput, realm: Realm): Promise<void> {
  const client_id = requireOwnClient(realm, names.client);
  const sent = sentClient(body);
  if (sent.clientId !== undefined && sent.clientId !== client_id)
    throw inputInvalid('clientId: a client keeps its id here: create another client instead');
  await changeClient(realm, client_id, sent);
}

async function remove({ names }: CallInput, realm: Realm): Promise<void> {
  await removeClient(realm, requireOwnClient(realm, names.client));
}

/** Removes a client, with its roles and tokens. */
export async function removeClient(realm: Realm, client_id: string): Promise<void> {
  const { server, state } = realm;
  const isTheirs = (name: string) => name.startsWith('[') && roleOf(name).client === client_id;
  const change = () => {
    for (const key of [...state.roles.keys()]) if (isTheirs(key)) state.roles.delete(key);
  };
  if (server.clients.has(client_id)) await apply(realm, { kind: 'client.delete', client_id });
  state.clients.delete(client_id);
  state.ids.delete(`client ${client_id}`);
  await changeMeaning(realm, change, name => (isTheirs(name) ? undefined : name));
}
