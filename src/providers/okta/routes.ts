import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { loginOf } from '../../protocol/dialects/written-claims.ts';
import { authorize } from '../../protocol/endpoints/authorize.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { clientConfiguration, register } from '../../protocol/endpoints/register.ts';
import { beginSession, closeSession } from '../../protocol/endpoints/sessions.ts';
import { invalidRequest, invalidToken, OAuthError } from '../../protocol/errors.ts';
import { lenientParameter, shorten } from '../../protocol/parameters.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../../protocol/users/guess-limit.ts';
import { findUser } from '../../protocol/users/login-need.ts';
import { findSession, type Session } from '../../protocol/users/session.ts';
import { passwordFits } from '../../protocol/users/user.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import type { EndpointFunction } from '../../server/http/adapter.ts';
import { asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { ownRoute } from '../own-route.ts';
import { profileOf } from './admin/profile.ts';
import { apiErrors } from './api-errors.ts';
import { isOrg, orgId } from './servers.ts';

/** Endpoints of an authorization server that differ from the usual ones, and those of its org that browsers call. */
export function routes({ base, options, paths }: PresetPlace): readonly EndpointRoute[] {
  const org = isOrg(options) ? base : base.slice(0, -`/oauth2/${options.server}`.length);
  const address = ({ issuer }: AuthorizationServer) => new URL(issuer).origin + org;
  const forPages = { form: apiErrors, cors: 'clients', credentials: true } as const;
  const session = `${org}/api/v1/sessions/me`;
  const me = sessionsAt(address);
  const own = [
    route('authorize GET POST', base + paths.authorize, 'authorization endpoint', authorizeBySessionToken, {
      form: asPage,
    }),
    route('authn POST', `${org}/api/v1/authn`, 'a `sessionToken` for a password', authn, {
      ...forPages,
      limited: 'login',
      body: 'json',
    }),
    route('session GET DELETE', session, 'the session of the browser', me, forPages),
    route('me GET', `${org}/api/v1/users/me`, 'the user of the session of the browser', meAt(address), forPages),
    route('session POST', `${session}/lifecycle/refresh`, 'the session of the browser', me, forPages),
  ];
  return isOrg(options) ? own : [...own, ...registration(base, `${org}/oauth2/v1/clients`, paths.register)];
}

/** Clients register at the org, and not below a custom authorization server. */
function registration(base: string, path: string, usual: string): readonly EndpointRoute[] {
  const rules = { form: asJson, cors: 'listed', limited: true, feature: 'registration', body: 'json' } as const;
  const moved =
    (endpoint: EndpointFunction): EndpointFunction =>
    async (server, request) =>
      withAddress(await endpoint(server, request), base + usual, path);
  return [
    route('registration POST', path, 'dynamic client registration', moved(register), rules),
    route(
      'client_configuration GET PUT DELETE',
      `${path}/:client_id`,
      'reads, replaces or deletes a registered client',
      moved(clientConfiguration),
      rules,
    ),
  ];
}

function withAddress(reply: Reply, from: string, to: string): Reply {
  if (reply.kind !== 'json' || !isRecord(reply.body)) return reply;
  const { registration_client_uri: uri } = reply.body;
  if (typeof uri !== 'string') return reply;
  return { ...reply, body: { ...reply.body, registration_client_uri: uri.replace(from, to) } };
}

const route = ownRoute('Okta');

/** The session of the browser, by its cookie (`/api/v1/sessions/me`). `address` is that of the org. */
function sessionsAt(address: (server: AuthorizationServer) => string) {
  return async (server: AuthorizationServer, request: EndpointRequest): Promise<Reply> => {
    const session = await findSession(server, request.sessionId);
    if (session === undefined) {
      const details = { status: 404, sent: 'no session cookie of a live session' };
      throw invalidRequest('management_entry_unknown', 'Not found: Resource not found: me (Session)', details);
    }
    if (request.method === 'DELETE') {
      await closeSession(server, session, { by: undefined }, request.emit);
      return { kind: 'empty' };
    }
    return { kind: 'json', status: 200, body: sessionBody(server, session, address(server)) };
  };
}

/** The user of that session (`GET /api/v1/users/me`). */
function meAt(address: (server: AuthorizationServer) => string) {
  return async (server: AuthorizationServer, { sessionId }: EndpointRequest): Promise<Reply> => {
    const session = await findSession(server, sessionId);
    const user = session && server.users.get(session.sub);
    if (user === undefined) {
      const expected = 'the session cookie of a live session';
      throw invalidToken('access_token_missing', 'no user is signed in in this browser', { expected });
    }
    const body = {
      id: user.sub,
      status: 'ACTIVE',
      profile: profileOf({ login: loginOf(user), claims: user.claims }),
      credentials: { provider: { type: 'OKTA', name: 'OKTA' } },
      _links: { self: { href: `${address(server)}/api/v1/users/${encodeURIComponent(user.sub)}` } },
    };
    return { kind: 'json', status: 200, body };
  };
}

function sessionBody(server: AuthorizationServer, { sid, sub, auth_time, amr }: Session, address: string): object {
  const user = server.users.get(sub);
  const signedIn = new Date(auth_time * 1000).toISOString();
  const me = `${address}/api/v1/sessions/me`;
  return {
    id: sid,
    userId: sub,
    login: user === undefined ? sub : loginOf(user),
    createdAt: signedIn,
    expiresAt: new Date((auth_time + server.lifetimes.session) * 1000).toISOString(),
    status: 'ACTIVE',
    lastPasswordVerification: amr.includes('pwd') ? signedIn : null,
    lastFactorVerification: null,
    amr,
    idp: { id: orgId, type: 'OKTA' },
    mfaActive: false,
    _links: {
      self: { href: me, hints: { allow: ['GET', 'DELETE'] } },
      refresh: { href: `${me}/lifecycle/refresh`, hints: { allow: ['POST'] } },
      user: { name: 'user', href: `${address}/api/v1/users/me`, hints: { allow: ['GET'] } },
    },
  };
}

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
async function authn(server: AuthorizationServer, { json }: EndpointRequest): Promise<Reply> {
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
async function authorizeBySessionToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
