import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { testUser } from '../config/entry-defaults.ts';
import type { Finding } from '../config/problem.ts';
import type { UserEntry } from '../config/sandbox-config.ts';
import { checkUser } from '../config/user-entry.ts';
import { type EntryRules, renamedFinding } from './change-entry.ts';
import type { ControlParts } from './control-parts.ts';
import { type Entry, userEntryOf } from './entry.ts';
import { endSessionsOf } from './sessions.ts';
import { revokeGiven } from './token-changes.ts';

/** Rules for changes to the users of an issuer. */
export function userRules(parts: ControlParts): EntryRules<TestUser> {
  const { server } = parts;
  const { users } = server;
  return {
    kind: 'user',
    now: users,
    configured: () => parts.config.users,
    idOf: ({ sub }) => sub,
    write: userEntryOf,
    withoutRivals,
    check: (entry, before) => [
      ...renamedFinding('user', entry, before, 'a sub cannot change, duplicate the user instead'),
      ...checkUser(entry),
    ],
    taken: (entry, before) => [
      ...(before.sub === undefined ? takenSub(server, entry.sub) : []),
      ...takenUsername(server, entry),
    ],
    read: entry => testUser(entry as unknown as UserEntry), // it has been checked
    limit: 'fewer users: delete some first',
    put: async user => (users.save(user) ? [] : undefined),
    async remove({ sub }) {
      await endSessionsOf(parts, sub); // before the removal, because the notices to clients need the user
      users.remove(sub);
      await revokeGiven(parts, token => token.sub === sub);
      return undefined;
    },
  };
}

/** A password and its hash replace each other. */
function withoutRivals(entry: Entry, members: Entry): Entry {
  const { password: _, password_hash: __, ...rest } = entry;
  return typeof (members.password ?? members.password_hash) === 'string' ? rest : entry;
}

/** A `sub` must tell a user from every other, and from a client (RFC 9068 §5, RFC 9700 §4.15). */
function takenSub({ users, clients }: AuthorizationServer, sub: unknown): Finding[] {
  if (typeof sub !== 'string') return [];
  const finding = (expected: string) => [{ path: ['sub'], value: sub, expected }];
  if (users.has(sub)) return finding('a sub that no other user has');
  const isClient = clients.has(sub) || /^https?:\/\//i.test(sub);
  return isClient ? finding('a sub that is not a client_id (RFC 9068 §5)') : [];
}

function takenUsername({ users }: AuthorizationServer, { sub, username = sub }: Entry): Finding[] {
  const isTaken = [...users.values()].some(each => each.sub !== sub && each.username === username);
  return isTaken ? [{ path: ['username'], value: username, expected: 'a username that no other user has' }] : [];
}
