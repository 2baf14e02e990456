import type { ChangeProblem } from '../../base/events/change.ts';
import type { Searchable } from '../../base/events/search.ts';
import { displayName, type TestUser } from '../../protocol/users/user.ts';
import { madeUpPerson } from '../../server/http/signin/made-up-person.ts';
import { userTags } from '../../server/http/signin/user-cards.ts';
import { userPath } from '../clients-and-users.ts';
import { shortList, withRow } from '../filter-box.ts';
import { byField, type FieldTexts, problemText } from '../form.ts';
import type { PageContext } from '../page.ts';
import type { Removed } from '../removed.ts';
import { type OpenRow, withForms } from '../row-form.ts';
import { userRowFields } from './user-row.ts';

interface NewUser {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  /** Texts of problems by field: `sub`, `name` or `email`. */
  readonly problems: FieldTexts;
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

interface UsersShown {
  readonly query: string;
  readonly opened?: OpenRow;
  readonly done?: string;
  readonly quick?: NewUser;
}

/** The list of users, and the deleted ones that can be restored. */
export function usersPage(
  context: PageContext,
  removed: Removed,
  { query, opened = { id: '' }, done = '', quick }: UsersShown,
) {
  const all = [...context.accounts()].map(user => withRow({ user }, () => rowOf(context, user)));
  const placeholder = 'alice tag:admin claim.email_verified:false';
  const isKept = ({ user }: Listed) => user.sub === opened.id;
  const list = shortList(context, { items: all, searchable, query, name: 'users', placeholder, isKept });
  const place = { list: '/dashboard/users', base: context.base, query, opened };
  return {
    ...list,
    rows: withForms(
      list.rows,
      ({ sub }) => sub,
      ({ user }) => userRowFields(user),
      place,
    ),
    hasStatus: list.rows.some(({ standing }) => standing !== 'configured'),
    removed: removed.ids(),
    quick: quick ?? { sub: '', name: '', email: '', problems: {} },
    done,
  };
}

function rowOf(context: PageContext, user: TestUser) {
  const name = displayName(user);
  const { email } = user.claims;
  return {
    user,
    href: context.base + userPath(user.sub),
    sub: user.sub,
    name,
    email: typeof email === 'string' ? email : '',
    tags: userTags(user),
    standing: standingOfUser(context, user),
  };
}

/** The origin of a user, and whether they were changed. */
export function standingOfUser({ control, users }: PageContext, { sub, isVisitor }: TestUser) {
  if (isVisitor) return 'visitor';
  if (!users.some(each => each.sub === sub)) return 'created';
  return control.isChanged('user', sub) ? 'changed' : 'configured';
}

type Members = Readonly<Record<string, unknown>>;

/** The short form as it was sent. */
export function typedNewUser(typed: URLSearchParams): NewUser {
  const text = (name: string) => (typed.get(name) ?? '').trim();
  return { sub: text('sub'), name: text('name'), email: text('email'), problems: {} };
}

export function newUserMembers({ sub, name, email }: NewUser): Members {
  const named = name === '' ? {} : { name };
  const mail = email === '' ? {} : { email, email_verified: true };
  return { sub, claims: { ...named, preferred_username: sub, ...mail } };
}

/** Texts of problems by field of the short form; `claims.email` belongs to `email`, and any other member to `sub`. */
export function newUserProblems(problems: readonly ChangeProblem[]): FieldTexts {
  return byField(problems.map(problem => [/(?:name|email)$/.exec(problem.member)?.[0] ?? 'sub', problemText(problem)]));
}

/** A random user: the next unused name of the list, with a number once all names are taken. */
export function nextPerson(accounts: Iterable<TestUser>): Members {
  const taken = new Set([...accounts].map(({ sub }) => sub));
  for (let index = taken.size; ; index++) {
    const person = madeUpPerson(index, index);
    if (!taken.has(person.sub)) return { ...person };
  }
}

/** A copy under the next free `sub`, without the password. */
export function duplicateOf(entry: Members, accounts: Iterable<TestUser>): Members {
  const taken = new Set([...accounts].flatMap(({ sub, username }) => [sub, username]));
  const { username: _, password: __, password_hash: ___, ...kept } = entry;
  const base = String(entry.sub).replace(/-\d+$/, '').slice(0, 240);
  for (let number = 2; ; number++) {
    const sub = `${base}-${number}`;
    if (!taken.has(sub)) return { ...kept, sub };
  }
}
