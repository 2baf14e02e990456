import { addedResources, knownResources } from '../../../protocol/dialects/create-dialect.ts';
import { identityScopes, parseScope } from '../../../protocol/scope.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryTaken, inputInvalid, type ManagementCall, missing } from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { managementScopes } from '../grants.ts';
import { answered, listed } from './answers.ts';
import { clientWith } from './clients.ts';
import { idOf, requireRoom, type Tenant } from './tenant.ts';

const readApis = ['read:resource_servers'];
const readGrants = ['read:client_grants'];

/** The APIs of a tenant, and which client may call which of them without a user. */
export const apiCalls: readonly ManagementCall<Tenant>[] = [
  call('GET /resource-servers', 'APIs', readApis, ({ query }, tenant) =>
    listed(identifiers(tenant), query, 'resource_servers', each => apiView(tenant, each)),
  ),
  call('POST /resource-servers', 'creates an API', ['create:resource_servers'], createApi),
  call('GET /resource-servers/{api}', 'an API, by its id or identifier', readApis, ({ names }, tenant) =>
    answered(apiView(tenant, apiWith(tenant, names.api))),
  ),
  call('PATCH /resource-servers/{api}', 'changes an API', ['update:resource_servers'], ({ names, body }, tenant) => {
    const identifier = apiWith(tenant, names.api);
    keepApi(tenant, identifier, body);
    return answered(apiView(tenant, identifier));
  }),
  call('DELETE /resource-servers/{api}', 'removes an API that was created', ['delete:resource_servers'], removeApi),
  call('GET /client-grants', 'grants of clients for APIs, by `client_id` and `audience`', readGrants, listGrants),
  call('POST /client-grants', 'lets a client call an API', ['create:client_grants'], createGrant),
  call('PATCH /client-grants/{grant}', 'changes the scopes of a grant', ['update:client_grants'], changeGrant),
  call('DELETE /client-grants/{grant}', 'takes an API from a client', ['delete:client_grants'], removeGrant),
];

function removeApi({ names }: CallInput, tenant: Tenant): void {
  const identifier = apiWith(tenant, names.api);
  addedResources(tenant.server).delete(identifier);
  tenant.state.apis.delete(identifier);
}

function listGrants({ query }: CallInput, tenant: Tenant): Answer {
  const [client_id, audience] = [query.get('client_id'), query.get('audience')];
  const found = grants(tenant).filter(
    each => (client_id === null || each.client_id === client_id) && (audience === null || each.audience === audience),
  );
  return listed(found, query, 'client_grants');
}

async function changeGrant({ names, body }: CallInput, tenant: Tenant): Promise<Answer> {
  const grant = grantWith(tenant, names.grant);
  const { scope = [] } = membersIn(body, { scope: 'texts' });
  await saveScopes(tenant, grant.client_id, [...userScopesOf(tenant, grant.client_id), ...scope]);
  return answered(grantWith(tenant, grant.id));
}

async function removeGrant({ names }: CallInput, tenant: Tenant): Promise<void> {
  const { client_id, audience } = grantWith(tenant, names.grant);
  const left = clientWith(tenant, client_id).audience.filter(each => each !== audience);
  await apply(tenant, { kind: 'client.patch', client_id, members: { audience: left.length === 0 ? null : left } });
}

function identifiers({ server }: Tenant): readonly string[] {
  const { options = {} } = server.dialect ?? {};
  return [...new Set(knownResources(server, { resources: ['${issuer}/api/v2/'], options }))];
}

function apiWith(tenant: Tenant, id = ''): string {
  return (
    identifiers(tenant).find(each => each === id || idOf('api', each) === id) ??
    missing('The resource server does not exist', id)
  );
}

function apiView({ server, state }: Tenant, identifier: string): object {
  const isSystem = identifier === `${server.issuer}/api/v2/`;
  const names = [...server.clients.values()].filter(({ audience }) => audience.includes(identifier)).flatMap(scopesOf);
  const scopes = isSystem ? managementScopes : [...new Set(names)];
  return {
    id: idOf('api', identifier),
    name: isSystem ? 'Auth0 Management API' : identifier,
    identifier,
    scopes: scopes.map(value => ({ value })),
    signing_alg: server.signingAlg,
    token_lifetime: server.lifetimes.accessToken,
    token_dialect: server.dialect?.options.token_dialect,
    allow_offline_access: true,
    is_system: isSystem,
    ...state.apis.get(identifier),
  };
}

const apiShape = {
  name: 'text',
  identifier: 'text',
  scopes: 'records',
  allow_offline_access: 'flag',
} as const satisfies Shape;

function createApi({ body }: CallInput, tenant: Tenant): Answer {
  const { identifier = '' } = membersIn(body, apiShape);
  if (identifier === '') throw inputInvalid("Payload validation error: 'Missing required property: identifier'.");
  if (identifiers(tenant).includes(identifier))
    throw entryTaken('A resource server with the same identifier already exists');
  requireRoom(tenant.state.apis);
  keepApi(tenant, identifier, body);
  addedResources(tenant.server).add(identifier);
  return answered(apiView(tenant, identifier), 201);
}

function keepApi({ state }: Tenant, identifier: string, body: unknown): void {
  const { identifier: _, ...sent } = membersIn(body, apiShape);
  state.apis.set(identifier, { ...state.apis.get(identifier), ...sent });
}

interface ClientGrant {
  readonly id: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: readonly string[];
}

function scopesOf({ scope }: { readonly scope: string }): readonly string[] {
  return parseScope(scope).filter(name => !identityScopes.includes(name));
}

/** The audience of each client that acts for itself, with its scopes. */
function grants({ server }: Tenant): readonly ClientGrant[] {
  const machines = [...server.clients.values()].filter(({ grant_types }) => grant_types.includes('client_credentials'));
  return machines.flatMap(client =>
    client.audience.map(audience => ({
      id: idOf('cgr', client.client_id, audience),
      client_id: client.client_id,
      audience,
      scope: scopesOf(client),
    })),
  );
}

function grantWith(tenant: Tenant, id = ''): ClientGrant {
  return grants(tenant).find(each => each.id === id) ?? missing('The client grant does not exist', id);
}

async function createGrant({ body }: CallInput, tenant: Tenant): Promise<Answer> {
  const {
    client_id = '',
    audience = '',
    scope = [],
  } = membersIn(body, { client_id: 'text', audience: 'text', scope: 'texts' });
  const client = clientWith(tenant, client_id);
  const identifier = apiWith(tenant, audience);
  const id = idOf('cgr', client_id, identifier);
  if (client.audience.includes(identifier)) throw entryTaken('A resource with the same identifier already exists.');
  await apply(tenant, { kind: 'client.patch', client_id, members: { audience: [...client.audience, identifier] } });
  await saveScopes(tenant, client_id, [...parseScope(client.scope), ...scope]);
  return answered(grantWith(tenant, id), 201);
}

function userScopesOf(tenant: Tenant, client_id: string): readonly string[] {
  return parseScope(clientWith(tenant, client_id).scope).filter(name => identityScopes.includes(name));
}

async function saveScopes(tenant: Tenant, client_id: string, scopes: readonly string[]): Promise<void> {
  await apply(tenant, { kind: 'client.patch', client_id, members: { scope: [...new Set(scopes)].join(' ') } });
}
