import { hash } from 'node:crypto';
import type { AnyMembers } from '../../base/text/record.ts';
import type { TestUser } from '../../protocol/users/user.ts';

/** The addresses of the API and of the site. */
export interface Addresses {
  readonly api: string;
  readonly site: string;
}

/** A user as the REST API has them. `email` is null unless the claim `email_public` is true. */
export function userJson(user: TestUser, { api, site }: Addresses): AnyMembers {
  const { claims } = user;
  const [login, id] = [loginOf(user), numericId('user', user.sub, claims.uid)];
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: claims.picture ?? '',
    url: `${api}/users/${login}`,
    html_url: `${site}/${login}`,
    type: 'User',
    site_admin: [claims.roles].flat().includes('site_admin'),
    name: claims.name ?? null,
    company: claims.company ?? null,
    blog: claims.website ?? '',
    location: claims.location ?? null,
    email: claims.email_public === true ? (claims.email ?? null) : null,
    bio: claims.bio ?? null,
  };
}

/** The e-mail addresses of a user; the primary one is the claim `email`. */
export function emailsJson({ claims }: TestUser): readonly AnyMembers[] {
  const { email, email_verified, email_public } = claims;
  if (email === undefined) return [];
  const visibility = email_public === true ? 'public' : 'private';
  return [{ email, primary: true, verified: email_verified === true, visibility }];
}

/** The organizations of a user, which are the claim `organizations`. */
export function organizationsJson({ claims }: TestUser, { api }: Addresses): readonly AnyMembers[] {
  const listed: readonly unknown[] = Array.isArray(claims.organizations) ? claims.organizations : [];
  return listed.flatMap(each => {
    if (typeof each !== 'object' || each === null || !('name' in each)) return [];
    const { id: given, name, display_name: description = '' } = each as AnyMembers;
    const login = String(name);
    const id = numericId('organization', login, given);
    const url = `${api}/orgs/${login}`;
    return [{ login, id, node_id: nodeId('Organization', id), url, description }];
  });
}

function loginOf({ username, claims }: TestUser): string {
  return typeof claims.preferred_username === 'string' ? claims.preferred_username : username;
}

/** The given number, or one that is made of the name and the same in each run. */
function numericId(kind: string, name: string, given: unknown): number {
  const number = Number(given);
  if (given !== undefined && given !== null && Number.isSafeInteger(number) && number > 0) return number;
  return (Number.parseInt(hash('sha256', JSON.stringify([kind, name])).slice(0, 7), 16) % 200_000_000) + 1000;
}

function nodeId(kind: string, id: number): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64');
}
