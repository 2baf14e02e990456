import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  created,
  entryTaken,
  inputInvalid,
  json,
  type ManagementCall,
  notServed,
} from '../../management/call.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { addressOf, builtInScopes, type Realm, scopeNamed, scopeNames } from './realm.ts';
import { needs } from './rights.ts';

const scopeShape = {
  name: 'text',
  description: 'text',
  protocol: 'text',
  protocolMappers: 'records',
} as const satisfies Shape;

/** The client scopes of a realm: the scopes of the sandbox (ClientScopesResource.java). */
export const scopeCalls: readonly ManagementCall<Realm>[] = [
  call('GET /client-scopes', 'client scopes', needs.queryClients, (_, realm) =>
    json([...scopeNames(realm)].map(name => scopeRepresentation(realm, name))),
  ),
  call('POST /client-scopes', 'creates a client scope', needs.manageClients, create),
  call('GET /client-scopes/{scope}', 'a client scope', needs.viewClients, ({ names }, realm) =>
    json(scopeRepresentation(realm, scopeNamed(realm, names.scope))),
  ),
  call('PUT /client-scopes/{scope}', 'changes the description of a client scope', needs.manageClients, update),
  call('DELETE /client-scopes/{scope}', 'removes a client scope', needs.manageClients, ({ names }, realm) =>
    apply(realm, { kind: 'scope.delete', name: ownScope(realm, names.scope) }),
  ),
  call(
    'GET /default-default-client-scopes',
    'scopes that new clients have without asking',
    needs.viewClients,
    (_, realm) => json(briefly(realm, usual)),
  ),
  call('GET /default-optional-client-scopes', 'scopes that new clients may ask for', needs.viewClients, (_, realm) =>
    json(
      briefly(
        realm,
        [...scopeNames(realm)].filter(name => !usual.includes(name)),
      ),
    ),
  ),
];

const usual = [...builtInScopes, 'profile', 'email'];

function briefly({ ids }: Realm, names: readonly string[]): readonly object[] {
  return names.map(name => ({ id: ids.idOf('scope', name), name }));
}

function scopeRepresentation({ ids, server }: Realm, name: string): object {
  const isVisible = !builtInScopes.includes(name);
  const { description } = server.scopes.get(name) ?? {};
  return {
    id: ids.idOf('scope', name),
    name,
    ...(description !== undefined && { description }),
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': String(isVisible), 'display.on.consent.screen': String(isVisible) },
  };
}

function create({ body }: CallInput, realm: Realm): Promise<Answer> {
  const { name = '', description, ...rest } = membersIn(body, scopeShape);
  requireServed(rest);
  if (name.trim() === '') throw inputInvalid('Client scope name is missing');
  if (scopeNames(realm).has(name)) throw entryTaken(`Client Scope ${name} already exists`);
  const members = { name, ...(description && { description }) };
  const answer = created(addressOf(realm, 'client-scopes', realm.ids.idOf('scope', name)));
  return apply(realm, { kind: 'scope.create', members }, `Client Scope ${name} already exists`).then(() => answer);
}

async function update({ body, names }: CallInput, realm: Realm): Promise<void> {
  const before = ownScope(realm, names.scope);
  const { name = before, description, ...rest } = membersIn(body, scopeShape);
  requireServed(rest);
  if (name !== before) throw inputInvalid('name: a scope keeps its name here: create another scope instead');
  if (description !== undefined)
    await apply(realm, { kind: 'scope.patch', name, members: { description: description || null } });
}

/** @throws 501 for what would do nothing */
function requireServed({
  protocol,
  protocolMappers = [],
}: MembersOf<Omit<typeof scopeShape, 'name' | 'description'>>): void {
  const nearest = 'POST /clients/{client}/protocol-mappers/models, for mappers of a client';
  if (protocolMappers.length > 0) throw notServed('Keycloak', 'mappers of a client scope', nearest);
  if (protocol !== undefined && protocol !== 'openid-connect')
    throw notServed('Keycloak', `the protocol ${protocol}`, 'a scope of openid-connect');
}

function ownScope(realm: Realm, id: string | undefined): string {
  const name = scopeNamed(realm, id);
  if (builtInScopes.includes(name))
    throw inputInvalid(`${name} is a client scope of every realm: it cannot be changed here`);
  return name;
}
