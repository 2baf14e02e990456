import type { Confirmation } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { invalidToken, OAuthError } from '../../protocol/errors.ts';
import { bearerToken, noAccessToken } from '../../protocol/proofs/bearer-token.ts';
import { checkBinding } from '../../protocol/proofs/sender-constraint.ts';
import { scopesIn } from '../../protocol/scope.ts';
import { parseTokenIdentifier } from '../../protocol/tokens/access-token.ts';
import { verifyAccessToken } from '../../protocol/tokens/verify-access-token.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';
import { type Addresses, emailsJson, organizationsJson, userJson } from './user.ts';

interface Caller {
  readonly user: TestUser;
  readonly headers: Readonly<Record<string, string>>;
}

/** The user of a token. It needs no scope. */
export async function user(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { user: found, headers } = await callerOf(server, request, []);
  return { kind: 'json', status: 200, body: userJson(found, addressesAt(server, request)), headers };
}

/** The e-mail addresses of the user. Without the scope GitHub answers as if there were no such path. */
export async function emails(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { user: found, headers } = await callerOf(server, request, ['user', 'user:email'], [404, 'Not Found']);
  return { kind: 'json', status: 200, body: emailsJson(found), headers };
}

/** The organizations of the user. */
export async function organizations(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const message = 'You need at least read:org scope or user scope to list your organizations.';
  const { user: found, headers } = await callerOf(server, request, ['read:org', 'user'], [403, message]);
  return { kind: 'json', status: 200, body: organizationsJson(found, addressesAt(server, request)), headers };
}

/** The API is at the same address as the request: below `/api/v3`, or at the root. */
function addressesAt({ issuer }: AuthorizationServer, { path }: EndpointRequest): Addresses {
  return { site: issuer, api: path.includes('/api/v3/') ? `${issuer}/api/v3` : issuer };
}

/**
 * The user behind a token with one of these scopes. A GitHub App has permissions in place of scopes, and has them all.
 * @throws OAuthError with the status and the message of `refusal` for a token without the scope
 */
async function callerOf(
  server: AuthorizationServer,
  request: EndpointRequest,
  accepted: readonly string[],
  [status, message]: readonly [status: number, message: string] = [403, ''],
): Promise<Caller> {
  const token = bearerToken(request.authorization?.replace(/^token\s+/i, 'Bearer '));
  if (token === undefined) throw noAccessToken(request.authorization);
  const claims = await verifyAccessToken(server, token);
  const presented = { token, scheme: 'Bearer', method: request.method } as const;
  await checkBinding(server, presented, claims.cnf as Confirmation | undefined, request); // the token is ours
  const [client_id, scopes] = [String(claims.client_id), scopesIn(claims.scope)];
  const headers = {
    'X-OAuth-Scopes': scopes.join(', '),
    'X-Accepted-OAuth-Scopes': accepted.join(', '),
    'X-OAuth-Client-Id': client_id,
    'X-GitHub-Media-Type': 'github.v3; format=json',
  };
  const isApp = server.dialect?.name === 'github-app';
  if (accepted.length > 0 && !isApp && !accepted.some(scope => scopes.includes(scope))) {
    const details = { status, sent: scopes.join(' ') || 'no scope', expected: accepted.join(' or '), headers };
    throw new OAuthError('insufficient_scope', 'management_right_missing', message, details);
  }
  const found = loggedInUser(server, { sub: String(claims.sub) });
  if (found === undefined) {
    throw invalidToken('access_token_not_for_a_user', 'the access token is not about a user of this sandbox');
  }
  request.emit({
    type: 'token.used',
    endpoint: 'userinfo',
    ...parseTokenIdentifier(claims.jti),
    client_id,
    sub: found.sub,
  });
  return { user: found, headers };
}
