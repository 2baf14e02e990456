import { shorten } from '../../../protocol/parameters.ts';
import { sameSecret } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { claimsOf } from './attributes.ts';
import { answer, refused } from './errors.ts';
import {
  byPassword,
  choice,
  chosen,
  type LoginParameters,
  loginParameters,
  parameterOf,
  srpChallenge,
} from './first-factor.ts';
import { type Confirmed, complete, guarded, type PendingLogin, pendingKey, requireConfirmed } from './login.ts';
import { membersOf } from './members.ts';
import { checkSecretHash, isForLogins, poolClient, required, requirePool, srpNames, type UserPool } from './pool.ts';
import { factorOf, preferTotp, totpFits } from './second-factor.ts';
import { srpFits } from './srp.ts';
import { type PoolClientCall, refreshed, signedIn } from './tokens.ts';
import { changeUser, requireGoodPassword, setPassword, userNamed } from './users.ts';

/** Logins, by the application itself or by its back end. */
export const signInActions: readonly ManagementCall<UserPool>[] = [
  call(
    'POST /InitiateAuth',
    'begins a sign-in by password, SRP or the choice of the user, or refreshes tokens',
    undefined,
    (sent, pool) => initiate(sent, pool, ['USER_PASSWORD_AUTH', 'USER_SRP_AUTH', 'USER_AUTH']),
  ),
  call('POST /AdminInitiateAuth', 'the same for a back end', ['admin'], (sent, pool) => {
    requirePool(pool, membersOf(sent).UserPoolId);
    return initiate(sent, pool, ['ADMIN_USER_PASSWORD_AUTH', 'ADMIN_NO_SRP_AUTH', 'USER_SRP_AUTH', 'USER_AUTH']);
  }),
  call('POST /RespondToAuthChallenge', 'answers a challenge of a sign-in', undefined, respond),
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

/** A challenge with all that its answer is checked against. */
interface Challenged {
  readonly pool: UserPool;
  readonly asking: PoolClientCall;
  readonly pending: PendingLogin;
  readonly sent: LoginParameters;
  /** All members of `ChallengeResponses`. */
  readonly all: Readonly<Record<string, unknown>>;
}

/** Checks the answer to a challenge. Returns the next challenge, or the tokens of the login. */
async function respond(input: CallInput, pool: UserPool): Promise<Answer> {
  const { ClientId, ChallengeName, Session, ChallengeResponses: all = {} } = membersOf(input);
  const client = poolClient(pool, ClientId);
  const name = required(ChallengeName, 'ChallengeName');
  const session = required(Session, 'Session');
  const sent = loginParameters(all);
  const pending = await pool.server.store.get<PendingLogin>(pendingKey(session));
  if (pending === undefined || pending.client_id !== client.client_id || pending.name !== name)
    throw refused('NotAuthorizedException', 'Invalid session for the user.', shorten(name));
  const username = required(sent.USERNAME, 'USERNAME');
  const user = userNamed(pool, pending.sub);
  checkSecretHash(client, [username], sent.SECRET_HASH);
  if (username !== pending.sub && userNamed(pool, username)?.sub !== user?.sub)
    throw refused('NotAuthorizedException', 'Invalid session for the user.', shorten(username));
  const challenged = { pool, asking: { client, emit: input.request.emit }, pending, sent, all };
  return answer(await answers[pending.name](challenged, session));
}

const answers: Readonly<Record<PendingLogin['name'], (challenged: Challenged, session: string) => Promise<object>>> = {
  PASSWORD_VERIFIER: verifyPassword,
  NEW_PASSWORD_REQUIRED: newPassword,
  SOFTWARE_TOKEN_MFA: code,
  MFA_SETUP: factorSetUp,
  SELECT_CHALLENGE: (challenged, session) => goOn(challenged, session, required(challenged.sent.ANSWER, 'ANSWER')),
  PASSWORD: (challenged, session) => goOn(challenged, session, 'PASSWORD', 'PASSWORD'),
  PASSWORD_SRP: (challenged, session) => goOn(challenged, session, 'PASSWORD_SRP', 'SRP_A'),
  EMAIL_OTP: (challenged, session) => sentCode(challenged, session, 'EMAIL_OTP_CODE'),
  SMS_OTP: (challenged, session) => sentCode(challenged, session, 'SMS_OTP_CODE'),
};

/** A session is good for one login. @throws NotAuthorizedException */
async function take({ pool, pending }: Challenged, session: string): Promise<Confirmed> {
  const taken = await pool.server.store.take(pendingKey(session));
  const user = userNamed(pool, pending.sub);
  if (taken === undefined || user === undefined) {
    const message = 'Invalid session for the user, session can only be used once.';
    throw refused('NotAuthorizedException', message);
  }
  return requireConfirmed(user);
}

async function verifyPassword(challenged: Challenged, session: string): Promise<object> {
  const { pool, asking, pending, sent } = challenged;
  const refuse = await guarded(pool, asking, pending.sub);
  const isFirst = (await pool.server.store.take(pendingKey(session))) !== undefined;
  const account = pool.server.users.get(pending.sub);
  const { srp } = pending;
  const signature = required(sent.PASSWORD_CLAIM_SIGNATURE, 'PASSWORD_CLAIM_SIGNATURE');
  const timestamp = required(sent.TIMESTAMP, 'TIMESTAMP');
  const isSame = srp !== undefined && sent.PASSWORD_CLAIM_SECRET_BLOCK === srp.secretBlock;
  const user = userNamed(pool, pending.sub);
  if (!isFirst || !isSame || user === undefined || account?.password === undefined) return refuse();
  const fits = srpFits(srpNames(pool, pending.sub), account.password, srp, { signature, timestamp });
  return fits ? complete(pool, asking, requireConfirmed(user), pending.flow) : refuse();
}

/** A password of the user's own in place of a temporary one. Attributes can come with it: `userAttributes.name`. */
async function newPassword(challenged: Challenged, session: string): Promise<object> {
  const { pool, asking, pending, sent, all } = challenged;
  const password = requireGoodPassword(required(sent.NEW_PASSWORD, 'NEW_PASSWORD'));
  const prefix = 'userAttributes.';
  const named = Object.entries(all).filter(([name]) => name.startsWith(prefix));
  const added = claimsOf(named.map(([name, Value]) => ({ Name: name.slice(prefix.length), Value })));
  const user = await take(challenged, session);
  if (named.length > 0) await changeUser(pool, user, { claims: { ...user.claims, ...added } });
  await setPassword(pool, user, password, 'CONFIRMED');
  const now = userNamed(pool, pending.sub) ?? user;
  return complete(pool, asking, requireConfirmed(now), pending.flow);
}

async function code(challenged: Challenged, session: string): Promise<object> {
  const { pool, asking, pending, sent } = challenged;
  const typed = required(sent.SOFTWARE_TOKEN_MFA_CODE, 'SOFTWARE_TOKEN_MFA_CODE');
  const wrong = () => refused('CodeMismatchException', 'Invalid code received for user', shorten(typed, 20));
  const refuse = await guarded(pool, asking, `${pending.sub} code`, wrong);
  const user = userNamed(pool, pending.sub);
  const secret = user && (await factorOf(pool, user));
  if (secret === undefined || !totpFits(secret, typed, pool.server.clock())) return refuse();
  return signedIn(pool, asking, (await take(challenged, session)).account, pending.flow);
}

/** The user has verified a second factor for this login, which needs it from now on. */
async function factorSetUp(challenged: Challenged, session: string): Promise<object> {
  const { pool, asking, pending } = challenged;
  const user = userNamed(pool, pending.sub);
  if (user === undefined || !(await preferTotp(pool, user, true)))
    throw refused(
      'InvalidParameterException',
      'No MFA mechanism registered for the user: call AssociateSoftwareToken first',
    );
  return signedIn(pool, asking, (await take(challenged, session)).account, pending.flow);
}

/** Goes on in the way that the user has chosen. `needed` is what the answer has to have. */
async function goOn(
  { pool, asking, pending, sent }: Challenged,
  session: string,
  way: string,
  needed?: 'PASSWORD' | 'SRP_A',
): Promise<object> {
  if (needed !== undefined) parameterOf(sent, needed);
  const begun = { pool, asking, username: pending.sub, sent, flow: pending.flow };
  const next = await chosen(begun, way);
  await pool.server.store.delete(pendingKey(session));
  return next;
}

async function sentCode(challenged: Challenged, session: string, name: keyof LoginParameters): Promise<object> {
  const { pool, asking, pending, sent } = challenged;
  const typed = parameterOf(sent, name);
  const wrong = () => refused('CodeMismatchException', 'Invalid code or auth state for the user.', shorten(typed, 20));
  const refuse = await guarded(pool, asking, `${pending.sub} code`, wrong);
  if (!sameSecret(typed, pool.code)) return refuse();
  return signedIn(pool, asking, (await take(challenged, session)).account, pending.flow);
}
