import type { AnyMembers } from '../../../base/text/record.ts';
import { loginOf } from '../../../protocol/dialects/written-claims.ts';
import { apply, changeUser, type ManagedUser, managedUsers, removeUser, switchUser } from '../../management/users.ts';
import { type LifecycleStatus, missingEntry, now, type Org, type OrgUserFacts, requireRoom } from './org.ts';

/** A user of the org as the API sees it. */
export interface OrgUser extends ManagedUser {
  readonly login: string;
  /** ISO 8601; null for a user who has not logged in, as far as the log goes back. */
  readonly lastLogin: string | null;
  readonly facts: OrgUserFacts;
}

const taken = 'login: An object with this field already exists in the current organization';

/** All users by their logins. */
export function people(org: Org): readonly OrgUser[] {
  const logins = lastLogins(org);
  const all = managedUsers(org).map(user => personOf(org, user, logins));
  return all.toSorted((a, b) => (a.login < b.login ? -1 : Number(a.login > b.login)));
}

/** By `sub`. */
function lastLogins({ events }: Org): ReadonlyMap<string, string> {
  return new Map(
    events
      .keptSince(0)
      .flatMap(event =>
        event.type === 'login.succeeded' ? [[event.sub, new Date(event.at * 1000).toISOString()]] : [],
      ),
  );
}

function personOf({ state }: Org, user: ManagedUser, logins: ReadonlyMap<string, string>): OrgUser {
  const { sub, hasPassword } = user;
  const { since } = state;
  const usual = {
    status: 'ACTIVE',
    created: since,
    activated: since,
    statusChanged: since,
    lastUpdated: since,
    passwordChanged: hasPassword ? since : null,
  } as const;
  return { ...user, login: loginOf(user), lastLogin: logins.get(sub) ?? null, facts: state.users.get(sub) ?? usual };
}

/**
 * The user with an id or a login.
 * @throws 404
 */
export function personWith(org: Org, id = ''): OrgUser {
  const all = people(org);
  const folded = id.toLowerCase();
  const byLogin = () => all.find(each => each.login.toLowerCase() === folded);
  return all.find(each => each.sub === id) ?? byLogin() ?? missingEntry('User', id);
}

/** Replaces members of the entry of a user; `null` takes one away. */
export async function changePerson(org: Org, person: OrgUser, members: AnyMembers): Promise<void> {
  await changeUser(org, person, members, taken);
  org.state.users.set(person.sub, { ...person.facts, lastUpdated: now(org) });
}

/** Creates a user, who is in the sandbox only if they may log in. */
export async function createPerson(
  org: Org,
  entry: AnyMembers & { readonly sub: string },
  status: LifecycleStatus,
): Promise<void> {
  const { state } = org;
  const moment = now(org);
  if (mayLogIn(status)) await apply(org, { kind: 'user.create', members: entry }, taken);
  else {
    requireRoom(state.away.size, 'users');
    state.away.set(entry.sub, entry);
  }
  const activated = status === 'STAGED' ? null : moment;
  const passwordChanged = (entry.password ?? entry.password_hash) === undefined ? null : moment;
  const facts = { status, created: moment, activated, statusChanged: moment, lastUpdated: moment, passwordChanged };
  state.users.set(entry.sub, facts);
}

function mayLogIn(status: LifecycleStatus): boolean {
  return status === 'ACTIVE' || status === 'PROVISIONED' || status === 'RECOVERY';
}

/** Gives a user another status. A user who may not log in leaves the sandbox, with sessions and tokens. */
export async function setStatus(org: Org, person: OrgUser, status: LifecycleStatus): Promise<void> {
  const { state } = org;
  const { sub, facts } = person;
  await switchUser(org, person, mayLogIn(status), { taken, requireRoom: () => requireRoom(state.away.size, 'users') });
  const moment = now(org);
  const activated = facts.activated ?? (mayLogIn(status) ? moment : null);
  state.users.set(sub, { ...facts, status, activated, statusChanged: moment, lastUpdated: moment });
}

/** Takes a user away, with their sessions and tokens. */
export async function removePerson(org: Org, person: OrgUser): Promise<void> {
  await removeUser(org, person);
  org.state.users.delete(person.sub);
}
