import type { TestUser } from '../../protocol/users/user.ts';
import type { Desk } from '../desk.ts';

/** The origin of a user, and whether they were changed. */
export function standingOfUser({ control, users }: Desk, { sub, isVisitor }: TestUser) {
  if (isVisitor) return 'visitor';
  if (!users.some(each => each.sub === sub)) return 'created';
  return control.isChanged('user', sub) ? 'changed' : 'configured';
}

/** The path of a user's page, below that of the issuer. The `sub` is encoded, because it may have any visible character. */
export function userPath(sub: string): string {
  return `/dashboard/users/${encodeURIComponent(sub)}`;
}

/** The user with this `sub`; undefined if there is none. */
export function accountOf({ accounts }: Pick<Desk, 'accounts'>, sub: string): TestUser | undefined {
  for (const user of accounts()) if (user.sub === sub) return user;
  return undefined;
}
