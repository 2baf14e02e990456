import { decodeJwt } from '../../../base/text/jwt.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../../protocol/endpoints/endpoint.ts';
import { invalidToken } from '../../../protocol/errors.ts';
import { findAuthorization } from '../../../protocol/kept-authorizations.ts';
import { parseScope, scopesIn } from '../../../protocol/scope.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import { type CallAt, createPathTable } from '../../../server/http/path-table.ts';
import {
  bearerClaims,
  entryUnknown,
  inputInvalid,
  notServed,
  requireBearer,
  rightMissing,
} from '../../management/call.ts';
import { withParents } from '../ids.ts';
import { addressOf } from '../places.ts';
import { isGraph } from '../scopes.ts';
import {
  application,
  type DirectoryObject,
  type DirectoryUser,
  directoryGroups,
  directoryUser,
  directoryUsers,
  groupAt,
  organization,
  servicePrincipal,
} from './directory.ts';

/** The part of Microsoft Graph that applications read at a login: the user, groups, the organization and applications. */
export async function answerGraph(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const caller = await authenticate(server, request);
  const path = pathBelow(server, request);
  const found = table.find(path);
  const call = found?.route.methods.get(request.method);
  if (found === undefined || call === undefined)
    throw notServed('Microsoft Graph', `${request.method} ${path}`, nearest(path));
  const who = found.names.user;
  requireRight(call, caller, who);
  const body = call.run({ server, caller, names: found.names, request, at: `${addressOf(server)}/v1.0${path}` });
  if (body === undefined) throw entryUnknown(`Resource '${found.names.id ?? who ?? path}' does not exist.`);
  return { kind: 'json', status: 200, body };
}

function pathBelow({ issuer, dialect }: AuthorizationServer, { path }: EndpointRequest): string {
  const { pathname } = new URL(addressOf({ issuer, dialect }));
  const below = path.slice(pathname.replace(/\/$/, '').length);
  return below.replace(/^(\/[^/]+)?\/v1\.0/, '').replace(/\/$/, '');
}

/** Users may read about themselves with `User.Read`. */
function requireRight({ needs }: GraphRow, caller: GraphCaller, who: string | undefined): void {
  const isOwn = who === undefined || who === caller.user?.id || who === caller.user?.principalName;
  const enough = isOwn ? needs : needs.filter(each => each !== 'User.Read');
  if (!enough.some(right => caller.rights.has(right))) throw rightMissing(caller.name, enough);
}

function nearest(path: string): string | undefined {
  const [, first = ''] = path.split('/');
  const alike = graphCalls.find(call => call.path.split('/')[1] === first);
  return alike && `${alike.method} /v1.0${alike.path}`;
}

/** One call of Graph. `run` is undefined for an object that does not exist. */
interface GraphRow extends CallAt {
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

const graphCalls: readonly GraphRow[] = [
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

const table = createPathTable(graphCalls);

const usualPage = 100;
const longestPage = 999;

/** One object, with the members that `$select` names. */
function selected(input: GraphInput, of: string, object: DirectoryObject): object {
  return { '@odata.context': contextOf(input, of), ...picked(object, option(input, 'select')) };
}

/** A page of a list: `$filter`, `$select`, `$top`, `$count` and, for the next page, `$skiptoken`. */
function listed(input: GraphInput, of: string, all: readonly DirectoryObject[]): object {
  const kept = all.filter(filterOf(option(input, 'filter')));
  const from = whole(input, 'skiptoken', { usual: 0, least: 0, most: Number.MAX_SAFE_INTEGER });
  const top = whole(input, 'top', { usual: usualPage, least: 1, most: longestPage });
  const end = from + top;
  const select = option(input, 'select');
  return {
    '@odata.context': contextOf(input, of),
    ...(option(input, 'count') === 'true' && { '@odata.count': kept.length }),
    ...(end < kept.length && { '@odata.nextLink': nextLink(input, end) }),
    value: kept.slice(from, end).map(each => picked(each, select)),
  };
}

function contextOf({ server }: GraphInput, of: string): string {
  return `${addressOf(server)}/v1.0/$metadata#${of}`;
}

function nextLink({ at, request }: GraphInput, skiptoken: number): string {
  const others = [...request.parameters.values].filter(([name]) => name !== '$skiptoken');
  return `${at}?${new URLSearchParams([...others, ['$skiptoken', String(skiptoken)]])}`;
}

function option({ request }: GraphInput, name: string): string | undefined {
  return request.parameters.values.get(`$${name}`);
}

interface Range {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

function whole(input: GraphInput, name: string, { usual, least, most }: Range): number {
  const text = option(input, name);
  if (text === undefined) return usual;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw inputInvalid(`Invalid value '${text.slice(0, 50)}' for $${name} query option found.`);
}

function picked(object: DirectoryObject, select: string | undefined): object {
  if (select === undefined) return object;
  const names = new Set(['@odata.type', ...select.split(',').map(name => name.trim())]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)));
}

type Test = (object: DirectoryObject) => boolean;

/** `mail eq 'a@b.c' and startswith(displayName,'A')`: nothing else is understood, and the rest is refused. */
function filterOf(filter: string | undefined): Test {
  if (filter === undefined) return () => true;
  const tests = termsOf(filter).map(testOf);
  return object => tests.every(isMet => isMet(object));
}

/** The terms between the words `and`. One in quotes, as in `'Sales and Marketing'`, is text. */
function termsOf(filter: string): readonly string[] {
  const pieces = filter.split(/('(?:[^']|'')*')/); // each other piece is in quotes
  const marked = pieces.map((piece, index) => (index % 2 === 0 ? piece.replace(/\s+and\s+/gi, '\0') : piece));
  return marked.join('').split('\0');
}

const equality = /^\s*(\w{1,60})\s+eq\s+(?:'((?:[^']|'')*)'|(true|false|null))\s*$/;
const beginning = /^\s*startswith\(\s*(\w{1,60})\s*,\s*'((?:[^']|'')*)'\s*\)\s*$/i;

function testOf(term: string): Test {
  const [, name, text, word] = equality.exec(term) ?? [];
  if (name !== undefined) {
    const wanted: unknown = word === undefined ? unquoted(text).toLowerCase() : JSON.parse(word);
    return object => lower(memberOf(object, name)) === wanted;
  }
  const [, start, prefix] = beginning.exec(term) ?? [];
  if (start === undefined)
    throw inputInvalid(`Invalid filter clause: '${term.slice(0, 100)}'. Use eq, startswith and and.`);
  const wanted = unquoted(prefix).toLowerCase();
  return object => String(lower(memberOf(object, start)) ?? '').startsWith(wanted);
}

function memberOf(object: DirectoryObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Graph compares without regard to case. */
function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function unquoted(text = ''): string {
  return text.replaceAll("''", "'");
}

interface GraphCaller {
  readonly name: string;
  /** Absent for an application that acts for itself. */
  readonly user?: DirectoryUser;
  /** Its scopes, or the roles of an application. */
  readonly rights: ReadonlySet<string>;
}

/** @throws invalid_token */
export async function authenticate(server: AuthorizationServer, request: EndpointRequest): Promise<GraphCaller> {
  const token = requireBearer(request, { description: 'Access token is empty.' });
  const { sub: shown = '', jti = '', client_id } = await bearerClaims(server, token, request);
  const { aud, scp, roles } = decodeJwt(token)?.claims ?? {};
  if (!isGraph(String(aud))) {
    const description = 'Access token validation failure. Invalid audience.';
    throw invalidToken('access_token_for_another_resource', description, {
      sent: String(aud),
      expected: 'a token for Graph',
    });
  }
  const { sub = shown } = (await findAuthorization(server, parseTokenIdentifier(jti).authorizationId)) ?? {};
  const user = server.users.get(sub);
  if (user === undefined) return { name: `the app ${String(client_id)}`, rights: new Set(scopesIn(roles)) };
  const rights = new Set(parseScope(typeof scp === 'string' ? scp : ''));
  return { name: `the user ${user.username}`, user: directoryUser(server, user), rights };
}

interface GraphInput {
  readonly server: AuthorizationServer;
  readonly caller: GraphCaller;
  readonly names: Readonly<Record<string, string>>;
  readonly request: EndpointRequest;
  /** The address that was called, without its query. */
  readonly at: string;
}
