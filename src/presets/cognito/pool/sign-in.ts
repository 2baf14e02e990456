import { randomBytes } from 'node:crypto';
import type { Answer } from '../../../http/answer.ts';
import { shorten } from '../../../oauth/parameters.ts';
import { passwordFits } from '../../../oauth/users/user.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';
import { respond } from './challenges.ts';
import { answer, refused } from './errors.ts';
import { challenge, complete, guarded, requireConfirmed } from './login.ts';
import { checkSecretHash, poolClient, required, requirePool, srpNames, type UserPool } from './pool.ts';
import { beginSrp } from './srp.ts';
import { type PoolClientCall, refreshed } from './tokens.ts';
import { type PoolUser, userNamed } from './users.ts';

const shape = {
  AuthFlow: 'text',
  AuthParameters: 'record',
  ClientId: 'text',
  UserPoolId: 'text',
} as const satisfies Shape;

const parameters = {
  USERNAME: 'text',
  PASSWORD: 'text',
  SRP_A: 'text',
  SECRET_HASH: 'text',
  REFRESH_TOKEN: 'text',
} as const satisfies Shape;

type Sent = MembersOf<typeof parameters>;

/** Logins, by the application itself or by its back end. */
export const signInActions: readonly ManagementCall<UserPool>[] = [
  call('POST /InitiateAuth', 'begins a login by password or SRP, or refreshes tokens', undefined, (sent, pool) =>
    initiate(sent, pool, ['USER_PASSWORD_AUTH', 'USER_SRP_AUTH']),
  ),
  call('POST /AdminInitiateAuth', 'the same for a back end', ['admin'], (sent, pool) => {
    requirePool(pool, membersIn(sent.body, shape).UserPoolId);
    return initiate(sent, pool, ['ADMIN_USER_PASSWORD_AUTH', 'ADMIN_NO_SRP_AUTH', 'USER_SRP_AUTH']);
  }),
  call('POST /RespondToAuthChallenge', 'answers a challenge of a login', undefined, respond),
  call('POST /AdminRespondToAuthChallenge', 'the same for a back end', ['admin'], (sent, pool) => {
    requirePool(pool, membersIn(sent.body, shape).UserPoolId);
    return respond(sent, pool);
  }),
];

async function initiate({ body, request }: CallInput, pool: UserPool, flows: readonly string[]): Promise<Answer> {
  const { AuthFlow, AuthParameters = {}, ClientId } = membersIn(body, shape);
  const client = poolClient(pool, ClientId);
  const flow = required(AuthFlow, 'AuthFlow');
  const sent = membersIn(AuthParameters, parameters);
  const asking = { client, emit: request.emit };
  if (flow === 'REFRESH_TOKEN_AUTH' || flow === 'REFRESH_TOKEN') return answer(await refresh(pool, asking, sent));
  if (!flows.includes(flow)) {
    const message = `Initiate Auth method not supported: expected one of ${flows.join(', ')}, REFRESH_TOKEN_AUTH`;
    throw refused('InvalidParameterException', message, shorten(flow));
  }
  if (!client.grant_types.some(grant => grant === 'authorization_code' || grant === 'password'))
    throw refused('InvalidParameterException', `${flow} flow not enabled for this client`);
  const username = parameterOf(sent, 'USERNAME');
  checkSecretHash(client, [username], sent.SECRET_HASH);
  const login = { pool, asking, username, sent, flow };
  return answer(await (flow === 'USER_SRP_AUTH' ? srpChallenge(login) : byPassword(login)));
}

/** A login that begins. */
interface Begun {
  readonly pool: UserPool;
  readonly asking: PoolClientCall;
  readonly username: string;
  readonly sent: Sent;
  readonly flow: string;
}

function parameterOf(sent: Sent, name: keyof Sent): string {
  const value = sent[name];
  if (value !== undefined && value !== '') return value;
  throw refused('InvalidParameterException', `Missing required parameter ${name}`);
}

/** The hash of the secret is of the username, or of the `sub`, which the application has from its tokens. */
async function refresh(pool: UserPool, asking: PoolClientCall, sent: Sent): Promise<object> {
  const token = parameterOf(sent, 'REFRESH_TOKEN');
  const { server } = pool;
  const record = await server.store.get<{ authorization: { sub?: string } }>(['issued_refresh_token', token]);
  const sub = record?.authorization.sub ?? '';
  checkSecretHash(asking.client, [sub, server.users.get(sub)?.username ?? sub], sent.SECRET_HASH);
  return refreshed(pool, asking, token);
}

async function byPassword({ pool, asking, username, sent, flow }: Begun): Promise<object> {
  const typed = parameterOf(sent, 'PASSWORD');
  const refuse = await guarded(pool, asking, username);
  const user = userNamed(pool, username);
  if (user === undefined || !(await fits(pool, user, typed))) return refuse();
  return complete(pool, asking, requireConfirmed(user), flow);
}

/** A user who is not confirmed learns that only with the right password. */
function fits({ state }: UserPool, { account, sub }: PoolUser, typed: string): Promise<boolean> | boolean {
  return account === undefined ? state.unconfirmed.get(sub)?.password === typed : passwordFits(account, typed);
}

/**
 * The first half of SRP, also for a user who does not exist. A user without a password in the configuration may type any
 * on a form; SRP needs one that both sides know.
 */
async function srpChallenge({ pool, asking, username, sent, flow }: Begun): Promise<object> {
  await guarded(pool, asking, username);
  const user = userNamed(pool, username);
  const account = user === undefined ? undefined : requireConfirmed(user).account;
  if (account !== undefined && account.password === undefined) {
    const message = `USER_SRP_AUTH needs a user with a password: give ${shorten(username, 60)} one in the configuration`;
    throw refused('InvalidParameterException', message);
  }
  const sub = account?.sub ?? username;
  const password = account?.password ?? randomBytes(16).toString('hex');
  const srp = beginSrp(srpNames(pool, sub), password, parameterOf(sent, 'SRP_A'));
  if (srp === undefined) throw refused('InvalidParameterException', 'SRP_A is not a number of the group');
  const { salt: SALT, B: SRP_B, secretBlock: SECRET_BLOCK } = srp;
  const parameters = { SALT, SRP_B, SECRET_BLOCK, USERNAME: sub, USER_ID_FOR_SRP: sub };
  const pending = { name: 'PASSWORD_VERIFIER', sub, client_id: asking.client.client_id, flow, srp } as const;
  return challenge(pool, pending, parameters);
}
