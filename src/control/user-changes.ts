import { testUser } from '../config/entry-defaults.ts';
import type { Finding } from '../config/problem.ts';
import type { UserEntry } from '../config/sandbox-config.ts';
import { checkUser } from '../config/user-entry.ts';
import type { Change } from '../events/change.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { ControlParts } from './control-parts.ts';
import { type Entry, userEntryOf } from './entry.ts';
import { type ChangeOutcome, patched, refused, refusedFor } from './outcome.ts';
import { endSessionsOf } from './sessions.ts';
import { revokeGiven } from './token-changes.ts';

export type UserChange = Extract<Change, { readonly kind: `user.${string}` }>;

/** Does it, or says what is wrong with it. */
export async function changeUser(parts: ControlParts, change: UserChange): Promise<ChangeOutcome> {
  const { server } = parts;
  if (change.kind === 'user.create') return createUser(server, change.members);
  const { sub } = change;
  if (change.kind === 'user.revert') return revertUser(parts, sub);
  const user = server.users.get(sub);
  if (user === undefined) return refused({ member: 'sub', sent: sub, expected: 'a user who is there' });
  if (change.kind === 'user.patch') return patchUser(server, user, change.members);
  await endSessionsOf(parts, sub); // while there is somebody to tell clients about
  server.users.remove(sub);
  await revokeGiven(parts, token => token.sub === sub);
  return { subject: sub, before: userEntryOf(user), after: undefined };
}

function createUser(server: AuthorizationServer, members: Entry): ChangeOutcome {
  const entry = patched({}, members);
  const taken = [...takenSub(server, entry.sub), ...takenUsername(server, entry)];
  return refusedFor(taken, checkUser(entry)) ?? save(server, undefined, entry);
}

function patchUser(server: AuthorizationServer, user: TestUser, members: Entry): ChangeOutcome {
  if (members.sub !== undefined && members.sub !== user.sub) {
    const expected = `${user.sub}: a sub cannot change, duplicate the user instead`;
    return refused({ member: 'sub', sent: String(members.sub), expected });
  }
  const entry = patched(userEntryOf(user), members);
  return refusedFor(takenUsername(server, entry), checkUser(entry)) ?? save(server, user, entry);
}

function save(server: AuthorizationServer, before: TestUser | undefined, entry: Entry): ChangeOutcome {
  const user = testUser(entry as unknown as UserEntry); // checked by the caller
  if (!server.users.save(user)) return refused({ member: '', expected: 'fewer users: delete some first' });
  return { subject: user.sub, before: before && userEntryOf(before), after: userEntryOf(user) };
}

function revertUser({ server, config }: ControlParts, sub: string): ChangeOutcome {
  const configured = config.users.find(each => each.sub === sub);
  if (configured === undefined) return refused({ member: 'sub', sent: sub, expected: 'a user of the configuration' });
  return save(server, server.users.get(sub), userEntryOf(configured));
}

/** A `sub` must tell a user from every other, and from a client (RFC 9068 §5, RFC 9700 §4.15). */
function takenSub({ users, clients }: AuthorizationServer, sub: unknown): Finding[] {
  if (typeof sub !== 'string') return [];
  const finding = (expected: string) => [{ path: ['sub'], value: sub, expected }];
  if (users.has(sub)) return finding('a sub no other user has');
  const isClient = clients.has(sub) || /^https?:\/\//i.test(sub);
  return isClient ? finding('a sub that is not, and cannot be, a client_id (RFC 9068 §5)') : [];
}

function takenUsername({ users }: AuthorizationServer, { sub, username = sub }: Entry): Finding[] {
  const isTaken = [...users.values()].some(each => each.sub !== sub && each.username === username);
  return isTaken ? [{ path: ['username'], value: username, expected: 'a username no other user has' }] : [];
}
