import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { loginOf } from '../../protocol/dialects/written-claims.ts';
import { authorize } from '../../protocol/endpoints/authorize.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { beginSession } from '../../protocol/endpoints/sessions.ts';
import { invalidRequest, OAuthError } from '../../protocol/errors.ts';
import { lenientParameter, shorten } from '../../protocol/parameters.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../../protocol/users/guess-limit.ts';
import { findUser } from '../../protocol/users/login-need.ts';
import { findSession } from '../../protocol/users/session.ts';
import { passwordFits } from '../../protocol/users/user.ts';

/** Seconds in which a session token may be used, once. */
const tokenLifetime = 300;

const wrongPasswords: GuessLimit = {
  kind: 'wrong_password',
  most: 20,
  forgetsAfter: 30,
  reason: 'password_guessed_too_often',
  description: 'too many wrong passwords for this user',
};

/** Primary authentication (`POST /api/v1/authn`): a session token for a username and a password. There are no factors. */
export async function authn(server: AuthorizationServer, { json }: EndpointRequest): Promise<Reply> {
  const { username, password } = isRecord(json) ? json : {};
  if (typeof username !== 'string' || typeof password !== 'string') {
    const description = 'the body must have username and password';
    throw invalidRequest('body_malformed', description, { expected: '{"username": "…", "password": "…"}' });
  }
  const guesser = JSON.stringify(['authn', shorten(username)]);
  await refuseGuessing(server, wrongPasswords, guesser);
  const user = findUser(server, username);
  if (user === undefined || !(await passwordFits(user, password === '' ? undefined : password))) {
    await countMiss(server, wrongPasswords, guesser);
    const details = { sent: shorten(username), status: 401 };
    throw new OAuthError('access_denied', 'login_failed', 'wrong username or password', details);
  }
  const sessionToken = `20111${server.random.secret()}`;
  await server.store.put(['session_token', sessionToken], user.sub, tokenLifetime);
  const {
    given_name: firstName,
    family_name: lastName,
    locale = 'en',
    zoneinfo: timeZone = 'America/Los_Angeles',
  } = user.claims;
  const expiresAt = new Date((server.clock() + tokenLifetime) * 1000).toISOString();
  const profile = { login: loginOf(user), firstName, lastName, locale, timeZone };
  const body = { expiresAt, status: 'SUCCESS', sessionToken, _embedded: { user: { id: user.sub, profile } } };
  return { kind: 'json', status: 200, body };
}

/** The authorization endpoint. A `sessionToken` signs its user in without a page; one that is unknown changes nothing. */
export async function authorizeBySessionToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, sessionId, emit } = request;
  const token = lenientParameter(parameters, 'sessionToken');
  if (token === undefined) return authorize(server, request);
  const values = new Map(parameters.values);
  values.delete('sessionToken');
  const asked = { ...request, parameters: { ...parameters, values } };
  const sub = await server.store.take<string>(['session_token', token]);
  const user = sub === undefined ? undefined : server.users.get(sub);
  if (user === undefined) return authorize(server, asked);
  const previous = await findSession(server, sessionId);
  const client_id = lenientParameter(parameters, 'client_id');
  const session = await beginSession(
    server,
    { user, method: 'password', previous },
    { by: 'password', client_id },
    emit,
  );
  return { ...(await authorize(server, { ...asked, sessionId: session.id })), signedIn: session };
}
