import { sameSecret } from '../random.ts';

/** A demo user: the resource owner (RFC 6749 §1.1), the End-User of OpenID Connect. */
export interface TestUser {
  readonly sub: string;
  /** Name to type in password mode. Default: the `sub`. */
  readonly username: string;
  /** Sandbox: if no password is configured, any password is accepted. */
  readonly password?: string;
  /** Standard and further claims (OIDC Core §5.1), released by scope at UserInfo. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Added to each access token of this user. */
  readonly access_token_claims: Readonly<Record<string, unknown>>;
  /** Names in `claims` that are released under any scope: set on the login screen, and in no scope. */
  readonly unscoped_claims?: readonly string[];
  /** Came once, under a name that was typed, and was not kept: the login screen does not offer them to others. */
  readonly isVisitor?: true;
}

/** The name to show for a user. */
export function displayName(user: TestUser): string {
  const { name } = user.claims;
  return typeof name === 'string' && name !== '' ? name : user.username;
}

/** The users of one sandbox: the configured ones, and those a visitor typed at the login. */
export interface UserDirectory extends ReadonlyMap<string, TestUser> {
  /** The user that `create` would make; nothing is kept. */
  draft(typed: string): TestUser | undefined;
  /** A new user under what was typed, a subject or an e-mail address; undefined when that cannot be a `sub`. */
  create(typed: string, as?: 'visitor'): TestUser | undefined;
  /** Keeps a user as they are now, in the place of the one of that `sub`; false where there are too many. */
  save(user: TestUser): boolean;
  /** Removes any user. */
  remove(sub: string): boolean;
  /** Restores the state at the start. */
  reset(): void;
}

const mostTypedUsers = 1000;
/** OIDC Core §2: at most 255 ASCII characters. */
const subForm = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** `reserved` are client ids: a `sub` must not be taken for a client (RFC 9700 §4.15). */
export function createUserDirectory(
  configured: readonly TestUser[],
  reserved: { includes(sub: string): boolean },
): UserDirectory {
  const users = new Map(configured.map(user => [user.sub, user]));
  const isFull = () => users.size >= configured.length + mostTypedUsers;
  const draft = (typed: string) =>
    subForm.test(typed) && !reserved.includes(typed) && !isFull() ? typedUser(typed) : undefined;
  return Object.assign(users, {
    draft,
    create(typed: string, as?: 'visitor') {
      const drafted = draft(typed);
      if (drafted === undefined) return undefined;
      const user: TestUser = as === 'visitor' ? { ...drafted, isVisitor: true } : drafted;
      users.set(user.sub, user);
      return user;
    },
    save(user: TestUser) {
      if (!users.has(user.sub) && isFull()) return false;
      const { isVisitor: _, ...kept } = user;
      users.set(user.sub, kept);
      return true;
    },
    remove: (sub: string) => users.delete(sub),
    reset() {
      users.clear();
      for (const user of configured) users.set(user.sub, user);
    },
  });
}

function typedUser(typed: string): TestUser {
  const [name = typed, domain] = typed.split('@');
  const mail = domain === undefined ? {} : { email: typed, email_verified: true };
  const claims = { name, preferred_username: name, ...mail };
  return { sub: typed, username: typed, claims, access_token_claims: {} };
}

/** Sandbox: without a configured password any one is accepted, but not none. */
export function passwordFits(user: TestUser, typed: string | undefined): boolean {
  if (typed === undefined) return false;
  return user.password === undefined || sameSecret(typed, user.password);
}
