import type { Searchable } from '../../base/events/search.ts';
import { displayName, type TestUser } from '../../protocol/users/user.ts';
import { userTags } from '../../server/http/signin/user-cards.ts';
import { userPath } from '../clients-and-users.ts';
import type { FieldTexts } from '../configure/fault-texts.ts';
import type { Removed } from '../configure/removed.ts';
import type { Desk } from '../desk.ts';
import { shortList, withRow } from '../search/short-list.ts';

/** The fields of the short form for a new user. */
export interface NewUser {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  /** Texts of faults by field: `sub`, `name` or `email`. */
  readonly faults: FieldTexts;
}

interface Listed {
  readonly row: ReturnType<typeof rowOf>;
  readonly user: TestUser;
}

const searchable: Searchable<Listed> = {
  fields: {
    tag: { suggested: true, of: ({ row }) => row.tags },
    is: { values: ['configured', 'changed', 'created', 'visitor'], of: ({ row }) => row.standing },
    has: {
      values: ['password'],
      of: ({ user }) => ((user.password ?? user.password_hash) === undefined ? undefined : 'password'),
    },
    claim: { path: true, of: ({ user }, path) => valueAt(user.claims, path) },
  },
  words: ({ user, row }) => [user.sub, user.username, row.name, row.email],
  at: () => 0,
};

function valueAt(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    claims,
  );
}

/** The list of users, and the deleted ones that can be restored. */
export function usersPage(
  desk: Desk,
  removed: Removed,
  { query, done, quick }: { readonly query: string; readonly done: string; readonly quick?: NewUser },
) {
  const all = [...desk.accounts()].map(user => withRow({ user }, () => rowOf(desk, user)));
  const placeholder = 'alice tag:admin claim.email_verified:false';
  return {
    ...shortList(desk, { items: all, searchable, query, name: 'users', placeholder }),
    removed: removed.ids(),
    quick: quick ?? { sub: '', name: '', email: '', faults: {} },
    done,
  };
}

function rowOf(desk: Desk, user: TestUser) {
  const name = displayName(user);
  const { email } = user.claims;
  return {
    href: desk.base + userPath(user.sub),
    sub: user.sub,
    name,
    email: typeof email === 'string' ? email : '',
    tags: userTags(user),
    standing: standingOfUser(desk, user),
  };
}

/** The origin of a user, and whether they were changed. */
export function standingOfUser({ control, users }: Desk, { sub, isVisitor }: TestUser) {
  if (isVisitor) return 'visitor';
  if (!users.some(each => each.sub === sub)) return 'created';
  return control.isChanged('user', sub) ? 'changed' : 'configured';
}
