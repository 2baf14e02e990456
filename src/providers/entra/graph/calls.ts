import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { CallAt } from '../../../server/http/path-table.ts';
import { withParents } from '../ids.ts';
import type { GraphInput } from './access.ts';
import {
  application,
  type DirectoryObject,
  type DirectoryUser,
  directoryGroups,
  directoryUsers,
  groupAt,
  organization,
  servicePrincipal,
} from './directory.ts';
import { listed, selected } from './odata.ts';

/** One call of Graph. `run` is undefined for an object that does not exist. */
export interface GraphRow extends CallAt {
  /** Permissions of which one is enough. */
  readonly needs: readonly string[];
  run(input: GraphInput): object | undefined;
}

const directory = ['Directory.Read.All', 'Directory.ReadWrite.All'];
const own = ['User.Read', 'User.ReadWrite', 'User.Read.All', 'User.ReadWrite.All', 'User.ReadBasic.All', ...directory];
const everyGroup = ['Group.Read.All', 'Group.ReadWrite.All', 'GroupMember.Read.All', ...directory];
const applications = ['Application.Read.All', 'Application.ReadWrite.All', ...directory];

const me = ({ caller }: GraphInput) => caller.user;
const named = ({ server, names: { user: sent } }: GraphInput) =>
  directoryUsers(server).find(({ id, principalName }) => id === sent || principalName === sent);

/** The calls about one user, below `/me` and below `/users/{user}`. */
function ofUser(path: string, find: (input: GraphInput) => DirectoryUser | undefined): readonly GraphRow[] {
  const about = (run: (user: DirectoryUser, input: GraphInput) => object | undefined) => (input: GraphInput) => {
    const user = find(input);
    return user && run(user, input);
  };
  const ids = about((user, { server }) => memberIds(server, user));
  return [
    get(
      path,
      own,
      about(({ object }, input) => selected(input, 'users/$entity', object)),
    ),
    get(
      `${path}/memberOf`,
      own,
      about(({ groups }, input) => members(input, groups)),
    ),
    get(
      `${path}/transitiveMemberOf`,
      own,
      about(({ groups }, input) => members(input, withParents(groups))),
    ),
    get(`${path}/photo/$value`, own, () => undefined),
    { method: 'POST', path: `${path}/getMemberObjects`, needs: own, run: ids },
    { method: 'POST', path: `${path}/getMemberGroups`, needs: own, run: ids },
  ];
}

function members(input: GraphInput, paths: readonly string[]): object {
  const groups = paths.map(path => ({ '@odata.type': '#microsoft.graph.group', ...groupAt(input.server, path) }));
  return listed(input, 'directoryObjects', groups);
}

function memberIds(server: AuthorizationServer, { groups }: DirectoryUser): object {
  const value = withParents(groups).map(path => groupAt(server, path).id);
  return { '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(Edm.String)', value };
}

/** A list, and each of its objects by an id. */
function collection(
  name: string,
  needs: readonly string[],
  all: (server: AuthorizationServer) => readonly DirectoryObject[],
): readonly GraphRow[] {
  return [
    get(`/${name}`, needs, input => listed(input, name, all(input.server))),
    get(`/${name}/{id}`, needs, input => {
      const found = all(input.server).find(({ id, appId }) => id === input.names.id || appId === input.names.id);
      return found && selected(input, `${name}/$entity`, found);
    }),
  ];
}

function get(path: string, needs: readonly string[], run: GraphRow['run']): GraphRow {
  return { method: 'GET', path, needs, run };
}

const clientsAs = (as: typeof application) => (server: AuthorizationServer) =>
  [...server.clients.values()].map(client => as(server, client));

/** Every call that is served. */
export const graphCalls: readonly GraphRow[] = [
  ...ofUser('/me', me),
  get(
    '/users',
    own.filter(right => right !== 'User.Read'),
    input =>
      listed(
        input,
        'users',
        directoryUsers(input.server).map(({ object }) => object),
      ),
  ),
  ...ofUser('/users/{user}', named),
  ...collection('groups', everyGroup, server => [...directoryGroups(server).values()]),
  get('/groups/{id}/members', everyGroup, input => {
    const [path] = [...directoryGroups(input.server)].find(([, { id }]) => id === input.names.id) ?? [];
    if (path === undefined) return undefined;
    const inside = directoryUsers(input.server).filter(({ groups }) => groups.includes(path));
    return listed(
      input,
      'directoryObjects',
      inside.map(({ object }) => ({ '@odata.type': '#microsoft.graph.user', ...object })),
    );
  }),
  ...collection('organization', own, server => [organization(server)]),
  ...collection('applications', applications, clientsAs(application)),
  ...collection('servicePrincipals', applications, clientsAs(servicePrincipal)),
];
