import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { allowsPostLogoutRedirectUri, type RegisteredClient } from '../clients/client.ts';
import { recallClient } from '../clients/find-client.ts';
import { invalidRequest } from '../errors.ts';
import { parameter, rejectUnreadable, shorten, withValues } from '../parameters.ts';
import { knownClient } from '../requests/trusted-target.ts';
import type { Hint } from '../tokens/hint.ts';
import { loadHint } from '../tokens/load-hint.ts';
import type { LogoutNotice } from '../tokens/notify-logout.ts';
import { findSession, type Session } from '../users/session.ts';
import { clientsOfSession } from '../users/session-clients.ts';
import { subjectFor } from '../users/subject.ts';
import { closeSession } from './close-session.ts';
import type { EndpointRequest, LogoutPage, Reply } from './endpoint.ts';

/**
 * RP-initiated logout (OIDC RP-Initiated Logout §2, §3). A valid `id_token_hint` of the user who is logged in ends the
 * session at once; otherwise the user is asked first. Redirects only to registered addresses. `ui_locales` chooses the
 * language of the pages. `logout_hint` is accepted and changes nothing, because a hint is no proof. The `sid` of an
 * `id_token_hint` is not accepted from a browser without the session: anybody who has seen an ID Token could otherwise
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
  /** The registered address to return to, with `state` added. */
  readonly returnTo?: string;
  readonly ui_locales?: string;
}

async function parseLogout(server: AuthorizationServer, { parameters }: EndpointRequest): Promise<Logout> {
  rejectUnreadable(parameters);
  const idTokenHint = parameter(parameters, 'id_token_hint');
  const hint = idTokenHint === undefined ? undefined : await loadHint(server, idTokenHint);
  const client = await clientOf(server, hint, parameter(parameters, 'client_id'));
  const uri = parameter(parameters, 'post_logout_redirect_uri');
  const returnTo = uri === undefined ? undefined : checkedReturn(client, uri, parameter(parameters, 'state'));
  return defined({ hint, client, returnTo, ui_locales: parameter(parameters, 'ui_locales') });
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
      ...defined({ client, post_logout_redirect_uri: returnTo }),
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
  const optional = defined({ sub: session?.sub, returnTo, ui_locales });
  return { kind: 'page', page: { name: 'logged-out', notices, ...optional } };
}
