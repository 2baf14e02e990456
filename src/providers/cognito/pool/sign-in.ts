import { shorten } from '../../../protocol/parameters.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { respond } from './challenges.ts';
import { answer, refused } from './errors.ts';
import {
  byPassword,
  choice,
  type LoginParameters,
  loginParameters,
  parameterOf,
  srpChallenge,
} from './first-factor.ts';
import { membersOf } from './members.ts';
import { checkSecretHash, isForLogins, poolClient, required, requirePool, type UserPool } from './pool.ts';
import { type PoolClientCall, refreshed } from './tokens.ts';

/** Logins, by the application itself or by its back end. */
export const signInActions: readonly ManagementCall<UserPool>[] = [
  call(
    'POST /InitiateAuth',
    'begins a login by password, SRP or the choice of the user, or refreshes tokens',
    undefined,
    (sent, pool) => initiate(sent, pool, ['USER_PASSWORD_AUTH', 'USER_SRP_AUTH', 'USER_AUTH']),
  ),
  call('POST /AdminInitiateAuth', 'the same for a back end', ['admin'], (sent, pool) => {
    requirePool(pool, membersOf(sent).UserPoolId);
    return initiate(sent, pool, ['ADMIN_USER_PASSWORD_AUTH', 'ADMIN_NO_SRP_AUTH', 'USER_SRP_AUTH', 'USER_AUTH']);
  }),
  call('POST /RespondToAuthChallenge', 'answers a challenge of a login', undefined, respond),
  call('POST /AdminRespondToAuthChallenge', 'the same for a back end', ['admin'], (sent, pool) => {
    requirePool(pool, membersOf(sent).UserPoolId);
    return respond(sent, pool);
  }),
];

async function initiate(input: CallInput, pool: UserPool, flows: readonly string[]): Promise<Answer> {
  const { AuthFlow, AuthParameters = {}, ClientId } = membersOf(input);
  const client = poolClient(pool, ClientId);
  const flow = required(AuthFlow, 'AuthFlow');
  const sent = loginParameters(AuthParameters);
  const asking = { client, emit: input.request.emit };
  if (flow === 'REFRESH_TOKEN_AUTH' || flow === 'REFRESH_TOKEN') return answer(await refresh(pool, asking, sent));
  if (!flows.includes(flow)) {
    const message = `Initiate Auth method not supported: expected one of ${flows.join(', ')}, REFRESH_TOKEN_AUTH`;
    throw refused('InvalidParameterException', message, shorten(flow));
  }
  if (!isForLogins(client)) throw refused('InvalidParameterException', `${flow} flow not enabled for this client`);
  const username = parameterOf(sent, 'USERNAME');
  checkSecretHash(client, [username], sent.SECRET_HASH);
  const login = { pool, asking, username, sent, flow };
  const begin = { USER_SRP_AUTH: srpChallenge, USER_AUTH: choice }[flow] ?? byPassword;
  return answer(await begin(login));
}

/** The hash of the secret is of the username, or of the `sub`, which the application has from its tokens. */
async function refresh(pool: UserPool, asking: PoolClientCall, sent: LoginParameters): Promise<object> {
  const token = parameterOf(sent, 'REFRESH_TOKEN');
  const { server } = pool;
  const record = await server.store.get<{ authorization: { sub?: string } }>(['issued_refresh_token', token]);
  const sub = record?.authorization.sub ?? '';
  checkSecretHash(asking.client, [sub, server.users.get(sub)?.username ?? sub], sent.SECRET_HASH);
  return refreshed(pool, asking, token);
}
