import type { Redemption } from '../../protocol/authorization.ts';
import type { TokenRequest } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { invalidTarget } from '../../protocol/errors.ts';
import { type RequestParameters, shorten } from '../../protocol/parameters.ts';
import { isUuid } from '../../protocol/random.ts';
import { formatScope, parseScope } from '../../protocol/scope.ts';

/** Microsoft Graph, by its address and by its `appId`. */
export const graph = { uri: 'https://graph.microsoft.com', appId: '00000003-0000-0000-c000-000000000000' } as const;

const openIdScopes = ['openid', 'profile', 'email', 'offline_access'];

/** A scope and the resource that it is of. `resource` is `graph.appId`, an identifier URI, or undefined for our own API. */
interface ResourceScope {
  readonly resource: string | undefined;
  /** As in `scp`, without the resource. */
  readonly name: string;
}

/** `api://bikes/read` is `read` of `api://bikes`. Undefined for a scope of OpenID Connect. */
export function resourceScope(scope: string): ResourceScope | undefined {
  if (openIdScopes.includes(scope)) return undefined;
  const slash = scope.lastIndexOf('/');
  const before = scope.slice(0, Math.max(slash, 0));
  if (/^[a-z][a-z0-9+.-]*:/i.test(before) || isUuid(before)) {
    return { resource: isGraph(before) ? graph.appId : before, name: scope.slice(slash + 1) };
  }
  // permissions of Graph have names such as User.Read and Mail.ReadWrite.Shared
  return { resource: /^[A-Z]\w*\.[A-Z]\w*/.test(scope) ? graph.appId : undefined, name: scope };
}

export function isGraph(resource: string): boolean {
  const bare = resource.replace(/\/+$/, '').toLowerCase();
  return bare === graph.uri || bare === graph.appId;
}

/** The resource of `…/.default`; undefined for another scope. */
export function defaultOf(scope: string): string | undefined {
  if (scope === '.default') return graph.appId;
  const resource = /^(.+)\/\.default$/.exec(scope)?.[1];
  return resource === undefined || !isGraph(resource) ? resource : graph.appId;
}

/** The scopes of a request as the sandbox registers them: those of Graph by its own names and without its address, and `.default` as all scopes of the client at that resource. */
export function ownScopes(client: Pick<RegisteredClient, 'scope'>, scope: string | undefined): readonly string[] {
  const scopes = parseScope(scope).flatMap(each => {
    const resource = defaultOf(each);
    if (resource !== undefined) return allOf(client, resource);
    const bare = each.toLowerCase().startsWith(`${graph.uri}/`)
      ? each.slice(graph.uri.length).replace(/^\/+/, '')
      : each;
    return [graphPermission(bare) ?? bare];
  });
  return [...new Set(scopes)];
}

/** The registered scopes of a client at one resource. Each registration of an application begins with `User.Read`. */
function allOf(client: Pick<RegisteredClient, 'scope'>, resource: string): readonly string[] {
  const own = parseScope(client.scope).filter(each => resourceScope(each)?.resource === resource);
  return own.length === 0 && resource === graph.appId ? ['User.Read'] : own;
}

/** The resources that the scopes of a request name, in their order. */
export function resourcesOf(scopes: readonly string[]): readonly string[] {
  return [...new Set(scopes.flatMap(scope => resourceScope(scope)?.resource ?? []))];
}

/**
 * The parameters of an authorization request in our words. `claims` is no request for claims of OpenID Connect here: SDKs
 * send the capabilities of the client in it.
 */
export function heard(client: Pick<RegisteredClient, 'scope'>, parameters: RequestParameters): RequestParameters {
  const scope = parameters.values.get('scope');
  const own = ownScopes(client, scope);
  requireMatch(parameters.resources, [
    ...resourcesOf(own),
    ...parseScope(scope).flatMap(each => defaultOf(each) ?? []),
  ]);
  const changed = withValues(parameters, {
    claims: undefined,
    resource: undefined,
    ...(scope === undefined ? {} : { scope: formatScope(own) }),
  });
  return { ...changed, resources: [] };
}

/** Scopes name the resource; a `resource` besides must be the same. */
function requireMatch(sent: readonly string[], named: readonly string[]): void {
  const other = sent.find(each => !named.includes(isGraph(each) ? graph.appId : each));
  if (other === undefined) return;
  throw invalidTarget('resource_invalid', 'resource is not the resource of the scopes', {
    sent: shorten(other),
    expected: named.join(' or ') || 'no resource',
  });
}

/** The parameters of version 1.0 in the words of 2.0: `resource` is the scope `{resource}/.default`. */
export function heardResource(parameters: RequestParameters): RequestParameters {
  const [resource] = parameters.resources;
  if (resource === undefined) return parameters;
  const scope = `${resource.replace(/\/+$/, '')}/.default`;
  return { ...withValues(parameters, { resource: undefined, scope }), resources: [] };
}

/** A redemption for one resource: that of the scopes that were asked for, or else of the first scope that was granted. */
export function narrowed(redemption: Redemption, { client }: TokenRequest, scope: string | undefined): Redemption {
  const asked = scope === undefined ? redemption.scopes : ownScopes(client, scope);
  const [whole] = parseScope(scope).flatMap(each => defaultOf(each) ?? []);
  const [first] = asked.flatMap(each => resourceScope(each) ?? []);
  const resource = whole ?? (first === undefined ? graph.appId : first.resource);
  const scopes = redemption.scopes.filter(each => {
    const own = resourceScope(each);
    return own === undefined || own.resource === resource;
  });
  // a token for Graph is for UserInfo, too
  return { ...redemption, scopes, resources: resource === undefined || resource === graph.appId ? [] : [resource] };
}

/** The parameters with other values; undefined removes one. */
export function withValues(
  parameters: RequestParameters,
  changed: Readonly<Record<string, string | undefined>>,
): RequestParameters {
  const values = new Map(parameters.values);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) values.delete(name);
    else values.set(name, value);
  }
  return { ...parameters, values };
}

/** Delegated permissions of Microsoft Graph that applications usually ask for. Each application may, because it counts as consented. */
export const graphPermissions: readonly string[] = [
  ...named('User', 'Read', 'ReadWrite', 'ReadBasic.All', 'Read.All', 'ReadWrite.All'),
  ...named('Mail', 'Read', 'ReadBasic', 'ReadWrite', 'Send', 'Read.Shared', 'ReadWrite.Shared', 'Send.Shared'),
  ...named('MailboxSettings', 'Read', 'ReadWrite'),
  ...named('Calendars', 'Read', 'ReadBasic', 'ReadWrite', 'Read.Shared', 'ReadWrite.Shared'),
  ...named('Contacts', 'Read', 'ReadWrite', 'Read.Shared', 'ReadWrite.Shared'),
  ...named('People', 'Read', 'Read.All'),
  ...named('Presence', 'Read', 'Read.All', 'ReadWrite'),
  ...named('Files', 'Read', 'ReadWrite', 'Read.All', 'ReadWrite.All', 'Read.Selected', 'ReadWrite.Selected'),
  ...named('Files', 'ReadWrite.AppFolder'),
  ...named('Sites', 'Read.All', 'ReadWrite.All', 'Manage.All', 'FullControl.All', 'Selected'),
  ...named('Notes', 'Read', 'Create', 'ReadWrite', 'Read.All', 'ReadWrite.All'),
  ...named('Tasks', 'Read', 'ReadWrite', 'Read.Shared', 'ReadWrite.Shared'),
  ...named('Chat', 'Create', 'Read', 'ReadBasic', 'ReadWrite'),
  ...named('ChatMessage', 'Read', 'Send'),
  ...named('Channel', 'ReadBasic.All', 'Create'),
  ...named('ChannelMessage', 'Read.All', 'Send'),
  ...named('Team', 'ReadBasic.All', 'Create'),
  ...named('TeamMember', 'Read.All', 'ReadWrite.All'),
  ...named('OnlineMeetings', 'Read', 'ReadWrite'),
  ...named('Group', 'Read.All', 'ReadWrite.All'),
  ...named('GroupMember', 'Read.All', 'ReadWrite.All'),
  ...named('Directory', 'Read.All', 'ReadWrite.All', 'AccessAsUser.All'),
  ...named('Organization', 'Read.All', 'ReadWrite.All'),
  ...named('Application', 'Read.All', 'ReadWrite.All'),
  ...named('AppRoleAssignment', 'ReadWrite.All'),
  ...named('RoleManagement', 'Read.All', 'Read.Directory', 'ReadWrite.Directory'),
  ...named('Device', 'Read', 'Read.All', 'Command'),
  ...named('AuditLog', 'Read.All'),
  ...named('Reports', 'Read.All'),
  ...named('Policy', 'Read.All'),
];

function named(what: string, ...rights: readonly string[]): readonly string[] {
  return rights.map(right => `${what}.${right}`);
}

const byLowerCase = new Map(graphPermissions.map(name => [name.toLowerCase(), name]));

/** The name as Graph writes it, whatever its case is; undefined for another scope. */
function graphPermission(scope: string): string | undefined {
  return byLowerCase.get(scope.toLowerCase());
}
