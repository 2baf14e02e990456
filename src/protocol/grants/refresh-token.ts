import type { Emit } from '../../base/events/event.ts';
import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer, GrantHandler } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidGrant, invalidScope, type OAuthError } from '../errors.ts';
import {
  endedDetails,
  isEnded,
  isRevoked,
  type RefreshTokenRecord,
  revokeAuthorization,
} from '../kept-authorizations.ts';
import { parameter, requiredParameter, shorten } from '../parameters.ts';
import { checkBound } from '../proofs/sender-constraint.ts';
import { checkResources, narrowedDetails } from '../requests/requested-access.ts';
import { foreignScopes, parseScope } from '../scope.ts';

/** RFC 6749 §6 with rotation and reuse detection (RFC 9700 §4.14.2). */
export const refreshToken: GrantHandler = {
  grantType: 'refresh_token',
  parameters: ['refresh_token', 'scope', 'resource', 'authorization_details'],
  async redeem({ server, client, parameters, emit, confirmation }) {
    const token = requiredParameter(parameters, 'refresh_token');
    const record = await server.store.get<RefreshTokenRecord>(['refresh_token', token]);
    if (record === undefined) throw await explainMissing(server, client, token, emit);
    const { authorization, tokenId } = record;
    if (authorization.client_id !== client.client_id) throw ofAnotherClient(client.client_id, authorization.client_id);
    if (await isRevoked(server, authorization.id)) {
      const about = { tokenId, authorizationId: authorization.id };
      throw invalidGrant('authorization_revoked', 'the authorization behind this refresh token was revoked', { about });
    }
    if (await isEnded(server, tokenId)) throw endedToken(record);
    checkBound('the refresh token', authorization.confirmation, confirmation);
    const scopes = narrowed(authorization.scopes, parameter(parameters, 'scope'));
    const resources = checkResources(server, parameters.resources, authorization.resources);
    const details = await narrowedDetails({ server, client, parameters }, authorization);
    const kept = { authorization: withoutNonce(authorization), scopes, resources, ...details };
    const redemption = { ...kept, parentTokenId: tokenId, grant_type: 'refresh_token' };
    // FAPI 2.0 Security Profile §5.3.2.1: no rotation, since the tokens are bound
    if (!client.refresh_token_rotation || server.profile === 'fapi2') return { ...redemption, refreshToken: token };
    const taken = await server.store.take(['refresh_token', token]);
    if (taken === undefined) throw await explainMissing(server, client, token, emit);
    return redemption;
  },
};

/** A known token that is used up was stolen, or its answer was lost. In both cases all tokens of the authorization end. */
async function explainMissing(
  server: AuthorizationServer,
  client: RegisteredClient,
  token: string,
  emit: Emit,
): Promise<OAuthError> {
  const issued = await server.store.get<RefreshTokenRecord>(['issued_refresh_token', token]);
  if (issued === undefined) {
    return invalidGrant('refresh_token_expired_or_unknown', 'the refresh token is unknown or has expired');
  }
  const { id: authorizationId, client_id } = issued.authorization;
  if (client_id !== client.client_id) return ofAnotherClient(client.client_id, client_id);
  if (issued.revoked) {
    return invalidGrant('authorization_revoked', 'the refresh token was revoked at the revocation endpoint');
  }
  // an expired token is useless to a thief, so nothing is revoked
  if (await isEnded(server, issued.tokenId)) return endedToken(issued);
  await revokeAuthorization(server, authorizationId);
  emit({ type: 'token.revoked', authorizationId, client_id, reason: 'refresh_token_reused' });
  const description = 'the refresh token was used before: all tokens of this sign-in are now revoked';
  return invalidGrant('refresh_token_reused', description, {
    expected: 'the refresh token of the latest token response',
    about: { tokenId: issued.tokenId, authorizationId },
  });
}

function endedToken({ tokenId, authorization }: RefreshTokenRecord): OAuthError {
  const description = 'the refresh token has expired: it was ended early';
  return invalidGrant('token_ended', description, endedDetails({ tokenId, authorizationId: authorization.id }));
}

/** OIDC Core §12.2: an ID token from a refresh should have none. */
function withoutNonce({ nonce: _, ...authorization }: Authorization): Authorization {
  return authorization;
}

function ofAnotherClient(sent: string, expected: string): OAuthError {
  const description = 'the refresh token was issued to a different client';
  return invalidGrant('refresh_token_of_another_client', description, { sent, expected });
}

/** The original scope may be repeated or narrowed, never widened; a narrower token does not narrow the grant. */
function narrowed(granted: readonly string[], scope: string | undefined): readonly string[] {
  const asked = parseScope(scope);
  const foreign = foreignScopes(asked, granted);
  if (foreign.length > 0) {
    const sent = shorten(foreign.join(' '));
    throw invalidScope('scope_widened', `scope was not granted: ${sent}`, { sent, expected: granted.join(' ') });
  }
  return asked.length === 0 ? granted : asked;
}
