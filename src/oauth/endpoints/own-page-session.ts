import { defined } from '../../defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { parameter } from '../parameters.ts';
import { findSession, type Session } from '../users/session.ts';
import { namedUser } from './automatic-login.ts';
import { beginSession } from './begin-session.ts';
import type { EndpointRequest, Reply, SignInPage } from './endpoint.ts';

/**
 * A page of ours for whoever is signed in; for others their login first, which `AUTO_LOGIN` does without a click. Whoever asks
 * for another user (`prompt`) sees the login.
 */
export async function forSignedIn(
  server: AuthorizationServer,
  request: EndpointRequest,
  purpose: SignInPage['purpose'],
  show: (session: Session) => Promise<Reply>,
): Promise<Reply> {
  const { method, parameters, sessionId } = request;
  const session = await findSession(server, sessionId);
  const wantsAnother = method !== 'POST' && parameter(parameters, 'prompt') !== undefined;
  if (session !== undefined && !wantsAnother) return show(session);
  const { user } = server.autoLogin;
  if (user === undefined || wantsAnother) {
    return { kind: 'page', page: { name: 'sign-in', purpose, ...defined({ session }) } };
  }
  const facts = { user: namedUser(server, 'environment', user), method: 'click' } as const;
  const signedIn = await beginSession(server, facts, { by: 'environment' }, request.emit);
  return { ...(await show(signedIn)), signedIn };
}
