import type { Confirmation } from '../authorization.ts';
import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { recallClient } from '../clients/find-client.ts';
import { insufficientScope, invalidToken } from '../errors.ts';
import { finishedClaims } from '../finished-claims.ts';
import { findAuthorization } from '../kept-authorizations.ts';
import { describeValue, shorten } from '../parameters.ts';
import { bearerToken, dpopToken, noAccessToken } from '../proofs/bearer-token.ts';
import { checkBinding, type PresentedToken } from '../proofs/sender-constraint.ts';
import { isAskedFor } from '../protected-resource.ts';
import { scopesIn } from '../scope.ts';
import { parseTokenIdentifier } from '../tokens/access-token.ts';
import { userInfoJwt } from '../tokens/encrypt-jwt.ts';
import { verifyAccessToken } from '../tokens/verify-access-token.ts';
import { requestedClaims, userClaims } from '../users/user-claims.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** UserInfo (OIDC Core §5.3): the claims that the scopes of the access token release. */
export async function userinfo(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const presented = presentedToken(server, request);
  if (presented === undefined) throw noAccessToken(request.authorization, { isInQuery: hasTokenInQuery(request) });
  const token = await verifyAccessToken(server, presented.token);
  const { sub: shown = '', jti = '', client_id, cnf } = token;
  // the token is ours, so its cnf can be trusted
  await checkBinding(server, presented, cnf as Confirmation | undefined, request);
  checkAudience(server, token);
  // absent if the token itself contains everything
  const ids = parseTokenIdentifier(jti);
  const authorization = await findAuthorization(server, ids.authorizationId);
  const sub = authorization?.sub ?? shown;
  const scopes = scopesIn(token.scope);
  if (!scopes.includes('openid')) {
    const sent = scopes.join(' ') || 'a token without scope';
    throw insufficientScope('scope_missing_openid', 'UserInfo needs the scope openid', { sent, expected: 'openid' });
  }
  if (!server.users.has(sub)) {
    throw invalidToken('access_token_not_for_a_user', 'the access token is not about a user of this sandbox');
  }
  request.emit({ type: 'token.used', endpoint: 'userinfo', ...ids, client_id: String(client_id), sub });
  const who = { ...authorization, sub };
  const asked = requestedClaims(server, who, authorization?.claims?.userinfo);
  const usual = { ...userClaims(server, who, scopes), ...asked, sub: shown };
  const client = await recallClient(server, String(client_id));
  if (client === undefined) return { kind: 'json', status: 200, body: usual };
  const grant = { grant_type: '', ...who }; // not kept for a token from before the rules
  const resources = [token.aud ?? []].flat();
  const about = { server, client, authorization: grant, scopes, resources, asked: request.parameters };
  const { written: claims } = await finishedClaims('userinfo', about, usual);
  if (!wantsJwt(client)) return { kind: 'json', status: 200, body: claims };
  const jwt = await userInfoJwt({ server, client, emit: request.emit }, claims);
  return { kind: 'text', type: 'application/jwt', body: jwt };
}

interface TokenClaims {
  readonly aud?: string | readonly string[];
  readonly client_id?: unknown;
  readonly jti?: string;
}

/**
 * True if UserInfo accepts an access token with these claims. A token requested with `resource` is for that resource
 * alone (RFC 8707 §2, RFC 9068 §4): an API that receives one must not use it to learn more about the user. The
 * configured audience of the client does not count, because each of its tokens has it.
 */
export function isForUserInfo(server: AuthorizationServer, { aud, client_id }: TokenClaims): boolean {
  const ours = ownAudiences(server);
  return (
    server.dialect?.userinfoByScope ||
    !isAskedFor(server.clients, { aud, client_id }) ||
    [aud].flat().some(value => ours.some(each => each === value))
  );
}

function ownAudiences(server: AuthorizationServer): readonly string[] {
  return [endpointUrl(server, 'userinfo'), server.iss];
}

function checkAudience(server: AuthorizationServer, claims: TokenClaims): void {
  if (isForUserInfo(server, claims)) return;
  const { aud, client_id, jti = '' } = claims;
  const description = 'the access token is for a different resource: aud contains neither UserInfo nor this issuer';
  throw invalidToken('access_token_for_another_resource', description, {
    ...(typeof client_id === 'string' ? { client_id } : {}),
    about: parseTokenIdentifier(jti),
    sent: shorten(
      [aud]
        .flat()
        .map(value => describeValue(value))
        .join(' and '),
    ),
    expected: ownAudiences(server).join(' or '),
  });
}

/** OIDC Registration §2: UserInfo is JSON unless the client registered an algorithm. */
function wantsJwt(client: RegisteredClient): boolean {
  return client.userinfo_signed_response_alg !== undefined || client.userinfo_encrypted_response_alg !== undefined;
}

/** A token in the query is ignored (OAuth 2.1 §5.1.1). */
function hasTokenInQuery({ method, parameters: { values, inQuery } }: EndpointRequest): boolean {
  return (method === 'POST' ? inQuery : values)?.has('access_token') === true;
}

function presentedToken(server: AuthorizationServer, request: EndpointRequest): PresentedToken | undefined {
  const { method, authorization, parameters } = request;
  const bound = server.features.has('dpop') ? dpopToken(authorization) : undefined;
  if (bound !== undefined) return { token: bound, scheme: 'DPoP', method };
  const token = bearerToken(authorization, method === 'POST' ? parameters : undefined);
  return token === undefined ? undefined : { token, scheme: 'Bearer', method };
}
