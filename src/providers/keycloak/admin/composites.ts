import { type CallInput, call, entryUnknown, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { recordsIn } from '../../management/members.ts';
import { changeMeaning } from './holdings.ts';
import { clientNamed, clientNames, type Realm } from './realm.ts';
import {
  defaultRoles,
  idOfRole,
  keyOf,
  knownRoles,
  type RealmRole,
  roleOf,
  roleRepresentation,
  withParts,
} from './roles.ts';

type Find = (realm: Realm, sent: CallInput) => RealmRole;

/** The calls about the roles that a role is composed of (RoleResource.java). */
export function compositeCalls(
  role: string,
  what: string,
  { view, change }: { readonly view: readonly string[]; readonly change: readonly string[] },
  find: Find,
): readonly ManagementCall<Realm>[] {
  const at = `${role}/composites`;
  const listed =
    (isMet: (part: RealmRole, realm: Realm, sent: CallInput) => boolean) => (sent: CallInput, realm: Realm) => {
      const parts = partsOf(realm, find(realm, sent)).filter(part => isMet(part, realm, sent));
      return json(parts.map(part => roleRepresentation(realm, part)));
    };
  return [
    call<Realm>(
      `GET ${at}`,
      `the roles in a ${what}`,
      view,
      listed(() => true),
    ),
    call<Realm>(
      `GET ${at}/realm`,
      `the realm roles in a ${what}`,
      view,
      listed(({ client }) => client === undefined),
    ),
    call<Realm>(
      `GET ${at}/clients/{container}`,
      `the roles of a client in a ${what}`,
      view,
      listed(({ client }, realm, { names }) => client === clientNamed(realm, names.container)),
    ),
    call<Realm>(`POST ${at}`, `adds roles to a ${what}`, change, (sent, realm) => {
      const added = rolesSent(realm, sent.body);
      const role = find(realm, sent);
      if (withParts(realm.state, added).has(keyOf(role))) throw inputInvalid(`${role.name} would be a part of itself`);
      return setParts(realm, role, parts => new Set([...parts, ...added]));
    }),
    call<Realm>(`DELETE ${at}`, `takes roles from a ${what}`, change, (sent, realm) => {
      const taken = new Set(rolesSent(realm, sent.body));
      return setParts(realm, find(realm, sent), parts => new Set([...parts].filter(key => !taken.has(key))));
    }),
  ];
}

/** The default role of a realm is composed of those that the tokens of every user have. */
function partsOf(realm: Realm, role: RealmRole): readonly RealmRole[] {
  const [main, ...others] = defaultRoles(realm);
  const own = [...(realm.state.roles.get(keyOf(role))?.parts ?? [])].map(roleOf);
  return main !== undefined && keyOf(main) === keyOf(role) ? [...others, ...own] : own;
}

async function setParts(
  realm: Realm,
  role: RealmRole,
  change: (parts: ReadonlySet<string>) => ReadonlySet<string>,
): Promise<void> {
  const { roles } = realm.state;
  const key = keyOf(role);
  const known = roles.get(key) ?? { parts: new Set<string>() };
  await changeMeaning(realm, () => roles.set(key, { ...known, parts: change(known.parts) }));
}

/** @throws 404 for a role that does not exist */
function rolesSent(realm: Realm, body: unknown): readonly string[] {
  const containers = [undefined, ...clientNames(realm)];
  const all = containers.flatMap(client =>
    knownRoles(realm, client).map(name => (client === undefined ? { name } : { name, client })),
  );
  const byId = new Map(all.map(role => [idOfRole(realm, role), role]));
  return recordsIn(body, { id: 'text', name: 'text' }).map(({ id, name }) => {
    const found = id === undefined ? all.find(role => role.client === undefined && role.name === name) : byId.get(id);
    if (found === undefined) throw entryUnknown('Could not find composite role', id ?? name);
    return keyOf(found);
  });
}
