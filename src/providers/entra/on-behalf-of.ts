import { defined } from '../../base/defined.ts';
import type { Redemption } from '../../protocol/authorization.ts';
import type { GrantHandler, TokenRequest } from '../../protocol/authorization-server.ts';
import { isPublic } from '../../protocol/clients/client.ts';
import { requireGrant } from '../../protocol/clients/client-authentication.ts';
import { invalidClient, invalidGrant, invalidRequest, type OAuthError } from '../../protocol/errors.ts';
import { jwtBearer } from '../../protocol/grants/jwt-bearer.ts';
import { descendantId, findAuthorization } from '../../protocol/kept-authorizations.ts';
import { parameter, requiredParameter, shorten } from '../../protocol/parameters.ts';
import { requestedScopes } from '../../protocol/requests/requested-access.ts';
import { type FoundToken, findToken, verifiedClaims } from '../../protocol/tokens/find-token.ts';
import { readUnverified } from '../../protocol/unverified-jwt.ts';

const use = 'requested_token_use';

/**
 * The on-behalf-of flow: an API redeems the access token that it was called with for one of a further API. Each client that
 * proves itself may do so. Without `requested_token_use` the grant is that of RFC 7523.
 */
export const onBehalfOf: GrantHandler = {
  ...jwtBearer,
  isForAll: true,
  parameters: [...jwtBearer.parameters, use],
  async redeem(request) {
    const sent = parameter(request.parameters, use);
    if (sent === 'on_behalf_of') return redeemFor(request);
    if (sent !== undefined) {
      const details = { sent: shorten(sent), expected: 'on_behalf_of' };
      throw invalidRequest('requested_token_use_unsupported', `${use} has a value that is not supported`, details);
    }
    requireGrant(request.client, jwtBearer.grantType);
    return jwtBearer.redeem(request);
  },
};

async function redeemFor(request: TokenRequest): Promise<Redemption> {
  const { server, client, parameters } = request;
  if (isPublic(client)) {
    const details = { expected: 'a client with a secret or a key' };
    throw invalidClient('client_secret_missing', 'a client without a secret cannot act on behalf of users', details);
  }
  const { claims, authorizationId, tokenId } = await readAssertion(request);
  const login = await findAuthorization(server, authorizationId);
  const sub = login?.sub ?? claims.sub ?? '';
  if (!server.users.has(sub)) throw unusable('a token without a user', 'the assertion is about no user');
  const scopes = requestedScopes(server, client, parameter(parameters, 'scope'));
  const authorization = {
    id: descendantId(authorizationId, server.random.id()),
    client_id: client.client_id,
    grant_type: jwtBearer.grantType,
    sub,
    scopes,
    resources: [],
    ...defined({ session: login?.session, edited: login?.edited }),
  };
  return { authorization, scopes, resources: [], parentTokenId: tokenId };
}

async function readAssertion(request: TokenRequest): Promise<FoundToken> {
  const { server, parameters } = request;
  const token = requiredParameter(parameters, 'assertion');
  const found = await findToken(server, token, 'access_token');
  if (found?.type !== 'access_token') {
    const isIdToken = (await verifiedClaims(server, token, 'JWT')) !== undefined;
    throw unusable(isIdToken ? 'an ID token' : 'another token', 'the assertion is no access token of this tenant');
  }
  if (found.state === 'revoked') throw invalidGrant('authorization_revoked', 'the grant of the assertion was revoked');
  if (found.state !== 'active') throw outOfTime(found);
  requireAudience(request, token);
  return found;
}

/** The token must be for the API that redeems it. */
function requireAudience({ client }: TokenRequest, token: string): void {
  const { client_id, audience } = client;
  const own = [client_id, `api://${client_id}`, ...audience];
  const { aud } = readUnverified(token).claims;
  if ([aud].flat().some(each => each !== undefined && own.includes(each))) return;
  const details = { sent: shorten([aud].flat().join(' ')), expected: own.join(' or ') };
  throw invalidGrant('user_assertion_audience_mismatch', 'the assertion is for another API', details);
}

function outOfTime({ claims: { exp = 0 } }: FoundToken): OAuthError {
  const details = { sent: new Date(exp * 1000).toISOString(), expected: 'an access token within its lifetime' };
  return invalidGrant('user_assertion_expired', 'the assertion is not within its lifetime', details);
}

function unusable(sent: string, description: string): OAuthError {
  const expected = 'an access token of a user for this API';
  return invalidGrant('user_assertion_unusable', description, { sent, expected });
}
