import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { isUuid, stableId } from '../../protocol/random.ts';
import type { TestUser } from '../../protocol/users/user.ts';

type Server = Pick<AuthorizationServer, 'issuer' | 'dialect'>;

/** The GUID of the tenant. */
export function tenantId({ dialect }: Server): string {
  return dialect?.options.tenant ?? '';
}

/** The object id of a user: the claim `uid`, a `sub` that is a GUID, or a GUID that is the same in each run. */
export function userObjectId(server: Server, { sub, claims }: Pick<TestUser, 'sub' | 'claims'>): string {
  if (typeof claims.uid === 'string') return claims.uid;
  return isUuid(sub) ? sub : stableId(tenantId(server), 'user', sub);
}

/** The object id of the service principal of an application. */
export function principalId(server: Server, client_id: string): string {
  return stableId(tenantId(server), 'service principal', client_id);
}

/** The object id of an application. It is another one than `appId` and than the id of the service principal. */
export function applicationObjectId(server: Server, client_id: string): string {
  return stableId(tenantId(server), 'application', client_id);
}

/** The object id of a group with a path such as `/acme/engineering`; a GUID is itself. */
export function groupId(server: Server, path: string): string {
  return isUuid(path) ? path : stableId(tenantId(server), 'group', path);
}

/** The groups that a user is a direct member of, by path. */
export function directGroups({ claims: { groups } }: Pick<TestUser, 'claims'>): readonly string[] {
  return Array.isArray(groups) ? groups.filter(each => typeof each === 'string') : [];
}

/** These groups with those that they are in: `/acme/engineering` is in `/acme`. */
export function withParents(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(parentsAndSelf))];
}

function parentsAndSelf(path: string): readonly string[] {
  const steps = path.split('/').slice(1);
  return path.startsWith('/') ? steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`).reverse() : [path];
}

/** The name by which a user signs in: `alice@contoso.onmicrosoft.com`. */
export function principalName({ dialect }: Server, { username, claims }: TestUser): string {
  const named = [claims.upn, claims.preferred_username].find(each => typeof each === 'string' && each.includes('@'));
  return typeof named === 'string' ? named : `${localPart(username)}@${dialect?.options.domain ?? ''}`;
}

function localPart(username: string): string {
  return username.split('@', 1)[0] ?? '';
}
