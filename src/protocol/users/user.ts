import { sameSecret } from '../random.ts';
import { hashFits } from './password-hash.ts';

/** A demo user: the resource owner (RFC 6749 §1.1), the End-User of OpenID Connect. */
export interface TestUser {
  readonly sub: string;
  /** Name to type in password mode. Default: the `sub`. */
  readonly username: string;
  /** Sandbox: if no password is configured, any password is accepted. */
  readonly password?: string;
  /** In place of a password: its hash in the PHC string format. */
  readonly password_hash?: string;
  /** Standard and further claims (OIDC Core §5.1), released by scope at UserInfo. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Added to each access token of this user. */
  readonly access_token_claims: Readonly<Record<string, unknown>>;
  /** Names in `claims` that are released without any scope: they were set on the sign-in page and belong to no scope. */
  readonly unscoped_claims?: readonly string[];
  /** A one-off user created from a typed name. Not listed on the sign-in page. */
  readonly isVisitor?: true;
}

/** The name to show for a user. */
export function displayName(user: TestUser): string {
  const { name } = user.claims;
  return typeof name === 'string' && name !== '' ? name : user.username;
}

/** The users of one sandbox: configured ones, and those typed at the login. */
export interface UserDirectory extends ReadonlyMap<string, TestUser> {
  /** The user that `create` would make, without storing it. */
  draft(typed: string): TestUser | undefined;
  /** Creates a user from a typed subject or e-mail address; undefined if the text cannot be a `sub`. */
  create(typed: string, as?: 'visitor'): TestUser | undefined;
  /** Stores a user in place of the one with that `sub`; false if there are too many. */
  save(user: TestUser): boolean;
  /** Removes any user. */
  remove(sub: string): boolean;
  /** Restores the state at the start. */
  reset(): void;
}

/** OIDC Core §2: at most 255 ASCII characters. */
const subForm = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** `mostAdded` users can be added to the configured ones. `reserved` contains the client ids: a `sub` must not be mistaken for a client (RFC 9700 §4.15). */
export function createUserDirectory(
  configured: readonly TestUser[],
  reserved: { includes(sub: string): boolean },
  mostAdded = 1000,
): UserDirectory {
  const users = new Map(configured.map(user => [user.sub, user]));
  const isFull = () => users.size >= configured.length + mostAdded;
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

/** Sandbox: without a configured password any password is accepted, but not an empty one. */
export async function passwordFits(user: TestUser, typed: string | undefined): Promise<boolean> {
  if (typed === undefined) return false;
  if (user.password_hash !== undefined) return hashFits(user.password_hash, typed);
  return user.password === undefined || sameSecret(typed, user.password);
}
