import type { Redemption } from '../../protocol/authorization.ts';
import type { AuthorizationServer, GrantHandler, TokenRequest } from '../../protocol/authorization-server.ts';
import { findClient } from '../../protocol/clients/find-client.ts';
import { createDialect } from '../../protocol/dialects/create-dialect.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { invalidScope } from '../../protocol/errors.ts';
import type { RefreshTokenRecord } from '../../protocol/kept-authorizations.ts';
import { lenientParameter, parameter, requiredParameter, shorten } from '../../protocol/parameters.ts';
import { formatScope } from '../../protocol/scope.ts';
import type { EndpointFunction } from '../../server/http/adapter.ts';
import { dialect as wire } from './dialect.ts';
import { pageLoginOf, rememberPageLogin, type SpaLogin } from './page-logins.ts';
import { requireTenant } from './places.ts';
import { defaultOf, heardResource, narrowed, ownScopes, resourcesOf, withValues } from './scopes.ts';

/** One request at the token endpoint, and what becomes known of it. */
interface TokenCall {
  readonly request: EndpointRequest;
  readonly isFirst: boolean;
  /** The login on a page of another origin that the grant came from. */
  page?: SpaLogin;
}

/** The token endpoint of version 2.0: scopes name the resource, and there is one resource a token. */
export const tokenEndpoint: EndpointFunction = (server, request) => answer(server, { request, isFirst: false });

/** The token endpoint of version 1.0, where `resource` names it. */
export const firstTokenEndpoint: EndpointFunction = (server, request) =>
  answer(server, { request: { ...request, parameters: heardResource(request.parameters) }, isFirst: true });

async function answer(server: AuthorizationServer, call: TokenCall): Promise<Reply> {
  await requireTenant(server, call.request);
  await requirePageOfClient(server, call);
  const reply = await token(serverFor(server, call), call.request);
  const { page } = call;
  if (page === undefined || reply.kind !== 'json' || !('refresh_token' in reply.body)) return reply;
  return { ...reply, body: { ...reply.body, refresh_token_expires_in: page.exp - server.clock() } };
}

/** A page that must not redeem the grant learns that before it learns that it has no secret. */
async function requirePageOfClient(server: AuthorizationServer, { request }: TokenCall): Promise<void> {
  const { parameters, origin } = request;
  const client = await findClient(server, lenientParameter(parameters, 'client_id') ?? '');
  if (client !== undefined && origin !== undefined) await pageLoginOf({ server, client, parameters }, origin);
}

function serverFor(server: AuthorizationServer, call: TokenCall): AuthorizationServer {
  const grants = [...server.grants].map(([name, grant]) => [name, ruled(grant, call)] as const);
  const device = server.grants.get('urn:ietf:params:oauth:grant-type:device_code');
  // the first version, and older SDKs, have this name
  const all = new Map([...grants, ...(device === undefined ? [] : [['device_code', ruled(device, call)] as const])]);
  const { dialect, lifetimes } = server;
  return Object.create(server, {
    grants: { value: all },
    dialect: { value: call.isFirst ? firstDialect(server) : dialect },
    lifetimes: {
      get: () => (call.page ? { ...lifetimes, refreshToken: call.page.exp - server.clock() } : lifetimes),
    },
  }) as AuthorizationServer; // it has all members of `server`
}

/** The same dialect with the answers of version 1.0. */
function firstDialect({ dialect }: AuthorizationServer): AuthorizationServer['dialect'] {
  return createDialect({ name: 'entra', ...wire(), options: { ...dialect?.options, version: '1.0' } });
}

function ruled(grant: GrantHandler, call: TokenCall): GrantHandler {
  return {
    ...grant,
    async redeem(request) {
      if (grant.grantType === 'client_credentials') return forMachine(grant, request);
      const scope = lenientParameter(request.parameters, 'scope');
      requireOneResource(request, scope);
      call.page = await pageLoginOf(request, call.request.origin);
      const redemption = await grant.redeem(await withGrantedScope(grant, request, scope));
      if (call.page) await rememberPageLogin(request.server, redemption.authorization, call.page);
      return limited(narrowed(redemption, request, scope), call);
    },
  };
}

/** A client without a user gets all its permissions of one resource: `…/.default`. */
async function forMachine(grant: GrantHandler, request: TokenRequest): Promise<Redemption> {
  const scope = requiredParameter(request.parameters, 'scope');
  const resource = defaultOf(scope);
  if (resource === undefined || scope.includes(' ')) {
    const details = { sent: shorten(scope), expected: 'api://…/.default' };
    throw invalidScope('scope_not_default', 'client_credentials needs a scope that ends with /.default', details);
  }
  const parameters = withValues(request.parameters, { scope: undefined });
  const redemption = await grant.redeem({ ...request, parameters });
  return { ...redemption, scopes: [], resources: [resource] };
}

function requireOneResource({ client }: TokenRequest, scope: string | undefined): void {
  const resources = resourcesOf(ownScopes(client, scope));
  if (resources.length < 2) return;
  const details = { sent: shorten(scope ?? '', 300), expected: 'scopes of one resource' };
  throw invalidScope('scope_of_several_resources', `scope names the resources ${resources.join(' and ')}`, details);
}

/** At a refresh `.default` means the granted scopes of the resource; other grants read their scope in our words. */
async function withGrantedScope(
  { grantType }: GrantHandler,
  request: TokenRequest,
  scope: string | undefined,
): Promise<TokenRequest> {
  if (scope === undefined) return request;
  const { server, client, parameters } = request;
  const own = ownScopes(client, scope);
  if (grantType !== 'refresh_token')
    return { ...request, parameters: withValues(parameters, { scope: formatScope(own) }) };
  const sent = parameter(parameters, 'refresh_token') ?? '';
  const record = await server.store.get<RefreshTokenRecord>(['refresh_token', sent]);
  const granted = record?.authorization.scopes ?? [];
  const isWhole = defaultOf(scope.split(' ').find(each => defaultOf(each) !== undefined) ?? '') !== undefined;
  const asked = isWhole ? own.filter(each => granted.includes(each)) : own;
  if (isWhole && asked.length === 0 && record !== undefined) throw notConsented(scope);
  // the token has all granted scopes of the resource, and not only those that were asked for
  const all = [...new Set([...asked, ...granted])];
  return { ...request, parameters: withValues(parameters, { scope: formatScope(all) }) };
}

function notConsented(scope: string) {
  const details = { sent: shorten(scope), expected: 'a resource that the user was asked for' };
  return invalidScope('scope_widened', 'the user was never asked for scopes of this resource', details);
}

/** Only `offline_access` brings a refresh token; in the first version every login does. */
function limited(redemption: Redemption, { isFirst }: TokenCall): Redemption {
  const isOffline = isFirst || redemption.authorization.scopes.includes('offline_access');
  return isOffline || redemption.tokens !== undefined ? redemption : { ...redemption, tokens: ['access', 'id'] };
}
