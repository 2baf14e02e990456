import { decodeJwt } from '../../../base/text/jwt.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { invalidToken } from '../../../protocol/errors.ts';
import { findAuthorization } from '../../../protocol/kept-authorizations.ts';
import { parseScope, scopesIn } from '../../../protocol/scope.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import { bearerClaims, requireBearer } from '../../management/bearer.ts';
import { isGraph } from '../scopes.ts';
import { type DirectoryUser, directoryUser } from './directory.ts';

/** The user or application behind a token for Graph. */
export interface GraphCaller {
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
  if (user === undefined) return { name: `the application ${String(client_id)}`, rights: new Set(scopesIn(roles)) };
  const rights = new Set(parseScope(typeof scp === 'string' ? scp : ''));
  return { name: `the user ${user.username}`, user: directoryUser(server, user), rights };
}

/** A call of Graph that was sent, by a caller who may send it. */
export interface GraphInput {
  readonly server: AuthorizationServer;
  readonly caller: GraphCaller;
  readonly names: Readonly<Record<string, string>>;
  readonly request: EndpointRequest;
  /** The address that was called, without its query. */
  readonly at: string;
}
