import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../../protocol/endpoints/endpoint.ts';
import { createPathTable } from '../../../server/http/path-table.ts';
import { entryUnknown, notServed, rightMissing } from '../../management/refusals.ts';
import { addressOf } from '../places.ts';
import { authenticate, type GraphCaller } from './access.ts';
import { type GraphRow, graphCalls } from './calls.ts';

const table = createPathTable(graphCalls);

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

/** The call whose first step is the same. */
function nearest(path: string): string | undefined {
  const [, first = ''] = path.split('/');
  const alike = graphCalls.find(call => call.path.split('/')[1] === first);
  return alike && `${alike.method} /v1.0${alike.path}`;
}
