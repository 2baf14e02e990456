import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { loginOf } from '../../protocol/dialects/written-claims.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { closeSession } from '../../protocol/endpoints/sessions.ts';
import { invalidRequest, invalidToken } from '../../protocol/errors.ts';
import { findSession, type Session } from '../../protocol/users/session.ts';
import { profileOf } from './admin/profile.ts';
import { orgId } from './servers.ts';

/** The session of the browser, by its cookie (`/api/v1/sessions/me`). `address` is that of the org. */
export function sessionsAt(address: (server: AuthorizationServer) => string) {
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
export function meAt(address: (server: AuthorizationServer) => string) {
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
