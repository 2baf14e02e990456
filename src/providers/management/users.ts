import type { Change } from '../../base/events/change.ts';
import { type AnyMembers, isRecord } from '../../base/text/record.ts';
import type { ManagedIssuer } from '../../sandbox/managed-issuer.ts';
import { refusedChange } from './call.ts';

/**
 * Makes a change by the rules of the control API, and tells the log.
 * @throws what these rules refuse; `taken` are the words of the provider for a name that is taken
 */
export async function apply(
  { control }: Pick<ManagedIssuer, 'control'>,
  change: Change,
  taken?: string,
): Promise<void> {
  const changed = await control.apply(change, 'api');
  if (!changed.ok) throw refusedChange(changed.problems, changed.isTaken ? taken : undefined);
}

/** A place with users who may not log in: the sandbox does not have them, and only the management API knows them. */
interface UserPlace extends Pick<ManagedIssuer, 'server' | 'control'> {
  /** Entries of these users, by `sub`. */
  readonly state: { readonly away: Map<string, AnyMembers> };
}

/** A user as a management API knows them. */
export interface ManagedUser {
  readonly sub: string;
  readonly username: string;
  readonly claims: AnyMembers;
  readonly hasPassword: boolean;
  /** False for a user who may not log in. */
  readonly isHere: boolean;
}

/** All users, as configured. Users who signed in once under a typed name are among them. */
export function managedUsers({ server, state }: UserPlace): readonly ManagedUser[] {
  const here = [...server.users.values()].map(user => managedUser({ ...user }, true));
  const away = [...state.away].filter(([sub]) => !server.users.has(sub));
  return [...here, ...away.map(([, entry]) => managedUser(entry, false))];
}

/** The user of an entry. */
export function managedUser(entry: AnyMembers, isHere: boolean): ManagedUser {
  const sub = String(entry.sub);
  return {
    sub,
    username: typeof entry.username === 'string' ? entry.username : sub,
    claims: isRecord(entry.claims) ? entry.claims : {},
    hasPassword: (entry.password ?? entry.password_hash) !== undefined,
    isHere,
  };
}

type Known = Pick<ManagedUser, 'sub' | 'isHere'>;

/** Replaces members of the entry of a user; `null` takes one away. */
export async function changeUser(
  place: UserPlace,
  { sub, isHere }: Known,
  members: AnyMembers,
  taken: string,
): Promise<void> {
  if (isHere) return apply(place, { kind: 'user.patch', sub, members }, taken);
  const { away } = place.state;
  const merged = Object.entries({ ...away.get(sub), ...members }).filter(([, value]) => value !== null);
  away.set(sub, Object.fromEntries(merged));
}

/** Lets a user log in, or no longer: then sessions and tokens end. `requireRoom` refuses one more of these. */
export async function switchUser(
  place: UserPlace,
  { sub, isHere }: Known,
  isOn: boolean,
  { taken, requireRoom }: { readonly taken: string; requireRoom(): void },
): Promise<void> {
  const { away } = place.state;
  if (isOn === isHere) return;
  if (!isOn) {
    requireRoom();
    away.set(sub, place.control.userEntry(sub) ?? { sub });
    return apply(place, { kind: 'user.delete', sub });
  }
  await apply(place, { kind: 'user.create', members: away.get(sub) ?? { sub } }, taken);
  away.delete(sub);
}

/** Takes a user away, with sessions and tokens. */
export async function removeUser(place: UserPlace, { sub, isHere }: Known): Promise<void> {
  if (isHere) await apply(place, { kind: 'user.delete', sub });
  place.state.away.delete(sub);
}

/** Ends the sessions of a user. */
export async function endSessions({ control }: Pick<ManagedIssuer, 'control'>, sub: string): Promise<void> {
  for (const { sid } of await control.sessions(sub)) await control.endSession(sid);
}

/** Ends the sessions and the tokens of a user, those without a session among them, as of the password grant. */
export async function endAll(issuer: Pick<ManagedIssuer, 'control' | 'events' | 'server'>, sub: string): Promise<void> {
  await endSessions(issuer, sub);
  const { control, events, server } = issuer;
  const now = server.clock();
  const live = events.latestIssued(Number.POSITIVE_INFINITY).filter(token => token.sub === sub && token.exp > now);
  const byAuthorization = new Map(live.map(token => [token.authorizationId, token.tokenId]));
  for (const tokenId of byAuthorization.values()) await control.revokeToken(tokenId);
}
