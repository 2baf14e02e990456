import type { ExchangeTokenType } from '../authorization.ts';
import { invalidRequest, invalidScope, type OAuthError } from '../errors.ts';
import { lastMoment } from './access-token.ts';
import { type Issue, issueAccessToken, issueIdToken, issueRefreshToken, issueTokens } from './issue-tokens.ts';
import type { TokenResponse } from './token-response.ts';

/** The URN of a token type (RFC 8693 §3). */
function tokenTypeUrn(type: ExchangeTokenType): string {
  return `urn:ietf:params:oauth:token-type:${type}`;
}

/**
 * Response of a token exchange: the requested token is always in the member `access_token`, and `token_type` is `N_A`
 * unless it is an access token (RFC 8693 §2.2.1).
 * @throws invalid_request or invalid_scope for a type that this client or subject cannot have
 */
export async function issueRequestedToken(issue: Issue): Promise<TokenResponse> {
  const { redemption } = issue;
  const type = redemption.requestedTokenType ?? 'access_token';
  const issued_token_type = tokenTypeUrn(type);
  if (type === 'access_token') {
    const response = { ...redemption.response, issued_token_type };
    return issueTokens({ ...issue, redemption: { ...redemption, tokens: ['access'], response } });
  }
  const { token, expires_in } = await issuers[type](issue);
  const scope = redemption.scopes.length === 0 || type === 'id_token' ? {} : { scope: redemption.scopes.join(' ') };
  return {
    access_token: token,
    token_type: 'N_A',
    expires_in,
    ...scope,
    ...redemption.response,
    issued_token_type,
  };
}

type Issuer = (issue: Issue) => Promise<{ readonly token: string; readonly expires_in: number }>;

const issuers: Readonly<Record<Exclude<ExchangeTokenType, 'access_token'>, Issuer>> = {
  async jwt(issue) {
    const { token, exp } = await issueAccessToken(issue, 'JWT');
    return { token, expires_in: exp - issue.server.clock() };
  },
  async id_token(issue) {
    const { server, client, redemption } = issue;
    checkUser(issue, 'id_token');
    if (!redemption.scopes.includes('openid')) {
      throw invalidScope('scope_missing_openid', 'an ID Token needs the scope openid, requested and granted before', {
        sent: redemption.scopes.join(' ') || 'no scope',
        expected: 'openid',
      });
    }
    const token = await issueIdToken(issue, {});
    if (token === undefined) throw unavailable('id_token', 'the subject is not a user');
    return { token, expires_in: remaining(issue, client.id_token_lifetime ?? server.lifetimes.idToken) };
  },
  async refresh_token(issue) {
    const { server, client } = issue;
    checkUser(issue, 'refresh_token');
    const token = await issueRefreshToken(issue);
    if (token === undefined) throw unavailable('refresh_token', 'this client is not registered for refresh_token');
    return { token, expires_in: remaining(issue, client.refresh_token_lifetime ?? server.lifetimes.refreshToken) };
  },
};

/** Refuses a client that acts for itself: it can ask again at any time, and has no user to describe. */
function checkUser({ server, redemption: { authorization } }: Issue, type: ExchangeTokenType): void {
  if (authorization.sub !== undefined && server.users.has(authorization.sub)) return;
  throw unavailable(type, 'the subject is not a user of this server');
}

function unavailable(type: ExchangeTokenType, why: string): OAuthError {
  const details = {
    sent: tokenTypeUrn(type),
    expected: `${tokenTypeUrn('access_token')}, or a subject that is a user`,
  };
  return invalidRequest('requested_token_type_unavailable', `no ${type} can be issued here: ${why}`, details);
}

function remaining({ server, redemption }: Issue, lifetime: number): number {
  return Math.min(lifetime, lastMoment(redemption) - server.clock());
}
