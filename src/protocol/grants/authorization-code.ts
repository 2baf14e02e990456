import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer, GrantHandler, TokenRequest } from '../authorization-server.ts';
import { invalidGrant, invalidRequest, type OAuthError } from '../errors.ts';
import {
  type CodeRecord,
  endedDetails,
  isDecoy,
  isEnded,
  isRevoked,
  revokeAuthorization,
  wasRedeemed,
} from '../kept-authorizations.ts';
import { parameter, requiredParameter, shorten, withValues } from '../parameters.ts';
import { checkBound } from '../proofs/sender-constraint.ts';
import { isRelaxed } from '../relaxation.ts';
import { verifyPkce } from '../requests/pkce.ts';
import { checkResources, narrowedDetails } from '../requests/requested-access.ts';

/** RFC 6749 §4.1.3 with PKCE (RFC 7636 §4.6). A request that fails does not use up the code. */
export const authorizationCode: GrantHandler = {
  grantType: 'authorization_code',
  parameters: ['code', 'redirect_uri', 'code_verifier', 'resource', 'authorization_details'],
  async redeem(request) {
    const { server, parameters, emit } = request;
    const code = requiredParameter(parameters, 'code');
    const issued = await server.store.get<CodeRecord>(['issued_code', code]);
    if (issued === undefined) throw await unknownCode(server, code);
    checkWhatComesWithIt(request, issued);
    const resources = checkResources(server, parameters.resources, issued.authorization.resources);
    const details = await narrowedDetails(request, issued.authorization);
    if (await isEnded(server, issued.tokenId)) await refuseEnded(server, code, issued);
    // checked before the code is taken: the request that loses a race revokes the tokens
    const isOver = await isRevoked(server, issued.authorization.id);
    const isInTime = server.clock() < issued.exp;
    const record = isInTime ? await server.store.take<CodeRecord>(['code', code]) : undefined;
    if (record === undefined) throw await explainMissing(server, code, issued, emit);
    const { authorization, tokenId } = record;
    if (isOver) {
      const about = { tokenId, authorizationId: authorization.id };
      throw invalidGrant('authorization_revoked', 'the sign-in behind this code has ended or was revoked', { about });
    }
    return { authorization, scopes: authorization.scopes, resources, parentTokenId: tokenId, ...details };
  },
};

/** Checks client, redirect URI and verifier first, so that only a request that would be right can count as a replay. */
function checkWhatComesWithIt({ server, client, parameters, confirmation }: TokenRequest, issued: CodeRecord): void {
  if (issued.authorization.client_id !== client.client_id) {
    throw invalidGrant('code_of_another_client', 'the code was issued to a different client', {
      sent: client.client_id,
      expected: issued.authorization.client_id,
    });
  }
  checkRedirectUri(server, issued, parameter(parameters, 'redirect_uri'));
  const isDowngraded = issued.code_challenge === undefined && isRelaxed(server, client.client_id, 'pkce_downgrade');
  if (!isDowngraded) verifyPkce(issued.code_challenge, parameter(parameters, 'code_verifier'));
  if (issued.dpop_jkt !== undefined) checkBound('the code', { jkt: issued.dpop_jkt }, confirmation);
}

/**
 * Compares the redirect URI with that of the authorization request. If that one had none, or with a code_challenge, it may be
 * absent: clients of OAuth 2.1 §10.2 leave it out. Providers need it all the same.
 */
function checkRedirectUri(
  { dialect }: AuthorizationServer,
  { redirect_uri, hasNoRedirectUri, code_challenge }: CodeRecord,
  sent: string | undefined,
): void {
  if (sent === redirect_uri) return;
  if (sent === undefined) {
    if (hasNoRedirectUri || (code_challenge !== undefined && !dialect?.redirectUriNeeded)) return;
    const description = 'redirect_uri is missing: it must match the authorization request';
    throw invalidRequest('redirect_uri_missing', description, { sent: 'none', expected: redirect_uri });
  }
  const description = withValues('redirect_uri differs from the authorization request', sent, redirect_uri);
  throw invalidGrant('redirect_uri_mismatch', description, { sent: shorten(sent), expected: redirect_uri });
}

async function unknownCode(server: AuthorizationServer, code: string): Promise<OAuthError> {
  if (!(await isDecoy(server, code))) {
    return invalidGrant('code_expired_or_unknown', 'the code is unknown, or it expired long ago');
  }
  const description = 'the client redeemed a code that came with a wrong state: the sandbox sent that state on purpose';
  return invalidGrant('state_not_checked', description, {
    expected: 'no token request, because the client must drop a response with a wrong state',
  });
}

/** Refuses an ended code without deleting it, so that it can be resumed. A redeemed code is reported as a replay instead. */
async function refuseEnded(server: AuthorizationServer, code: string, issued: CodeRecord): Promise<void> {
  const { tokenId, authorization } = issued;
  if (await wasRedeemed(server, code)) return;
  const description = 'the code has expired: it was ended early';
  throw invalidGrant('token_ended', description, endedDetails({ tokenId, authorizationId: authorization.id }));
}

async function explainMissing(
  server: AuthorizationServer,
  code: string,
  { authorization, tokenId, exp }: CodeRecord,
  emit: Emit,
): Promise<OAuthError> {
  const now = server.clock();
  if (now >= exp && !(await wasRedeemed(server, code))) {
    const description = `the code expired ${now - exp} s ago: a code lasts ${server.lifetimes.code} s`;
    return invalidGrant('code_expired_or_unknown', description, {
      sent: `a code that is ${now - exp + server.lifetimes.code} s old`,
      expected: `a code that is at most ${server.lifetimes.code} s old`,
    });
  }
  await revokeAuthorization(server, authorization.id);
  const { id: authorizationId, client_id } = authorization;
  emit({ type: 'token.revoked', authorizationId, client_id, reason: 'code_replayed' });
  return invalidGrant('code_replayed', 'the code was used before: its tokens are now revoked', {
    about: { tokenId, authorizationId },
  });
}
