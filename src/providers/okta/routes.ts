import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { loginOf } from '../../protocol/dialects/written-claims.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { clientConfiguration, register } from '../../protocol/endpoints/register.ts';
import { closeSession } from '../../protocol/endpoints/sessions.ts';
import { invalidRequest, invalidToken } from '../../protocol/errors.ts';
import { findSession, type Session } from '../../protocol/users/session.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import type { EndpointFunction } from '../../server/http/adapter.ts';
import { asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { ownRoute } from '../own-route.ts';
import { profileOf } from './admin/profile.ts';
import { apiErrors } from './api-errors.ts';
import { isOrg, orgId } from './servers.ts';
import { authn, authorizeBySessionToken } from './sign-in.ts';

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
      throw invalidToken('access_token_missing', 'no user is logged in in this browser', { expected });
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
