import { randomBytes } from 'node:crypto';
import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryTaken, inputInvalid, type ManagementCall } from '../../management/call.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';
import { apply, managedUsers, removeUser } from '../../management/users.ts';
import { connectionName } from '../database.ts';
import { answered, listed } from './answers.ts';
import type { Tenant } from './tenant.ts';
import {
  changePerson,
  claimsAfter,
  personWith,
  representation,
  switchPerson,
  userShape,
  withFields,
} from './user-representation.ts';

const readUsers = ['read:users'];

/** The users of a tenant. */
export const userCalls: readonly ManagementCall<Tenant>[] = [
  call('GET /users', 'users by `q`, `sort`, `fields`, `page`, `per_page`, `include_totals`', readUsers, list),
  call('POST /users', 'creates a user in a connection', ['create:users'], create),
  call('GET /users-by-email', 'users with this `email`', readUsers, ({ query }, tenant) => {
    const email = query.get('email')?.toLowerCase() ?? '';
    if (email === '') throw inputInvalid("Query validation error: 'email' is missing");
    const found = managedUsers(tenant).filter(({ claims }) => String(claims.email ?? '').toLowerCase() === email);
    return answered(found.map(person => representation(tenant, person)));
  }),
  call('GET /users/{user}', 'a user', readUsers, ({ names, query }, tenant) =>
    answered(withFields(representation(tenant, personWith(tenant, names.user)), query)),
  ),
  call(
    'PATCH /users/{user}',
    'changes a user; `app_metadata` and `user_metadata` are merged',
    ['update:users'],
    update,
  ),
  call('DELETE /users/{user}', 'removes a user, with sessions and tokens', ['delete:users'], remove),
];

async function remove({ names }: CallInput, tenant: Tenant): Promise<void> {
  // a tenant answers 204 for a user that it does not have
  const person = managedUsers(tenant).find(({ sub }) => sub === names.user);
  if (person !== undefined) await removeUser(tenant, person);
  tenant.state.created.delete(names.user ?? '');
}

function list({ query }: CallInput, tenant: Tenant): Answer {
  const all = managedUsers(tenant).map(person => representation(tenant, person));
  return listed(matching(all, query), query, 'users', each => withFields(each, query));
}

const createShape = {
  ...userShape,
  connection: 'text',
  user_id: 'text',
  verify_email: 'flag',
} as const satisfies Shape;

function requireMembers({ connection, email, username, password }: MembersOf<typeof createShape>): void {
  const missing = (name: string) => inputInvalid(`Payload validation error: 'Missing required property: ${name}'.`);
  if (connection === undefined) throw missing('connection');
  if (connection !== connectionName && connection !== 'email') throw inputInvalid('The connection does not exist');
  if (email === undefined && username === undefined) throw missing('email');
  if (password === undefined && connection === connectionName) throw missing('password');
}

async function create({ body }: CallInput, tenant: Tenant): Promise<Answer> {
  const sent = membersIn(body, createShape);
  requireMembers(sent);
  const { email, username, password } = sent;
  if (isTaken(tenant, [email, username])) throw entryTaken('The user already exists.');
  const id = sent.user_id ?? randomBytes(12).toString('hex');
  const sub = `auth0|${id}`;
  const shown = email ?? username ?? id;
  const names = { name: sent.name ?? shown, nickname: sent.nickname ?? shown.replace(/@.*/s, '') };
  const claims = claimsAfter({}, { ...sent, ...names });
  const members = { sub, username: username ?? email ?? sub, ...(password !== undefined && { password }), claims };
  await apply(tenant, { kind: 'user.create', members }, 'The user already exists.');
  tenant.state.created.set(sub, tenant.server.wallClock() * 1000);
  if (sent.blocked === true) await switchPerson(tenant, personWith(tenant, sub), false);
  return answered(representation(tenant, personWith(tenant, sub)), 201);
}

/** Whether another user has one of these as username or address. */
function isTaken(tenant: Tenant, names: readonly (string | undefined)[], sub?: string): boolean {
  const wanted = names.map(name => name?.toLowerCase());
  return managedUsers(tenant).some(
    ({ sub: own, username, claims }) =>
      own !== sub &&
      [username, claims.email].some(name => typeof name === 'string' && wanted.includes(name.toLowerCase())),
  );
}

async function update({ names, body }: CallInput, tenant: Tenant): Promise<Answer> {
  const person = personWith(tenant, names.user);
  const sent = membersIn(body, userShape);
  const { blocked, password, username, email } = sent;
  if (isTaken(tenant, [email, username], person.sub))
    throw entryTaken('The specified new email already exists for another user');
  await changePerson(tenant, person, {
    claims: claimsAfter(person.claims, sent),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password, password_hash: null }),
  });
  if (blocked !== undefined) await switchPerson(tenant, personWith(tenant, person.sub), !blocked);
  return answered(representation(tenant, personWith(tenant, person.sub)));
}

/** Characters of the longest search. */
const longest = 500;

/**
 * The users that a search finds, in order. Of the query syntax (Lucene) there are `field:value`, `field:"text"`, a text
 * without a field, `*` as a wildcard, NOT, AND and OR without parentheses.
 * @throws 400 for another query
 */
function matching(users: readonly AnyMembers[], query: URLSearchParams): readonly AnyMembers[] {
  const q = query.get('q')?.trim() ?? '';
  if (q.length > longest || q.split('*').length > 9 || /[()[\]{}~^]/.test(q.replace(/"[^"]*"/g, '')))
    throw inputInvalid("Query validation error: 'q' may have field:value, *, NOT, AND and OR");
  const wanted = q === '' ? () => true : parsed(q);
  return sorted(users.filter(wanted), query.get('sort'));
}

type Test = (user: AnyMembers) => boolean;

/** OR binds less than AND. */
function parsed(q: string): Test {
  const any = splitBy(q, 'OR').map(part => splitBy(part, 'AND').map(term));
  return user => any.some(all => all.every(test => test(user)));
}

function splitBy(text: string, word: string): readonly string[] {
  const parts = [''];
  for (const token of text.match(/(?:[^\s"]|"[^"]*")+/g) ?? []) {
    if (token === word) parts.push('');
    else parts.push(`${parts.pop()} ${token}`.trim());
  }
  return parts;
}

function term(text: string): Test {
  if (text.startsWith('NOT ')) {
    const test = term(text.slice(4));
    return user => !test(user);
  }
  const [, field, typed = ''] = /^(?:([\w.]+):)?(.*)$/s.exec(text) ?? [];
  const value = typed.replace(/^"(.*)"$/s, '$1');
  if (value === '') throw inputInvalid(`Query validation error: 'q' has no value after ${field ?? 'the field'}`);
  const pattern = new RegExp(`^${value.split('*').map(escaped).join('.*')}$`, 'is');
  return user => {
    const values = field === undefined ? Object.values(user) : valuesAt(user, field.split('.'));
    return values.flat().some(each => !isRecord(each) && pattern.test(String(each)));
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value].flat();
  return [value].flat().flatMap(each => {
    if (!isRecord(each) || !Object.hasOwn(each, name)) return [];
    return valuesAt(each[name], rest);
  });
}

/** `sort=created_at:-1`. */
function sorted(users: readonly AnyMembers[], sort: string | null): readonly AnyMembers[] {
  const [, field, direction] = /^([\w.]+):(1|-1)$/.exec(sort ?? '') ?? [];
  if (field === undefined) return users;
  const keyOf = (user: AnyMembers) => String(valuesAt(user, field.split('.'))[0] ?? '');
  const order = Number(direction);
  return users.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -order : keyOf(a) > keyOf(b) ? order : 0));
}
