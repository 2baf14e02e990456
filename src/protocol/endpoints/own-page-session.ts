import type { AuthorizationServer } from '../authorization-server.ts';
import { recallClient } from '../clients/find-client.ts';
import type { PendingAuthorization } from '../decoupled/pending-authorization.ts';
import { parameter } from '../parameters.ts';
import { findSession, type Session } from '../users/session.ts';
import { namedUser } from './automatic-login.ts';
import type { Asked, EndpointRequest, Reply, SignInPage } from './endpoint.ts';
import { beginSession } from './sessions.ts';

/**
 * A page of the sandbox for the signed-in user. Otherwise the login page comes first, which `AUTO_LOGIN` answers without
 * a click. A `prompt` for another user shows the login page.
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
    return { kind: 'page', page: { name: 'sign-in', purpose, session } };
  }
  const facts = { user: namedUser(server, 'environment', user), method: 'click' } as const;
  const signedIn = await beginSession(server, facts, { by: 'environment' }, request.emit);
  return { ...(await show(signedIn)), signedIn };
}

/** Details of a pending authorization for its page; undefined if its client is no longer registered. */
export async function askedBy(server: AuthorizationServer, pending: PendingAuthorization): Promise<Asked | undefined> {
  const { client_id, scopes, resources, authorization_details = [], exp } = pending;
  const client = await recallClient(server, client_id);
  if (client === undefined) return undefined;
  return { client, scopes, resources, authorization_details, expiresIn: exp - server.clock() };
}
