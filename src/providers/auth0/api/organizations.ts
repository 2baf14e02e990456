import { defined } from '../../../base/defined.ts';
import { organizationId, organizationsIn } from '../../../protocol/dialects/organizations.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryTaken, inputInvalid, type ManagementCall, missing } from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { type ManagedUser, managedUsers } from '../../management/users.ts';
import { answered, listed } from './answers.ts';
import { added, type NextNames, removed, roleView, roleWith } from './roles.ts';
import { requireRoom, type Tenant } from './tenant.ts';
import { brief, changeClaims, personWith, textsIn } from './user-representation.ts';

const read = ['read:organizations'];
const update = ['update:organizations'];
const at = '/organizations/{organization}';
const readMembers = ['read:organization_members'];

/** The organizations of a tenant: those that users belong to, and those that were created. */
export const organizationCalls: readonly ManagementCall<Tenant>[] = [
  call('GET /organizations', 'organizations', read, ({ query }, tenant) =>
    listed(all(tenant), query, 'organizations', view),
  ),
  call('POST /organizations', 'creates an organization', ['create:organizations'], create),
  call('GET /organizations/name/{name}', 'an organization by its name', read, ({ names }, tenant) => {
    const found = all(tenant).find(({ name }) => name === names.name);
    return answered(view(found ?? missing('No organization found by that id or name', names.name)));
  }),
  call(`GET ${at}`, 'an organization', read, ({ names }, tenant) =>
    answered(view(organizationWith(tenant, names.organization))),
  ),
  call(`PATCH ${at}`, 'changes an organization', update, change),
  call(`DELETE ${at}`, 'removes an organization', ['delete:organizations'], async ({ names }, tenant) => {
    const { id, name } = organizationWith(tenant, names.organization);
    for (const person of members(tenant, id)) await leave(tenant, person, id);
    tenant.state.organizations.delete(name);
  }),
  call(`GET ${at}/members`, 'the members of an organization', readMembers, ({ names, query }, tenant) => {
    const { id } = organizationWith(tenant, names.organization);
    return listed(members(tenant, id), query, 'members', person => brief(tenant, person));
  }),
  call(
    `POST ${at}/members`,
    'adds members to an organization',
    ['create:organization_members'],
    async ({ names, body }, tenant) => {
      const organization = organizationWith(tenant, names.organization);
      for (const person of membersOf(tenant, body)) await join(tenant, person, organization);
    },
  ),
  call(
    `DELETE ${at}/members`,
    'removes members from an organization',
    ['delete:organization_members'],
    async ({ names, body }, tenant) => {
      const { id } = organizationWith(tenant, names.organization);
      for (const person of membersOf(tenant, body)) await leave(tenant, person, id);
    },
  ),
  call(`GET ${at}/members/{user}/roles`, 'the roles of a member', readMembers, ({ names, query }, tenant) => {
    const { roles } = membership(tenant, names);
    return listed(textsIn(roles), query, 'roles', name => roleView(tenant, name));
  }),
  call(
    `POST ${at}/members/{user}/roles`,
    'gives a member roles',
    ['create:organization_member_roles'],
    (input, tenant) => changeRoles(input, tenant, added),
  ),
  call(
    `DELETE ${at}/members/{user}/roles`,
    'takes roles from a member',
    ['delete:organization_member_roles'],
    (input, tenant) => changeRoles(input, tenant, removed),
  ),
  call(
    'GET /users/{user}/organizations',
    'the organizations of a user',
    [...read, 'read:users'],
    ({ names, query }, tenant) =>
      listed(organizationsIn(personWith(tenant, names.user).claims), query, 'organizations', view),
  ),
];

type Facts = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

/** By name; what was created or changed counts more than the claims of a user. */
function all(tenant: Tenant): readonly Facts[] {
  const held = managedUsers(tenant).flatMap(({ claims }) => organizationsIn(claims));
  const byName = new Map<string, Facts>(held.map(each => [each.name, each]));
  for (const [name, facts] of tenant.state.organizations)
    byName.set(name, { ...facts, name, id: byName.get(name)?.id ?? organizationId(name) });
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function view({ id, name, display_name, metadata, branding }: Facts): object {
  return { id, name, ...defined({ display_name: display_name ?? name, metadata, branding }) };
}

function organizationWith(tenant: Tenant, id = ''): Facts {
  return all(tenant).find(each => each.id === id) ?? missing('No organization found by that id or name', id);
}

const shape = { name: 'text', display_name: 'text', metadata: 'record', branding: 'record' } as const satisfies Shape;

function create({ body }: CallInput, tenant: Tenant): Answer {
  const { name = '', ...facts } = membersIn(body, shape);
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name))
    throw inputInvalid("Payload validation error: 'name' may have lower-case letters, digits, _ and -");
  if (all(tenant).some(each => each.name === name)) throw entryTaken('An organization with this name already exists.');
  requireRoom(tenant.state.organizations);
  tenant.state.organizations.set(name, { ...facts });
  return answered(view(organizationWith(tenant, organizationId(name))), 201);
}

async function change({ names, body }: CallInput, tenant: Tenant): Promise<Answer> {
  const before = organizationWith(tenant, names.organization);
  const { name = before.name, ...facts } = membersIn(body, shape);
  if (name !== before.name)
    throw inputInvalid('the name of an organization cannot be changed here: create another one');
  tenant.state.organizations.set(name, { ...before, ...facts });
  return answered(view(organizationWith(tenant, before.id)));
}

function members(tenant: Tenant, id: string): readonly ManagedUser[] {
  return managedUsers(tenant).filter(({ claims }) => organizationsIn(claims).some(each => each.id === id));
}

function membersOf(tenant: Tenant, body: unknown): readonly ManagedUser[] {
  const { members: ids = [] } = membersIn(body, { members: 'texts' });
  return ids.map(id => personWith(tenant, id));
}

async function join(tenant: Tenant, person: ManagedUser, { id, name }: Facts): Promise<void> {
  const before = organizationsIn(person.claims);
  if (!before.some(each => each.id === id))
    await changeClaims(tenant, person, { organizations: [...before, { id, name }] });
}

async function leave(tenant: Tenant, person: ManagedUser, id: string): Promise<void> {
  await changeClaims(tenant, person, { organizations: organizationsIn(person.claims).filter(each => each.id !== id) });
}

function membership(tenant: Tenant, names: CallInput['names']): Facts & { readonly person: ManagedUser } {
  const { id } = organizationWith(tenant, names.organization);
  const person = personWith(tenant, names.user);
  const found = organizationsIn(person.claims).find(each => each.id === id);
  return { ...(found ?? missing('The user is not a member of the organization.', names.user)), person };
}

async function changeRoles({ names, body }: CallInput, tenant: Tenant, next: NextNames): Promise<void> {
  const { id, person, roles: before } = membership(tenant, names);
  const { roles: sent = [] } = membersIn(body, { roles: 'texts' });
  const named = sent.map(each => roleWith(tenant, each));
  const roles = [...new Set(next(textsIn(before), named))];
  const changed = organizationsIn(person.claims).map(each => (each.id === id ? { ...each, roles } : each));
  await changeClaims(tenant, person, { organizations: changed });
}
