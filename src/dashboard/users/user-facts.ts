import type { TestUser } from '../../protocol/users/user.ts';
import type { Desk } from '../desk.ts';

/** The origin of a user, and whether they were changed. */
export function standingOfUser({ control, users }: Desk, { sub, isVisitor }: TestUser) {
  if (isVisitor) return 'visitor';
  if (!users.some(each => each.sub === sub)) return 'created';
  return control.isChanged('user', sub) ? 'changed' : 'configured';
}
