import { authenticateClient } from '../../../protocol/clients/client-authentication.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { revoke as revokeToken } from '../../../protocol/endpoints/revoke.ts';
import { findAuthorization } from '../../../protocol/kept-authorizations.ts';
import { parseParameters, shorten } from '../../../protocol/parameters.ts';
import { scopesIn } from '../../../protocol/scope.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import { findToken } from '../../../protocol/tokens/find-token.ts';
import { passwordFits } from '../../../protocol/users/user.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { bearerClaims, type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { endAll } from '../../management/users.ts';
import { attributesOf, claimsOf } from './attributes.ts';
import { answer, refused } from './errors.ts';
import { type Confirmed, guarded, requireConfirmed } from './login.ts';
import { membersOf } from './members.ts';
import { poolClient, required, requireOpen, type UserPool } from './pool.ts';
import { ownScope, refreshed } from './tokens.ts';
import { changeUser, removeUser, requireGoodPassword, setPassword, userNamed } from './users.ts';

/** Actions of a user who is logged in, and those with a refresh token. */
export const signedInActions: readonly ManagementCall<UserPool>[] = [
  call('POST /GetUser', 'the user of an access token', undefined, getUser),
  call('POST /UpdateUserAttributes', 'changes attributes of that user', undefined, async (sent, pool) => {
    requireOpen(pool);
    const user = await userOf(pool, sent);
    const { UserAttributes } = membersOf(sent);
    const added = claimsOf(required(UserAttributes, 'UserAttributes'));
    await changeUser(pool, user, { claims: { ...user.claims, ...added } });
    return answer({ CodeDeliveryDetailsList: [] });
  }),
  call('POST /ChangePassword', 'changes the password of that user', undefined, changePassword),
  call('POST /DeleteUser', 'removes that user', undefined, async (sent, pool) => {
    requireOpen(pool);
    await removeUser(pool, await userOf(pool, sent));
  }),
  call('POST /GlobalSignOut', 'ends all sessions and tokens of that user', undefined, async (sent, pool) =>
    endAll(pool, (await userOf(pool, sent)).sub),
  ),
  call('POST /GetTokensFromRefreshToken', 'refreshes tokens', undefined, refresh),
  call('POST /RevokeToken', 'ends a refresh token and all that came from it', undefined, revoke),
];

/**
 * The user of an access token.
 * @throws NotAuthorizedException
 */
export async function userOf(
  pool: UserPool,
  { body, request }: CallInput,
): Promise<Confirmed & { readonly client_id: string }> {
  const { server } = pool;
  const token = required(membersOf({ body }).AccessToken, 'AccessToken');
  const { sub: shown = '', jti, scope, client_id } = await bearerClaims(server, token, request);
  if (!scopesIn(scope).includes(ownScope))
    throw refused('NotAuthorizedException', 'Access Token does not have required scopes');
  const { sub = shown } = (await findAuthorization(server, parseTokenIdentifier(jti).authorizationId)) ?? {};
  const user = server.users.has(sub) ? userNamed(pool, sub) : undefined;
  if (user === undefined) throw refused('UserNotFoundException', 'User does not exist.');
  return { ...requireConfirmed(user), client_id: String(client_id) };
}

async function getUser(sent: CallInput, pool: UserPool): Promise<Answer> {
  const user = await userOf(pool, sent);
  return answer({ Username: user.username, UserAttributes: attributesOf(user), ...factorsOf(user.claims) });
}

/** The second factor of a user, if there is one. */
export function factorsOf({ totp_secret }: Readonly<Record<string, unknown>>): object {
  const factor = 'SOFTWARE_TOKEN_MFA';
  return typeof totp_secret === 'string' ? { PreferredMfaSetting: factor, UserMFASettingList: [factor] } : {};
}

async function changePassword(sent: CallInput, pool: UserPool): Promise<Answer> {
  requireOpen(pool);
  const user = await userOf(pool, sent);
  const { PreviousPassword, ProposedPassword } = membersOf(sent);
  const password = requireGoodPassword(required(ProposedPassword, 'ProposedPassword'));
  const asking = { client: poolClient(pool, user.client_id), emit: sent.request.emit };
  const refuse = await guarded(pool, asking, user.username);
  if (!(await passwordFits(user.account, required(PreviousPassword, 'PreviousPassword')))) return refuse();
  await setPassword(pool, user, password, 'CONFIRMED');
  return answer();
}

async function refresh({ body, request }: CallInput, pool: UserPool): Promise<Answer> {
  const { ClientId, ClientSecret, RefreshToken } = membersOf({ body });
  const token = required(RefreshToken, 'RefreshToken');
  poolClient(pool, ClientId);
  const { client } = await authenticateClient(pool.server, formOf(request, ClientId, ClientSecret));
  const { AuthenticationResult } = (await refreshed(pool, { client, emit: request.emit }, token)) as Answered;
  return answer({ AuthenticationResult });
}

interface Answered {
  readonly AuthenticationResult: object;
}

async function revoke({ body, request }: CallInput, pool: UserPool): Promise<void> {
  const { ClientId, ClientSecret, Token } = membersOf({ body });
  const token = required(Token, 'Token');
  poolClient(pool, ClientId);
  const found = await findToken(pool.server, token, 'refresh_token');
  if (found !== undefined && found.type !== 'refresh_token')
    throw refused('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked', shorten(found.type));
  await revokeToken(pool.server, formOf(request, ClientId, ClientSecret, token));
}

/** The request as a form with the client, as the endpoints of the protocol read it. */
function formOf(request: EndpointRequest, client_id = '', client_secret?: string, token?: string): EndpointRequest {
  const { authorization: _, ...others } = request;
  const members = Object.entries({ client_id, client_secret, token }).filter(([, value]) => value !== undefined);
  // the values that are left are text
  return { ...others, parameters: parseParameters(String(new URLSearchParams(members as [string, string][]))) };
}
