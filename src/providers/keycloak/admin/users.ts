import { randomId } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  created,
  entryTaken,
  inputInvalid,
  json,
  type ManagementCall,
} from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { requireGroups } from './groups.ts';
import { saveHoldings } from './holdings.ts';
import { changePerson, passwordMembers, people, personWith, removePerson, switchPerson } from './people.ts';
import { addressOf, type Realm } from './realm.ts';
import { needs } from './rights.ts';
import { claimsAfter, passwordIn, type SentUser, userRepresentation, userShape } from './user-representation.ts';
import { paged, usersMatching } from './user-search.ts';

/** The users of a realm (UsersResource.java, UserResource.java). */
export const userCalls: readonly ManagementCall<Realm>[] = [
  call(
    'GET /users',
    'users by `search`, `username`, `email`, `firstName`, `lastName`, `exact`, `q`, `enabled`',
    needs.queryUsers,
    list,
  ),
  call('GET /users/count', 'the number of users that a search finds', needs.queryUsers, ({ query, caller }, realm) =>
    json(needs.viewUsers.some(caller.has) ? usersMatching(realm, query).length : 0),
  ),
  call('POST /users', 'creates a user', needs.manageUsers, create),
  call('GET /users/{user}', 'a user', needs.viewUsers, ({ names }, realm) =>
    json(userRepresentation(realm, personWith(realm, names.user))),
  ),
  call('PUT /users/{user}', 'changes a user', needs.manageUsers, update),
  call('DELETE /users/{user}', 'removes a user, with sessions and tokens', needs.manageUsers, ({ names }, realm) =>
    removePerson(realm, personWith(realm, names.user)),
  ),
];

function list({ query, caller }: CallInput, realm: Realm): Answer {
  if (!needs.viewUsers.some(caller.has)) return json([]);
  const isBrief = query.get('briefRepresentation') === 'true';
  const found = paged(usersMatching(realm, query), query);
  return json(found.map(person => userRepresentation(realm, person, isBrief)));
}

async function create({ body }: CallInput, realm: Realm): Promise<Answer> {
  return created(addressOf(realm, 'users', await createUser(realm, body)));
}

/**
 * Creates a user, and answers with the `sub`. `roles` are keys of roles that the user has from the start.
 * @throws 400 and 409 in the words of Keycloak
 */
export async function createUser(realm: Realm, body: unknown, roles: readonly string[] = []): Promise<string> {
  const sent = membersIn(body, userShape);
  const username = sent.username?.trim().toLowerCase() ?? '';
  if (username === '') throw inputInvalid('User name is missing');
  if (people(realm).some(each => each.username.toLowerCase() === username))
    throw entryTaken('User exists with same username');
  requireFreeEmail(realm, sent);
  const groups = requireGroups(realm, sent.groups ?? []);
  const sub = randomId();
  const password = passwordIn(sent);
  const claims = claimsAfter({}, { ...sent, username });
  const members = { sub, username, ...(password !== undefined && { password }), claims };
  await apply(realm, { kind: 'user.create', members }, 'User exists with same username');
  const { requiredActions = [] } = sent;
  realm.state.users.set(sub, { createdTimestamp: realm.server.wallClock() * 1000, requiredActions });
  await saveHoldings(realm, personWith(realm, sub), { groups, direct: new Set(roles) });
  if (sent.enabled === false) await switchPerson(realm, personWith(realm, sub), false);
  return sub;
}

async function update({ body, names }: CallInput, realm: Realm): Promise<void> {
  const sent = membersIn(body, userShape);
  const person = personWith(realm, names.user);
  requireFreeEmail(realm, sent, person.sub);
  const password = passwordIn(sent);
  const username = sent.username?.trim().toLowerCase();
  if (username === '') throw inputInvalid('User name is missing');
  await changePerson(realm, person, {
    ...(username !== undefined && { username }),
    ...(password !== undefined && passwordMembers(password)),
    claims: claimsAfter(person.claims, sent),
  });
  if (sent.requiredActions !== undefined) {
    const { createdTimestamp = realm.state.since } = realm.state.users.get(person.sub) ?? {};
    realm.state.users.set(person.sub, { createdTimestamp, requiredActions: sent.requiredActions });
  }
  if (sent.enabled !== undefined) await switchPerson(realm, person, sent.enabled);
}

function requireFreeEmail(realm: Realm, { email }: SentUser, sub?: string): void {
  if (email === undefined || email === '') return;
  const isTaken = ({ claims }: { readonly claims: Readonly<Record<string, unknown>> }) =>
    String(claims.email ?? '').toLowerCase() === email.toLowerCase();
  if (people(realm).some(each => each.sub !== sub && isTaken(each))) throw entryTaken('User exists with same email');
}
