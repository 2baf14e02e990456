import { loginOf } from '../../../oauth/dialects/written-claims.ts';
import { isRecord } from '../../../text/record.ts';
import { entryUnknown } from '../../management/refusals.ts';
import { apply, type Org, requireRoom } from './org.ts';
import type { LifecycleStatus, OrgUserFacts } from './state.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A user of the org as the API sees it. */
export interface OrgUser {
  readonly sub: string;
  readonly login: string;
  readonly claims: Claims;
  readonly hasPassword: boolean;
  /** False for a user who cannot log in. */
  readonly isHere: boolean;
  /** ISO 8601; null for a user who has not logged in, as far as the log goes back. */
  readonly lastLogin: string | null;
  readonly facts: OrgUserFacts;
}

const taken = 'login: An object with this field already exists in the current organization';

/** All users by their logins. */
export function people(org: Org): readonly OrgUser[] {
  const { server, state } = org;
  const logins = lastLogins(org);
  const here = [...server.users.values()].map(user => personOf(org, { ...user }, logins, true));
  const away = [...state.inactive].filter(([sub]) => !server.users.has(sub));
  const all = [...here, ...away.map(([, entry]) => personOf(org, entry, logins, false))];
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

function personOf({ state }: Org, user: Claims, logins: ReadonlyMap<string, string>, isHere: boolean): OrgUser {
  const sub = String(user.sub);
  const claims = isRecord(user.claims) ? user.claims : {};
  const username = typeof user.username === 'string' ? user.username : sub;
  const hasPassword = (user.password ?? user.password_hash) !== undefined;
  const { since } = state;
  const usual = {
    status: 'ACTIVE',
    created: since,
    activated: since,
    statusChanged: since,
    lastUpdated: since,
  } as const;
  const facts = state.users.get(sub) ?? { ...usual, passwordChanged: hasPassword ? since : null };
  const login = loginOf({ username, claims });
  return { sub, login, claims, hasPassword, isHere, lastLogin: logins.get(sub) ?? null, facts };
}

/**
 * The user with an id or a login.
 * @throws 404
 */
export function personWith(org: Org, id = ''): OrgUser {
  const folded = id.toLowerCase();
  const found =
    people(org).find(each => each.sub === id) ?? people(org).find(each => each.login.toLowerCase() === folded);
  if (found === undefined) throw entryUnknown(`Not found: Resource not found: ${id.slice(0, 100)} (User)`, id);
  return found;
}

/** Replaces members of the entry of a user; `null` takes one away. */
export async function changePerson(org: Org, { sub, isHere, facts }: OrgUser, members: Claims): Promise<void> {
  const { state } = org;
  if (isHere) await apply(org, { kind: 'user.patch', sub, members }, taken);
  else {
    const merged = Object.entries({ ...state.inactive.get(sub), ...members }).filter(([, value]) => value !== null);
    state.inactive.set(sub, Object.fromEntries(merged));
  }
  state.users.set(sub, { ...facts, lastUpdated: now(org) });
}

/** Creates a user, who is in the sandbox only if they may log in. */
export async function createPerson(
  org: Org,
  entry: Claims & { readonly sub: string },
  status: LifecycleStatus,
): Promise<void> {
  const { state } = org;
  const moment = now(org);
  const isHere = mayLogIn(status);
  if (isHere) await apply(org, { kind: 'user.create', members: entry }, taken);
  else {
    requireRoom(state.inactive.size, 'users');
    state.inactive.set(entry.sub, entry);
  }
  const activated = status === 'STAGED' ? null : moment;
  const passwordChanged = entry.password === undefined ? null : moment;
  const facts = { status, created: moment, activated, statusChanged: moment, lastUpdated: moment, passwordChanged };
  state.users.set(entry.sub, facts);
}

function mayLogIn(status: LifecycleStatus): boolean {
  return status === 'ACTIVE' || status === 'PROVISIONED' || status === 'RECOVERY';
}

/** Gives a user another status. A user who may not log in leaves the sandbox, with sessions and tokens. */
export async function setStatus(org: Org, person: OrgUser, status: LifecycleStatus): Promise<void> {
  const { state, control } = org;
  const { sub, isHere, facts } = person;
  if (isHere && !mayLogIn(status)) {
    requireRoom(state.inactive.size, 'users');
    state.inactive.set(sub, control.userEntry(sub) ?? { sub });
    await apply(org, { kind: 'user.delete', sub });
  } else if (!isHere && mayLogIn(status)) {
    await apply(org, { kind: 'user.create', members: state.inactive.get(sub) ?? { sub } }, taken);
    state.inactive.delete(sub);
  }
  const moment = now(org);
  const activated = facts.activated ?? (mayLogIn(status) ? moment : null);
  state.users.set(sub, { ...facts, status, activated, statusChanged: moment, lastUpdated: moment });
}

/** Takes a user away, with their sessions and tokens. */
export async function removePerson(org: Org, { sub, isHere }: OrgUser): Promise<void> {
  if (isHere) await apply(org, { kind: 'user.delete', sub });
  org.state.inactive.delete(sub);
  org.state.users.delete(sub);
}

/** The time of the sandbox in ISO 8601. */
export function now({ server }: Org): string {
  return new Date(server.clock() * 1000).toISOString();
}
