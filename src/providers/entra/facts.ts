import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import type { WrittenFor } from '../../protocol/dialect.ts';
import { formatScope } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';
import { directGroups, groupId, principalId, principalName, tenantId, userObjectId, withParents } from './ids.ts';
import { addressOf, firstVersionIssuer } from './places.ts';
import { graph, resourceScope } from './scopes.ts';

type About = WrittenFor<AuthorizationServer>;
/** Values that the forms of tokens use and only code can compute. */
export function factsOf(about: About, members: AnyMembers): object {
  const { server, client, authorization } = about;
  const { sub, edited } = authorization;
  const user = sub === undefined ? undefined : loggedInUser(server, { sub, ...(edited && { edited }) });
  const target = targetOf(about);
  return {
    tid: tenantId(server),
    oid: user === undefined ? principalId(server, client.client_id) : userObjectId(server, user),
    app: user === undefined,
    azpacr: authenticationOf(client),
    uti: typeof members.jti === 'string' ? Buffer.from(members.jti).toString('base64url').slice(-22) : undefined,
    first_issuer: firstVersionIssuer(server),
    address: addressOf(server),
    front: isFrontChannel(about),
    first_endpoint: server.dialect?.options.version === '1.0',
    times: timesOf(about, members),
    ...target,
    // a resource asks for tokens of version 1.0 by its scopes, and Graph always does
    first: target.aud === graph.appId || members.ver === '1.0',
    graph: target.aud === graph.appId && 'client_id' in members, // only an access token has that member
    ...(user && ofUser(about, user)),
  };
}

function ofUser(about: About, user: TestUser): object {
  const { server } = about;
  const upn = principalName(server, user);
  return { upn, client_info: clientInfo(about, user), ...groupFacts(about, user) };
}

/** The one resource of a token, and its scopes: those of the first scope that has a resource. */
function targetOf({ scopes, resources = [], client, authorization: { sub } }: About) {
  const [requested] = resources;
  const own = scopes.flatMap(scope => ({ scope, ...resourceScope(scope) })).filter(({ name }) => name !== undefined);
  const [first] = own;
  // without any scope of a resource, the token of a user is for Graph
  const resource = requested ?? (first === undefined && sub !== undefined ? graph.appId : first?.resource);
  const granted = own.filter(each => each.resource === resource);
  const openId = scopes.filter(each => resourceScope(each) === undefined && each !== 'offline_access');
  const before = resource === graph.appId ? openId : [];
  // scopes without a resource are not of this platform, so the answer has all of them
  return {
    aud: resource ?? client.audience[0] ?? client.client_id,
    scp: sub === undefined ? undefined : formatScope([...before, ...granted.map(({ name = '' }) => name)]),
    scope: formatScope(resource === undefined ? scopes : [...before, ...granted.map(({ scope }) => scope)]),
  };
}

/** Lifetimes as the first version of the token endpoint writes them. */
function timesOf({ server }: About, { expires_in }: AnyMembers): object {
  const now = server.clock();
  const texts = { expires_in, ext_expires_in: expires_in, expires_on: now + Number(expires_in), not_before: now };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
}

/** `0` for a public client, `1` for a secret, `2` for a certificate or a signed assertion. */
function authenticationOf(client: RegisteredClient): string {
  if (isPublic(client)) return '0';
  return client.client_secret === undefined ? '2' : '1';
}

/** The name that SDKs have for an account: base64url of `{uid, utid}`, if they ask for it. */
function clientInfo({ server, asked }: About, user: TestUser): string | undefined {
  if (asked === undefined || !('values' in asked) || asked.values.get('client_info') !== '1') return undefined;
  const names = { uid: userObjectId(server, user), utid: tenantId(server) };
  return Buffer.from(JSON.stringify(names)).toString('base64url');
}

function isFrontChannel({ asked }: About): boolean {
  return asked !== undefined && !('values' in asked);
}

/** Most groups that a token has: in the front channel it travels in an address. */
const mostGroups = { token: 200, frontChannel: 5 };

/**
 * The groups of a user, nested ones included. A token without room for them says where they are; the claim `group_overage`
 * of a user has the same effect with few groups.
 */
function groupFacts(about: About, user: TestUser): object {
  const { server } = about;
  const groups = withParents(directGroups(user)).map(path => groupId(server, path));
  const most = isFrontChannel(about) ? mostGroups.frontChannel : mostGroups.token;
  const isOver = user.claims.group_overage === true || groups.length > most;
  if (!isOver) return groups.length === 0 ? {} : { groups };
  if (isFrontChannel(about)) return { has_groups: true };
  return { groups_endpoint: `${addressOf(server)}/v1.0/users/${userObjectId(server, user)}/getMemberObjects` };
}
