import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryUnknown, json, type ManagementCall } from '../../management/call.ts';
import { recordsIn } from '../../management/members.ts';
import { clientNamed, type Realm } from './realm.ts';
import { needs } from './rights.ts';
import { idOfRole, keyOf, knownRoles, type RealmRole, roleOf, roleRepresentation } from './roles.ts';

/** A user or a group: something that roles are given to. */
interface RoleHolder {
  /** Keys of the roles that it was given. */
  readonly direct: ReadonlySet<string>;
  /** Those, and all that come with them. */
  readonly all: ReadonlySet<string>;
  save(direct: ReadonlySet<string>): Promise<void>;
}

type Find = (realm: Realm, sent: CallInput) => RoleHolder;

/** The calls about the roles of a user or of a group (RoleMapperResource.java, ClientRoleMappingsResource.java). */
export function roleMappingCalls(base: string, who: string, find: Find): readonly ManagementCall<Realm>[] {
  const at = `${base}/role-mappings`;
  const places = [
    [`${at}/realm`, 'realm roles'],
    [`${at}/clients/{client}`, 'roles of a client'],
  ] as const;
  return [
    call(`GET ${at}`, `all roles of ${who}`, needs.viewUsers, (sent, realm) =>
      json(overview(realm, find(realm, sent))),
    ),
    ...places.flatMap(([path, what]) => [
      call<Realm>(`GET ${path}`, `${what} of ${who}`, needs.viewUsers, (sent, realm) =>
        listed(realm, sent, key => find(realm, sent).direct.has(key)),
      ),
      call<Realm>(`GET ${path}/available`, `${what} that ${who} does not have`, needs.viewUsers, (sent, realm) =>
        listed(realm, sent, key => !find(realm, sent).direct.has(key)),
      ),
      call<Realm>(
        `GET ${path}/composite`,
        `${what} of ${who}, with all that come with them`,
        needs.viewUsers,
        (sent, realm) => listed(realm, sent, key => find(realm, sent).all.has(key)),
      ),
      call<Realm>(`POST ${path}`, `gives ${what} to ${who}`, needs.manageUsers, (sent, realm) =>
        give(realm, sent, find),
      ),
      call<Realm>(`DELETE ${path}`, `takes ${what} from ${who}`, needs.manageUsers, (sent, realm) =>
        take(realm, sent, find),
      ),
    ]),
  ];
}

/** All roles by where they are (MappingsRepresentation.java). */
function overview(realm: Realm, { direct }: RoleHolder): object {
  const all = [...direct].map(roleOf);
  const representations = (client?: string) =>
    all.filter(role => role.client === client).map(role => roleRepresentation(realm, role));
  const clients = [...new Set(all.flatMap(({ client }) => client ?? []))];
  const mappings = clients.map(client => {
    const id = realm.ids.idOf('client', client);
    return [client, { id, client, mappings: representations(client) }];
  });
  return {
    ...(all.some(({ client }) => client === undefined) && { realmMappings: representations() }),
    ...(mappings.length > 0 && { clientMappings: Object.fromEntries(mappings) }),
  };
}

function listed(realm: Realm, { names }: CallInput, isMet: (key: string) => boolean): Answer {
  const roles = knownIn(realm, names.client).filter(role => isMet(keyOf(role)));
  return json(roles.map(role => roleRepresentation(realm, role)));
}

function knownIn(realm: Realm, id: string | undefined): readonly RealmRole[] {
  const client = id === undefined ? undefined : clientNamed(realm, id, 'Client not found');
  return knownRoles(realm, client).map(name => (client === undefined ? { name } : { name, client }));
}

async function give(realm: Realm, sent: CallInput, find: Find): Promise<void> {
  const holder = find(realm, sent);
  await holder.save(new Set([...holder.direct, ...rolesSent(realm, sent).map(keyOf)]));
}

/** Without a list, all roles of the place are taken. */
async function take(realm: Realm, sent: CallInput, find: Find): Promise<void> {
  const holder = find(realm, sent);
  const isAll = !Array.isArray(sent.body);
  const taken = new Set((isAll ? knownIn(realm, sent.names.client) : rolesSent(realm, sent)).map(keyOf));
  await holder.save(new Set([...holder.direct].filter(key => !taken.has(key))));
}

/** @throws 404 for a role that does not exist, or whose id is that of another role */
function rolesSent(realm: Realm, { body, names }: CallInput): readonly RealmRole[] {
  const known = knownIn(realm, names.client);
  return recordsIn(body, { id: 'text', name: 'text' }).map(({ id, name }) => {
    const found = known.find(role => (name === undefined ? idOfRole(realm, role) === id : role.name === name));
    const isOther = found !== undefined && id !== undefined && idOfRole(realm, found) !== id;
    if (found === undefined || isOther) throw entryUnknown('Role not found', name ?? id);
    return found;
  });
}
