import type { AuthorizationServer } from '../authorization-server.ts';
import { allowsPostLogoutRedirectUri, type RegisteredClient } from '../client.ts';
import { invalidRequest } from '../errors.ts';
import { parameter, rejectUnreadable, shorten } from '../parameters.ts';
import { findSession, endSession as forgetSession, type Session } from '../session.ts';
import type { Hint } from '../tokens/hint.ts';
import { loadHint } from '../tokens/load-hint.ts';
import { knownClient } from '../trusted-target.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/**
 * RP-initiated logout (OIDC RP-Initiated Logout §2, §3). A valid `id_token_hint` of the user who is logged in ends the
 * session at once; anything less asks first. Nothing is redirected to an address that is not registered.
 */
export async function endSession(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const logout = await parseLogout(server, request);
  const session = await findSession(server, request.sessionId);
  if (session !== undefined && !isAbout(session, logout.hint)) return confirmPage(session, logout, request);
  if (session !== undefined) await end(server, request, session, logout.client);
  return logout.hint === undefined ? loggedOutPage(session, logout) : depart(session, logout);
}

/** The user has confirmed on the logout page: the same request, the same checks, and no more questions. */
export async function confirmLogout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const logout = await parseLogout(server, request);
  const session = await findSession(server, request.sessionId);
  if (session !== undefined) await end(server, request, session, logout.client);
  return depart(session, logout);
}

const logoutParameters = new Set(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']);

interface Logout {
  readonly hint?: Hint;
  readonly client?: RegisteredClient;
  /** Registered, with `state` added. */
  readonly returnTo?: string;
}

async function parseLogout(server: AuthorizationServer, { parameters }: EndpointRequest): Promise<Logout> {
  rejectUnreadable(parameters);
  const idTokenHint = parameter(parameters, 'id_token_hint');
  const hint = idTokenHint === undefined ? undefined : await loadHint(server, idTokenHint);
  const client = await clientOf(server, hint, parameter(parameters, 'client_id'));
  const uri = parameter(parameters, 'post_logout_redirect_uri');
  const returnTo = uri === undefined ? undefined : checkedReturn(client, uri, parameter(parameters, 'state'));
  return {
    ...(hint === undefined ? {} : { hint }),
    ...(client === undefined ? {} : { client }),
    ...(returnTo === undefined ? {} : { returnTo }),
  };
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
    const description = 'post_logout_redirect_uri needs an id_token_hint or a client_id that says whose it is';
    throw invalidRequest('post_logout_redirect_uri_mismatch', description, {
      sent: shorten(uri, 500),
      expected: 'id_token_hint',
    });
  }
  if (!allowsPostLogoutRedirectUri(client, uri)) {
    const expected = client.post_logout_redirect_uris.join('\n') || 'none is registered';
    const description =
      'post_logout_redirect_uri is not registered for this client: it is compared character by character';
    const details = { sent: shorten(uri, 500), expected, client_id: client.client_id };
    throw invalidRequest('post_logout_redirect_uri_mismatch', description, details);
  }
  if (state === undefined) return uri;
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}

function isAbout(session: Session, hint: Hint | undefined): boolean {
  return hint !== undefined && hint.sub === session.sub;
}

async function end(
  server: AuthorizationServer,
  { emit }: EndpointRequest,
  session: Session,
  client: RegisteredClient | undefined,
): Promise<void> {
  await forgetSession(server, session);
  const by = client === undefined ? {} : { client_id: client.client_id };
  emit({ type: 'session.ended', sub: session.sub, sid: session.sid, ...by });
}

function confirmPage(session: Session, { client, returnTo }: Logout, { parameters }: EndpointRequest): Reply {
  const again = Object.fromEntries(
    [...parameters.values].filter(([name, value]) => logoutParameters.has(name) && value !== ''),
  );
  return {
    kind: 'page',
    page: {
      name: 'logout',
      session,
      parameters: again,
      ...(client === undefined ? {} : { client }),
      ...(returnTo === undefined ? {} : { post_logout_redirect_uri: returnTo }),
    },
  };
}

function depart(session: Session | undefined, logout: Logout): Reply {
  if (logout.returnTo !== undefined) return { kind: 'redirect', location: logout.returnTo };
  return loggedOutPage(session, logout);
}

function loggedOutPage(session: Session | undefined, { returnTo }: Logout): Reply {
  const who = session === undefined ? {} : { sub: session.sub };
  return { kind: 'page', page: { name: 'logged-out', ...who, ...(returnTo === undefined ? {} : { returnTo }) } };
}
