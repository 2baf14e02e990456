import { isPublic, type RegisteredClient } from '../../../protocol/clients/client.ts';
import { randomSecret } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, inputInvalid, type ManagementCall, missing } from '../../management/call.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { answered, listed } from './answers.ts';
import { requireRoom, type Tenant } from './tenant.ts';

const read = ['read:clients', 'read:client_summary'];

/** The clients of a tenant. */
export const clientCalls: readonly ManagementCall<Tenant>[] = [
  call('GET /clients', 'clients', read, ({ query, caller }, tenant) =>
    listed([...tenant.server.clients.values()], query, 'clients', each =>
      view(tenant, each, caller.has('read:client_keys')),
    ),
  ),
  call('POST /clients', 'creates a client', ['create:clients'], create),
  call('GET /clients/{client}', 'a client', read, ({ names, caller }, tenant) =>
    answered(view(tenant, clientWith(tenant, names.client), caller.has('read:client_keys'))),
  ),
  call('PATCH /clients/{client}', 'changes a client', ['update:clients'], update),
  call('DELETE /clients/{client}', 'removes a client', ['delete:clients'], ({ names }, tenant) =>
    apply(tenant, { kind: 'client.delete', client_id: clientWith(tenant, names.client).client_id }),
  ),
  call('POST /clients/{client}/rotate-secret', 'gives a client a new secret', ['update:client_keys'], rotateSecret),
];

async function rotateSecret({ names }: CallInput, tenant: Tenant): Promise<Answer> {
  const { client_id } = clientWith(tenant, names.client);
  await apply(tenant, { kind: 'client.patch', client_id, members: { client_secret: randomSecret() } });
  return answered(view(tenant, clientWith(tenant, client_id), true));
}

/** @throws 404 */
export function clientWith({ server }: Tenant, id = ''): RegisteredClient {
  return server.clients.get(id) ?? missing('The client does not exist', id);
}

function view({ state }: Tenant, client: RegisteredClient, withSecret: boolean): object {
  const { client_id, client_name, redirect_uris, post_logout_redirect_uris, grant_types } = client;
  const isOpen = isPublic(client);
  return {
    tenant: 'grantbox',
    global: false,
    is_first_party: true,
    oidc_conformant: true,
    app_type: isOpen ? 'spa' : grant_types.includes('authorization_code') ? 'regular_web' : 'non_interactive',
    ...state.clients.get(client_id),
    client_id,
    name: client_name,
    callbacks: redirect_uris,
    allowed_logout_urls: post_logout_redirect_uris,
    web_origins: client.web_origins ?? [],
    grant_types,
    token_endpoint_auth_method: isOpen ? 'none' : (client.token_endpoint_auth_methods[0] ?? 'client_secret_post'),
    refresh_token: { rotation_type: client.refresh_token_rotation ? 'rotating' : 'non-rotating' },
    ...(withSecret && client.client_secret !== undefined && { client_secret: client.client_secret }),
  };
}

const shape = {
  name: 'text',
  client_secret: 'text',
  app_type: 'text',
  description: 'text',
  logo_uri: 'text',
  callbacks: 'texts',
  allowed_logout_urls: 'texts',
  web_origins: 'texts',
  allowed_origins: 'texts',
  grant_types: 'texts',
  token_endpoint_auth_method: 'text',
  client_metadata: 'record',
  refresh_token: 'record',
} as const satisfies Shape;

/** Grants that are one of ours by another name are those of the password grant. */
const asOurs = (grant: string) => (grant.startsWith('http://auth0.com/oauth/grant-type/') ? 'password' : grant);

function entryOf(sent: MembersOf<typeof shape>): Readonly<Record<string, unknown>> {
  const { name, callbacks, allowed_logout_urls, web_origins, grant_types, refresh_token, client_secret, logo_uri } =
    sent;
  return {
    ...(name !== undefined && { client_name: name }),
    ...(callbacks && { redirect_uris: callbacks }),
    ...(allowed_logout_urls && { post_logout_redirect_uris: allowed_logout_urls }),
    ...(web_origins && { web_origins }),
    ...(grant_types && { grant_types: [...new Set(grant_types.map(asOurs))] }),
    ...(refresh_token?.rotation_type !== undefined && {
      refresh_token_rotation: refresh_token.rotation_type === 'rotating',
    }),
    ...(client_secret !== undefined && { client_secret }),
    ...(logo_uri !== undefined && { logo_uri }),
  };
}

async function create({ body }: CallInput, tenant: Tenant): Promise<Answer> {
  const sent = membersIn(body, shape);
  const { name = '', app_type = 'regular_web', token_endpoint_auth_method: method } = sent;
  if (name === '') throw inputInvalid("Payload validation error: 'Missing required property: name'.");
  const isOpen = method === 'none' || (method === undefined && ['spa', 'native'].includes(app_type));
  const isMachine = app_type === 'non_interactive';
  const client_id = randomSecret().slice(0, 32);
  const members = {
    client_id,
    ...(!isOpen && { client_secret: randomSecret() }),
    grant_types: isMachine ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    // a client grant adds the scopes of an API
    scope: isMachine ? '' : 'openid profile email offline_access',
    // a client of the sandbox has an address to return to; a tenant demands none
    ...(!isMachine && { loopback_redirects: true }),
    ...entryOf(sent),
  };
  await apply(tenant, { kind: 'client.create', members });
  keep(tenant, client_id, sent);
  return answered(view(tenant, clientWith(tenant, client_id), true), 201);
}

async function update({ names, body, caller }: CallInput, tenant: Tenant): Promise<Answer> {
  const { client_id } = clientWith(tenant, names.client);
  const sent = membersIn(body, shape);
  const members = entryOf(sent);
  if (Object.keys(members).length > 0) await apply(tenant, { kind: 'client.patch', client_id, members });
  keep(tenant, client_id, sent);
  return answered(view(tenant, clientWith(tenant, client_id), caller.has('read:client_keys')));
}

function keep(
  { state }: Tenant,
  client_id: string,
  { app_type, description, client_metadata, allowed_origins }: MembersOf<typeof shape>,
): void {
  if (!state.clients.has(client_id)) requireRoom(state.clients);
  const given = Object.entries({ app_type, description, client_metadata, allowed_origins }).filter(
    ([, value]) => value !== undefined,
  );
  state.clients.set(client_id, { ...state.clients.get(client_id), ...Object.fromEntries(given) });
}
