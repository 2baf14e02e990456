import type { AuthorizationServer } from '../authorization-server.ts';
import { allowsPostLogoutRedirectUri, type RegisteredClient } from '../clients/client.ts';
import { authenticateClient } from '../clients/client-authentication.ts';
import { recallClient } from '../clients/find-client.ts';
import { invalidGrant, invalidRequest } from '../errors.ts';
import { revokeAuthorization, withdrawRefreshToken } from '../kept-authorizations.ts';
import { parameter, rejectUnreadable, requiredParameter, shorten, withValues } from '../parameters.ts';
import { knownClient } from '../requests/trusted-target.ts';
import { findToken } from '../tokens/find-token.ts';
import { type Hint, readHint } from '../tokens/hint.ts';
import type { LogoutNotice } from '../tokens/notify-logout.ts';
import { clientsOfSession, findSession, findSessionBySid, type Session } from '../users/session.ts';
import { subjectFor } from '../users/user-claims.ts';
import type { EndpointRequest, LogoutPage, Reply } from './endpoint.ts';
import { closeSession } from './sessions.ts';

/**
 * RP-initiated logout (OIDC RP-Initiated Logout §2, §3). A valid `id_token_hint` of the user who is logged in ends the
 * session at once; otherwise the user is asked first. Redirects only to registered addresses. `ui_locales` chooses the
 * language of the pages. `logout_hint` is accepted and changes nothing, because a hint is no proof. The `sid` of an
 * `id_token_hint` is not accepted from a browser without the session: anybody who has seen an ID token could otherwise
 * end its user's session.
 */
export async function endSession(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const logout = await parseLogout(server, request);
  const session = await findSession(server, request.sessionId);
  if (session === undefined)
    return logout.hint === undefined ? loggedOutPage(undefined, logout) : depart(undefined, logout);
  if (!isAbout(server, session, logout)) return confirmPage(server, session, logout, request);
  return end(server, request, session, logout);
}

/** Ends the session after the user has confirmed on the logout page. Checks the request again, and asks nothing more. */
export async function confirmLogout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const logout = await parseLogout(server, request);
  const session = await findSession(server, request.sessionId);
  return session === undefined ? depart(undefined, logout) : end(server, request, session, logout);
}

const logoutParameters = new Set(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales']);

interface Logout {
  readonly hint?: Hint;
  readonly client?: RegisteredClient;
  readonly returnTo?: string;
  readonly ui_locales?: string;
}

async function parseLogout(server: AuthorizationServer, { parameters }: EndpointRequest): Promise<Logout> {
  rejectUnreadable(parameters);
  const idTokenHint = parameter(parameters, 'id_token_hint');
  const hint = idTokenHint === undefined ? undefined : await readHint(server, idTokenHint);
  const client = await clientOf(server, hint, parameter(parameters, 'client_id'));
  const uri = parameter(parameters, 'post_logout_redirect_uri');
  const returnTo = uri === undefined ? undefined : checkedReturn(client, uri, parameter(parameters, 'state'));
  return { hint, client, returnTo, ui_locales: parameter(parameters, 'ui_locales') };
}

async function clientOf(
  server: AuthorizationServer,
  hint: Hint | undefined,
  client_id: string | undefined,
): Promise<RegisteredClient | undefined> {
  if (hint !== undefined && client_id !== undefined && hint.client_id !== client_id) {
    const description = 'client_id is not the client that id_token_hint was issued to';
    throw invalidRequest('hint_invalid', description, { sent: shorten(client_id), expected: hint.client_id });
  }
  const id = client_id ?? hint?.client_id;
  return id === undefined ? undefined : knownClient(server, id);
}

function checkedReturn(client: RegisteredClient | undefined, uri: string, state: string | undefined): string {
  if (client === undefined) {
    const description = 'post_logout_redirect_uri needs an id_token_hint or a client_id to identify the client';
    throw invalidRequest('post_logout_redirect_uri_mismatch', description, {
      sent: shorten(uri, 500),
      expected: 'id_token_hint',
    });
  }
  if (!allowsPostLogoutRedirectUri(client, uri)) {
    const expected = client.post_logout_redirect_uris.join('\n') || 'a registered value, but none is registered';
    const description = withValues(`post_logout_redirect_uri is not registered for ${client.client_id}`, uri, expected);
    const details = { sent: shorten(uri, 500), expected, client_id: client.client_id };
    throw invalidRequest('post_logout_redirect_uri_mismatch', description, details);
  }
  if (state === undefined) return uri;
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}

/** The hint has the `sub` as its client sees it. */
function isAbout(server: AuthorizationServer, session: Session, { hint, client }: Logout): boolean {
  return hint !== undefined && client !== undefined && hint.sub === subjectFor(server, client, session.sub);
}

/** Notifies the clients before the browser is redirected; the front channel needs a page of ours for that. */
async function end(
  server: AuthorizationServer,
  { emit }: EndpointRequest,
  session: Session,
  logout: Logout,
): Promise<Reply> {
  const notices = await closeSession(server, session, { by: logout.client }, emit);
  return depart(session, logout, notices);
}

async function confirmPage(
  server: AuthorizationServer,
  session: Session,
  { client, returnTo }: Logout,
  { parameters }: EndpointRequest,
): Promise<Reply> {
  const again = Object.fromEntries(
    [...parameters.values].filter(([name, value]) => logoutParameters.has(name) && value !== ''),
  );
  const ids = await clientsOfSession(server, session.sid);
  const known = await Promise.all(ids.map(id => recallClient(server, id)));
  return {
    kind: 'page',
    page: {
      name: 'logout',
      session,
      clients: known.flatMap(each => (each === undefined ? [] : [sessionClient(server, each)])),
      parameters: again,
      client,
      post_logout_redirect_uri: returnTo,
    },
  };
}

function sessionClient({ features }: AuthorizationServer, client: RegisteredClient): LogoutPage['clients'][number] {
  const { client_id, client_name, backchannel_logout_uri: back, frontchannel_logout_uri: front } = client;
  const byBack = back !== undefined && features.has('backchannel-logout');
  const byFront = front !== undefined && features.has('frontchannel-logout');
  return { client_id, client_name, isTold: byBack || byFront };
}

function depart(session: Session | undefined, logout: Logout, notices: readonly LogoutNotice[] = []): Reply {
  const needsPage = notices.some(({ channel }) => channel === 'front');
  if (logout.returnTo !== undefined && !needsPage)
    return { kind: 'redirect', location: logout.returnTo, loggedOut: true };
  return loggedOutPage(session, logout, notices);
}

function loggedOutPage(
  session: Session | undefined,
  { returnTo, ui_locales }: Logout,
  notices: readonly LogoutNotice[] = [],
): Reply {
  const optional = { sub: session?.sub, returnTo, ui_locales };
  return { kind: 'page', page: { name: 'logged-out', notices, ...optional } };
}

/**
 * A logout by a back end: it posts the refresh token, which ends the session behind it without a browser, and gets 204.
 * @throws invalid_grant for a refresh token that is not one of this client, or not valid
 */
export async function logoutByRefreshToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  const token = requiredParameter(request.parameters, 'refresh_token');
  const found = await findToken(server, token, 'refresh_token');
  if (found?.record === undefined) {
    throw invalidGrant('refresh_token_expired_or_unknown', 'the refresh token is unknown or has expired');
  }
  if (found.client_id !== client.client_id) {
    const description = 'the refresh token was issued to a different client';
    throw invalidGrant('refresh_token_of_another_client', description, { expected: found.client_id });
  }
  if (found.state === 'revoked') return { kind: 'empty' }; // a logout that is sent again
  const { sid = '' } = found.record.authorization.session ?? {};
  const session = await findSessionBySid(server, sid);
  if (session !== undefined) await closeSession(server, session, { by: client }, request.emit);
  else {
    await revokeAuthorization(server, found.authorizationId);
    const { authorizationId, client_id } = found;
    request.emit({ type: 'token.revoked', authorizationId, client_id, reason: 'revoked_by_client' });
  }
  await withdrawRefreshToken(server, token, found.record);
  return { kind: 'empty' };
}
