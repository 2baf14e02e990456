import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { listAnswer } from './answers.ts';
import { testsIn } from './expression.ts';
import { addressOf, missingEntry, now, type Org, type OrgGroupFacts, oktaId, refusedBy, requireRoom } from './org.ts';
import { changePerson, type OrgUser, people, personWith } from './people.ts';
import { bodyOf } from './users.ts';

const read = ['okta.groups.read'];
const manage = ['okta.groups.manage'];

const everyone = 'Everyone';

/** The groups of an org and their members (developer.okta.com, Groups API). */
export const groupCalls: readonly ManagementCall<Org>[] = [
  call('GET /groups', 'groups by `q`, `filter` and `search`, in pages by `limit` and `after`', read, list),
  call('POST /groups', 'creates a group', manage, create),
  call('GET /groups/{group}', 'a group', read, ({ names }, org) => shown(org, groupWith(org, names.group))),
  call('PUT /groups/{group}', 'changes a group, also its name', manage, update),
  call('DELETE /groups/{group}', 'removes a group', manage, remove),
  call('GET /groups/{group}/users', 'the members of a group', read, (sent, org) => {
    const name = groupWith(org, sent.names.group);
    const found = people(org).filter(each => groupsOf(each).includes(name));
    return listAnswer(org, sent, found, each => bodyOf(org, each), 1000);
  }),
  call('PUT /groups/{group}/users/{user}', 'puts a user into a group', manage, (sent, org) =>
    setGroups(sent, org, (groups, name) => [...new Set([...groups, name])]),
  ),
  call('DELETE /groups/{group}/users/{user}', 'takes a user out of a group', manage, (sent, org) =>
    setGroups(sent, org, (groups, name) => groups.filter(each => each !== name)),
  ),
  call('GET /users/{user}/groups', 'the groups of a user', ['okta.users.read', 'okta.groups.read'], (sent, org) =>
    listAnswer(org, sent, groupsOf(personWith(org, sent.names.user)), name => groupBody(org, name)),
  ),
];

function groupsOf({ claims }: OrgUser): readonly string[] {
  const names = Array.isArray(claims.groups) ? claims.groups.map(each => String(each).replace(/^\//, '')) : [];
  return [everyone, ...names];
}

function groupNames(org: Org): readonly string[] {
  const names = new Set([...org.state.groups.keys(), ...people(org).flatMap(groupsOf)]);
  return [everyone, ...[...names].filter(each => each !== everyone).toSorted()];
}

function factsOf(org: Org, name: string): OrgGroupFacts {
  const { since } = org.state;
  return org.state.groups.get(name) ?? { id: oktaId('00g', name), created: since, lastUpdated: since };
}

function groupWith(org: Org, id = ''): string {
  return groupNames(org).find(each => factsOf(org, each).id === id) ?? missingEntry('UserGroup', id);
}

function shown(org: Org, name: string): Answer {
  return json(groupBody(org, name));
}

function groupBody(org: Org, name: string) {
  const { id, description = null, created, lastUpdated } = factsOf(org, name);
  return {
    id,
    created,
    lastUpdated,
    lastMembershipUpdated: lastUpdated,
    objectClass: ['okta:user_group'],
    type: typeOf(name),
    profile: { name, description: name === everyone ? 'All users in your organization' : description },
    _links: { users: { href: addressOf(org, 'groups', id, 'users') } },
  };
}

function typeOf(name: string): string {
  return name === everyone ? 'BUILT_IN' : 'OKTA_GROUP';
}

function list(sent: CallInput, org: Org): Answer {
  const { query } = sent;
  const valueAt = (name: string, path: string): unknown => {
    const facts = factsOf(org, name);
    const values = { ...facts, type: typeOf(name), 'profile.name': name, 'profile.description': facts.description };
    return Object.entries(values).find(([each]) => each === path)?.[1];
  };
  const tests = testsIn<string>(query, valueAt);
  const q = query.get('q')?.toLowerCase() ?? '';
  const found = groupNames(org).filter(name => name.toLowerCase().startsWith(q) && tests.every(test => test(name)));
  return listAnswer(org, sent, found, name => groupBody(org, name), 10_000);
}

function sentGroup(body: unknown): { readonly name: string; readonly description?: string | undefined } {
  const { profile = {} } = membersIn(body, { profile: 'record' });
  const { name = '', description } = membersIn(profile, { name: 'text', description: 'text' });
  if (name.trim() === '') throw inputInvalid('name: The field cannot be left blank');
  return { name: name.replace(/^\//, ''), description };
}

function create({ body }: CallInput, org: Org): Answer {
  const { name, description } = sentGroup(body);
  requireFree(org, name);
  requireRoom(org.state.groups.size, 'groups');
  const moment = now(org);
  const facts = { id: oktaId('00g', name), description, created: moment, lastUpdated: moment };
  org.state.groups.set(name, facts);
  return shown(org, name);
}

function requireFree(org: Org, name: string): void {
  if (groupNames(org).some(each => each.toLowerCase() === name.toLowerCase()))
    throw inputInvalid('name: An object with this field already exists in the current organization');
}

async function update({ body, names }: CallInput, org: Org): Promise<Answer> {
  const before = requireOwn(groupWith(org, names.group));
  const { name, description } = sentGroup(body);
  if (name.toLowerCase() !== before.toLowerCase()) requireFree(org, name);
  const facts = { ...factsOf(org, before), description, lastUpdated: now(org) };
  org.state.groups.delete(before);
  org.state.groups.set(name, facts);
  if (name !== before) await rename(org, before, name);
  return shown(org, name);
}

async function remove({ names }: CallInput, org: Org): Promise<void> {
  const name = requireOwn(groupWith(org, names.group));
  org.state.groups.delete(name);
  await rename(org, name, undefined);
}

function requireOwn(name: string): string {
  if (name !== everyone) return name;
  throw refusedBy('E0000006', 403, 'You do not have permission to perform the requested action');
}

/** Gives a group another name in the claims of its members; undefined takes it away. */
async function rename(org: Org, from: string, to: string | undefined): Promise<void> {
  for (const person of people(org)) {
    const groups = groupsOf(person).filter(each => each !== everyone);
    const renamed = groups.flatMap(each => (each === from ? (to ?? []) : each));
    if (groups.includes(from)) await saveGroups(org, person, renamed);
  }
}

async function setGroups(
  { names }: CallInput,
  org: Org,
  change: (groups: readonly string[], name: string) => readonly string[],
): Promise<void> {
  const name = requireOwn(groupWith(org, names.group));
  const person = personWith(org, names.user);
  // a group that only this user is in must not vanish with the membership
  org.state.groups.set(name, { ...factsOf(org, name), lastUpdated: now(org) });
  const before = groupsOf(person).filter(each => each !== everyone);
  await saveGroups(org, person, change(before, name));
}

/** Groups as the user has them: those of a configuration may be paths with a slash in front. */
async function saveGroups(org: Org, person: OrgUser, names: readonly string[]): Promise<void> {
  const before = Array.isArray(person.claims.groups) ? person.claims.groups.map(String) : [];
  const isPlain = before.length > 0 && before.every(each => !each.startsWith('/'));
  const { groups: _, ...others } = person.claims;
  const groups = isPlain ? names : names.map(each => `/${each}`);
  await changePerson(org, person, { claims: { ...others, ...(groups.length > 0 && { groups }) } });
}
