import { identityScopes } from '../../../protocol/scope.ts';
import { type Answer, jsonAnswer } from '../../../server/http/answer.ts';
import { type CallInput, call, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { listAnswer } from './answers.ts';
import { addressOf, missingEntry, type Org, oktaId } from './org.ts';

const read = ['okta.authorizationServers.read'];
const manage = ['okta.authorizationServers.manage'];
const at = '/authorizationServers/{server}';

/** The authorization server of the issuer, and its scopes (developer.okta.com, Authorization Servers API). */
export const serverCalls: readonly ManagementCall<Org>[] = [
  call('GET /authorizationServers', 'the custom authorization server of this issuer', read, (sent, org) => {
    const all = serverName(org) === undefined ? [] : [serverBody(org)];
    return listAnswer(org, sent, all, each => each);
  }),
  call(`GET ${at}`, 'an authorization server', read, ({ names }, org) => {
    requireServer(org, names.server);
    return json(serverBody(org));
  }),
  call(`GET ${at}/scopes`, 'the scopes of an authorization server', read, (sent, org) => {
    requireServer(org, sent.names.server);
    return listAnswer(org, sent, [...org.server.scopes.keys()], name => scopeBody(org, name));
  }),
  call(`POST ${at}/scopes`, 'adds a scope, which clients without a `scope` of their own get', manage, create),
  call(`GET ${at}/scopes/{scope}`, 'a scope', read, ({ names }, org) => {
    requireServer(org, names.server);
    return json(scopeBody(org, scopeWith(org, names.scope)));
  }),
  call(`PUT ${at}/scopes/{scope}`, 'changes a scope', manage, update),
  call(`DELETE ${at}/scopes/{scope}`, 'removes a scope', manage, remove),
];

/** The name of the custom authorization server; undefined for an issuer that is the org itself. */
function serverName({ server }: Org): string | undefined {
  const name = server.dialect?.options.server;
  return name === 'org' ? undefined : name;
}

/** @throws 404 */
export function requireServer(org: Org, id = ''): void {
  if (id !== serverName(org)) missingEntry('AuthorizationServer', id);
}

function serverBody(org: Org) {
  const { since } = org.state;
  const id = serverName(org) ?? '';
  return {
    id,
    name: id,
    description: `The authorization server ${id} of the sandbox`,
    audiences: [`api://${id}`],
    issuer: org.server.iss,
    issuerMode: 'ORG_URL',
    status: 'ACTIVE',
    default: id === 'default',
    created: since,
    lastUpdated: since,
    credentials: { signing: { rotationMode: 'MANUAL', use: 'sig' } },
    _links: { self: { href: addressOf(org, 'authorizationServers', id) } },
  };
}

function idOf(name: string): string {
  return oktaId('scp', name);
}

function scopeWith({ server }: Org, id = ''): string {
  return [...server.scopes.keys()].find(each => each === id || idOf(each) === id) ?? missingEntry('OAuth2Scope', id);
}

function scopeBody(org: Org, name: string) {
  const { description = name } = org.server.scopes.get(name) ?? {};
  const id = idOf(name);
  return {
    id,
    name,
    displayName: name,
    description,
    system: identityScopes.includes(name),
    default: false,
    consent: 'IMPLICIT',
    metadataPublish: 'ALL_CLIENTS',
    _links: { self: { href: addressOf(org, 'authorizationServers', serverName(org) ?? '', 'scopes', id) } },
  };
}

function sentScope(body: unknown) {
  const sent = membersIn(body, { name: 'text', description: 'text', default: 'flag', consent: 'text' });
  if (sent.default === true)
    throw inputInvalid('default: Default scopes are those of a client here: set default_scope of the client');
  if (sent.consent === 'REQUIRED')
    throw inputInvalid('consent: Consent is asked for by a client here: set require_consent of the client');
  return sent;
}

async function create({ body, names }: CallInput, org: Org): Promise<Answer> {
  requireServer(org, names.server);
  const { name = '', description } = sentScope(body);
  if (name === '') throw inputInvalid('name: The field cannot be left blank');
  const claims = name === 'groups' ? { claims: ['groups'] } : {};
  const members = { name, ...(description !== undefined && { description }), ...claims };
  await apply(org, { kind: 'scope.create', members }, 'name: An object with this field already exists');
  return jsonAnswer(201, scopeBody(org, name));
}

async function update({ body, names }: CallInput, org: Org): Promise<Answer> {
  requireServer(org, names.server);
  const name = scopeWith(org, names.scope);
  const { name: sent = name, description } = sentScope(body);
  if (sent !== name) throw inputInvalid('name: A scope keeps its name');
  if (description !== undefined) await apply(org, { kind: 'scope.patch', name, members: { description } });
  return json(scopeBody(org, name));
}

async function remove({ names }: CallInput, org: Org): Promise<void> {
  requireServer(org, names.server);
  const name = scopeWith(org, names.scope);
  if (identityScopes.includes(name)) throw inputInvalid(`name: The scope ${name} belongs to the system`);
  await apply(org, { kind: 'scope.delete', name });
}
