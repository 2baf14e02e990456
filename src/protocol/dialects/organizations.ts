import { hash } from 'node:crypto';
import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidRequest, OAuthError } from '../errors.ts';
import { shorten } from '../parameters.ts';

type Organization = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

/** The organizations in the claims of a user. One without an id gets the same made-up id in each run. */
export function organizationsIn(claims: Readonly<Record<string, unknown>> = {}): readonly Organization[] {
  return [claims.organizations ?? []].flat().flatMap(each => {
    if (!isRecord(each) || typeof each.name !== 'string') return [];
    return [{ ...each, name: each.name, id: typeof each.id === 'string' ? each.id : organizationId(each.name) }];
  });
}

export function organizationId(name: string): string {
  return `org_${hash('sha256', name, 'base64url').replace(/[-_]/g, '').slice(0, 16)}`;
}

/** The organization with this id or name. */
export function organizationOf(
  claims: Readonly<Record<string, unknown>> | undefined,
  named: string | undefined,
): Organization | undefined {
  return named === undefined
    ? undefined
    : organizationsIn(claims).find(({ id, name }) => id === named || name === named);
}

/**
 * Checks that a user belongs to an organization.
 * @throws access_denied, or invalid_request for an organization that nobody belongs to
 */
export function checkMember({ users }: AuthorizationServer, sub: string, named: string | undefined): void {
  if (named === undefined || organizationOf(users.get(sub)?.claims, named) !== undefined) return;
  const all = [...users.values()].flatMap(({ claims }) => organizationsIn(claims));
  const known = all.find(({ id, name }) => id === named || name === named);
  const expected = [...new Set(organizationsIn(users.get(sub)?.claims).map(({ name }) => name))].join(', ');
  const sent = shorten(named);
  if (known === undefined)
    throw invalidRequest('organization_unknown', 'no user belongs to an organization with this id or name', { sent });
  const description = `user ${sub} is not part of the ${known.id} organization`;
  throw new OAuthError('access_denied', 'organization_foreign', description, { sent, expected: expected || 'none' });
}
