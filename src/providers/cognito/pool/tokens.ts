import { defined } from '../../../base/defined.ts';
import type { Emit } from '../../../base/events/event.ts';
import type { Redemption } from '../../../protocol/authorization.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { refreshToken } from '../../../protocol/grants/refresh-token.ts';
import { parseParameters } from '../../../protocol/parameters.ts';
import { issueIdToken, issueTokens } from '../../../protocol/tokens/issue-tokens.ts';
import type { TestUser } from '../../../protocol/users/user.ts';
import type { UserPool } from './pool.ts';

/** The scope of tokens that this API issues. Its own actions for users need it, too. */
export const ownScope = 'aws.cognito.signin.user.admin';

/** The client that asks for tokens, and the log of its request. */
export interface PoolClientCall {
  readonly client: RegisteredClient;
  readonly emit: Emit;
}

/** The answer to a login that is complete. `flow` is its name, such as `USER_PASSWORD_AUTH`. */
export async function signedIn(
  pool: UserPool,
  asking: PoolClientCall,
  { sub }: TestUser,
  flow: string,
): Promise<object> {
  const { random, clock } = pool.server;
  const { client_id } = asking.client;
  const scopes = [ownScope];
  const session = { auth_time: clock(), acr: '1', amr: ['pwd'] };
  asking.emit({ type: 'token.requested', client_id, grant_type: flow, ignored: [] });
  const authorization = { id: random.id(), client_id, grant_type: flow, sub, scopes, resources: [], session };
  return issued(pool, asking, { authorization, scopes, resources: [] });
}

/**
 * The answer to a refresh token, of a login here or on the hosted UI.
 * @throws invalid_grant
 */
export async function refreshed(pool: UserPool, asking: PoolClientCall, token: string): Promise<object> {
  const { client_id } = asking.client;
  asking.emit({ type: 'token.requested', client_id, grant_type: 'refresh_token', ignored: [] });
  const parameters = parseParameters(String(new URLSearchParams({ refresh_token: token })));
  return issued(pool, asking, await refreshToken.redeem({ server: pool.server, parameters, ...asking }));
}

async function issued({ server }: UserPool, { client, emit }: PoolClientCall, redemption: Redemption): Promise<object> {
  const issue = { server, client, emit, redemption: { ...redemption, tokens: ['access', 'refresh'] } as const };
  const { access_token, refresh_token, expires_in } = await issueTokens(issue);
  const IdToken = await issueIdToken({ ...issue, redemption: withIdToken(redemption) }, {});
  return {
    AuthenticationResult: {
      AccessToken: access_token,
      ExpiresIn: expires_in,
      TokenType: 'Bearer',
      ...defined({ IdToken, RefreshToken: refresh_token }),
    },
    ChallengeParameters: {},
  };
}

/** A login here has an ID token, although its scope is not `openid`. */
function withIdToken(redemption: Redemption): Redemption {
  const isOwn = redemption.authorization.grant_type.endsWith('_AUTH');
  return isOwn ? { ...redemption, scopes: ['openid', ...redemption.scopes] } : redemption;
}
