import { stableId } from '../../../protocol/random.ts';
import type { LiveSession } from '../../../sandbox/control/sessions.ts';
import { type CallInput, call, entryUnknown, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { endAll } from '../../management/users.ts';
import { allRoles, holdingsOf, saveHoldings } from './holdings.ts';
import { changePerson, passwordMembers, personWith, type RealmUser } from './people.ts';
import type { Realm } from './realm.ts';
import { needs } from './rights.ts';
import { roleMappingCalls } from './role-mappings.ts';
import { keyOf } from './roles.ts';
import { passwordIn } from './user-representation.ts';

const ofUser = '/users/{user}';
const email = 'answers 204 and sends nothing: the request is in the log';

/** Calls that act on a user: credentials, sessions, mails and roles (UserResource.java). */
export const userActionCalls: readonly ManagementCall<Realm>[] = [
  call(
    `PUT ${ofUser}/reset-password`,
    'sets the password; `temporary` is not enforced',
    needs.manageUsers,
    resetPassword,
  ),
  call(`GET ${ofUser}/credentials`, 'the password, without its value', needs.viewUsers, ({ names }, realm) =>
    json(credentialsOf(realm, personWith(realm, names.user))),
  ),
  call(
    `DELETE ${ofUser}/credentials/{credential}`,
    'removes the password: any is accepted',
    needs.manageUsers,
    removePassword,
  ),
  call(`POST ${ofUser}/logout`, 'ends all sessions and tokens of a user', needs.manageUsers, (sent, realm) =>
    endAll(realm, personWith(realm, sent.names.user).sub),
  ),
  call(`GET ${ofUser}/sessions`, 'the sessions of a user', needs.viewUsers, async ({ names }, realm) =>
    json(await sessionsOf(realm, personWith(realm, names.user).sub)),
  ),
  call(
    `GET ${ofUser}/federated-identity`,
    'an empty list: there is no identity brokering',
    needs.viewUsers,
    ({ names }, realm) => {
      personWith(realm, names.user);
      return json([]);
    },
  ),
  call(`PUT ${ofUser}/execute-actions-email`, email, needs.manageUsers, sendNothing),
  call(`PUT ${ofUser}/send-verify-email`, email, needs.manageUsers, sendNothing),
  ...roleMappingCalls(ofUser, 'a user', (realm, { names }) => {
    const person = personWith(realm, names.user);
    const holdings = holdingsOf(realm, person);
    return {
      direct: new Set([keyOf({ name: `default-roles-${realm.name}` }), ...holdings.direct]),
      all: allRoles(realm, holdings),
      save: direct => saveHoldings(realm, person, { ...holdings, direct }),
    };
  }),
];

async function resetPassword({ body, names }: CallInput, realm: Realm): Promise<void> {
  const person = personWith(realm, names.user);
  const sent = membersIn(body, { type: 'text', value: 'text', temporary: 'flag' });
  const password = passwordIn({ credentials: [{ ...sent, type: sent.type ?? 'password' }] });
  if (password === undefined) throw inputInvalid('No password provided');
  await changePerson(realm, person, passwordMembers(password));
}

function credentialsOf({ state }: Realm, { sub, id, hasPassword }: RealmUser): readonly object[] {
  if (!hasPassword) return [];
  const createdDate = state.users.get(sub)?.createdTimestamp ?? state.since;
  return [{ id: stableId(id, 'password'), type: 'password', createdDate, credentialData: '{}' }];
}

async function removePassword({ names }: CallInput, realm: Realm): Promise<void> {
  const person = personWith(realm, names.user);
  const isKnown = person.hasPassword && names.credential === stableId(person.id, 'password');
  if (!isKnown) throw entryUnknown('Credential not found', names.credential);
  await changePerson(realm, person, passwordMembers(null));
}

interface SessionJson extends Readonly<Record<string, unknown>> {
  readonly id: string;
  /** Names of the clients by their UUIDs. */
  readonly clients: Readonly<Record<string, string>>;
}

/** Sessions as the admin API answers them (UserSessionRepresentation.java); of one user, or of all. */
export async function sessionsOf(realm: Realm, sub?: string): Promise<readonly SessionJson[]> {
  return (await realm.control.sessions(sub)).map(session => sessionRepresentation(realm, session));
}

function sessionRepresentation({ ids, server }: Realm, { sid, sub, auth_time, clients }: LiveSession): SessionJson {
  return {
    id: sid,
    username: server.users.get(sub)?.username ?? sub,
    userId: ids.idOf('user', sub),
    start: auth_time * 1000,
    lastAccess: auth_time * 1000,
    rememberMe: false,
    clients: Object.fromEntries(clients.map(client => [ids.idOf('client', client), client])),
    transientUser: false,
  };
}

function sendNothing({ names }: CallInput, realm: Realm): void {
  const { claims, isHere } = personWith(realm, names.user);
  if (claims.email === undefined) throw inputInvalid('User email missing');
  if (!isHere) throw inputInvalid('User is disabled');
}
