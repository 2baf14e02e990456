import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { invalidRequest, invalidToken, type OAuthError } from '../../protocol/errors.ts';
import { parameter, rejectUnreadable } from '../../protocol/parameters.ts';
import { bearerToken } from '../../protocol/proofs/bearer-token.ts';
import { scopesIn } from '../../protocol/scope.ts';
import { findToken, verifiedClaims } from '../../protocol/tokens/find-token.ts';
import { readUnverified } from '../../protocol/unverified-jwt.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';

/**
 * The claims of an ID token or of an access token, which may also be in the Authorization header. Every value is a text, also
 * numbers and booleans.
 */
export async function tokeninfo(
  server: AuthorizationServer,
  { parameters, authorization }: EndpointRequest,
): Promise<Reply> {
  rejectUnreadable(parameters);
  const idToken = parameter(parameters, 'id_token');
  const accessToken = parameter(parameters, 'access_token') ?? bearerToken(authorization);
  if (idToken === undefined && accessToken === undefined) {
    const expected = 'id_token or access_token';
    throw invalidRequest('token_type_unsupported', 'either access_token or id_token required', { expected });
  }
  const about = idToken === undefined ? await aboutAccess(server, accessToken ?? '') : await aboutId(server, idToken);
  return { kind: 'json', status: 200, body: inTexts(about) };
}

function inTexts(members: AnyMembers): AnyMembers {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

async function aboutId(server: AuthorizationServer, token: string): Promise<AnyMembers> {
  const claims = await verifiedClaims(server, token, 'JWT');
  if (claims === undefined || (claims.exp ?? 0) <= server.clock()) throw invalidValue();
  const { alg, kid, typ } = readUnverified(token);
  return { ...claims, alg, kid, typ };
}

async function aboutAccess(server: AuthorizationServer, token: string): Promise<AnyMembers> {
  const found = await findToken(server, token, 'access_token');
  if (found?.type !== 'access_token' || found.state !== 'active') throw invalidValue();
  const { sub, exp = 0, scope } = found.claims;
  const scopes = scopesIn(scope);
  const user = loggedInUser(server, { sub: String(sub) });
  const { email, email_verified } = user?.claims ?? {};
  return {
    azp: found.client_id,
    aud: found.client_id,
    ...(scopes.includes('openid') ? { sub } : {}),
    scope: server.dialect?.writeScopes(scopes),
    exp,
    expires_in: exp - server.clock(),
    ...(scopes.includes('email') ? { email, email_verified } : {}),
  };
}

function invalidValue(): OAuthError {
  return invalidToken('access_token_unreadable', 'Invalid Value', { status: 400 });
}
