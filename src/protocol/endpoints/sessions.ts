import type { Emit, LoginRule } from '../../base/events/event.ts';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { recallClient } from '../clients/find-client.ts';
import { revokeAuthorization } from '../kept-authorizations.ts';
import { shorten } from '../parameters.ts';
import { type LogoutNotice, notifyByBackChannel } from '../tokens/notify-logout.ts';
import { editedNames } from '../users/login-claims.ts';
import { endSession, type LoginFacts, type Session, startSession, takeSessionContents } from '../users/session.ts';
import type { Reply } from './endpoint.ts';

/** Details of a login for the log, in addition to the user. */
export interface LoginTold {
  /** The rule that signed this user in. */
  readonly by: LoginRule;
  /** The client that asked for the login, if any. */
  readonly client_id?: string;
  /** True if the request wanted the user to be asked, but a rule answered. */
  readonly silently?: boolean;
}

/** Starts the session of a browser and logs it. An earlier session of another user ends as if by a logout. */
export async function beginSession(
  server: AuthorizationServer,
  facts: LoginFacts,
  { by, client_id, silently }: LoginTold,
  emit: Emit,
): Promise<Session> {
  const session = await startSession(server, facts);
  const { sub, sid, amr, edited } = session;
  const { previous } = facts;
  if (previous !== undefined && previous.sub !== sub) await closeSession(server, previous, { replacedBy: sub }, emit);
  emit({
    type: 'login.succeeded',
    sub,
    sid,
    amr,
    by,
    ...(client_id ? { client_id: shorten(client_id) } : {}),
    ...(edited === undefined ? {} : { edited: editedNames(edited) }),
    ...(silently ? { silently } : {}),
  });
  return session;
}

/** Why a session ends: an application or its user ends it, the owner of the sandbox does, or another user logs in. */
type Ending = { readonly by: RegisteredClient | 'owner' | undefined } | { readonly replacedBy: string };

/**
 * Ends a session: revokes its refresh tokens without `offline_access`, and notifies its clients. The logout page loads the
 * notices of the front channel; a login of another user shows no such page.
 */
export async function closeSession(
  server: AuthorizationServer,
  session: Session,
  ending: Ending,
  emit: Emit,
): Promise<readonly LogoutNotice[]> {
  const { sid, sub } = session;
  await endSession(server, session);
  const { clients, authorizations } = await takeSessionContents(server, sid);
  emit({ type: 'session.ended', sub, sid, ...causeOf(ending) });
  for (const { id: authorizationId, client_id } of authorizations) {
    await revokeAuthorization(server, authorizationId);
    emit({ type: 'token.revoked', authorizationId, client_id, reason: 'session_ended' });
  }
  const told = await Promise.all(clients.map(client_id => recallClient(server, client_id)));
  const notices = await Promise.all(
    told.flatMap(client => (client === undefined ? [] : noticesTo({ server, client, emit }, session, ending))),
  );
  for (const notice of notices) emit({ type: 'logout.notified', sid, ...notice });
  return notices;
}

function causeOf(ending: Ending): { client_id?: string; replacedBy?: string; endedBy?: 'owner' } {
  if ('replacedBy' in ending) return { replacedBy: ending.replacedBy };
  if (ending.by === 'owner') return { endedBy: 'owner' };
  return ending.by === undefined ? {} : { client_id: ending.by.client_id };
}

function noticesTo(call: ClientCall, session: Session, ending: Ending): (LogoutNotice | Promise<LogoutNotice>)[] {
  const { server, client } = call;
  const { client_id, backchannel_logout_uri: back, frontchannel_logout_uri: front } = client;
  return [
    ...(back === undefined || !server.features.has('backchannel-logout')
      ? []
      : [notifyByBackChannel(call, back, session)]),
    ...(front === undefined || !server.features.has('frontchannel-logout')
      ? []
      : [{ client_id, channel: 'front', url: frameUrl(server, front, session), ...withoutPage(ending) } as const]),
  ];
}

/** OIDC Front-Channel Logout §2: always with `iss` and `sid`, so that a client need not trust the bare address. */
function frameUrl({ iss }: AuthorizationServer, registered: string, { sid }: Session): string {
  return `${registered}${registered.includes('?') ? '&' : '?'}${new URLSearchParams({ iss, sid })}`;
}

const noPage = 'the owner of the sandbox ended the session, so no logout page was open to load the address';

function withoutPage(ending: Ending): { failure?: string } {
  if (!('replacedBy' in ending)) return ending.by === 'owner' ? { failure: noPage } : {};
  return { failure: 'a different sign-in replaced the session, so no logout page was open to load the address' };
}

/** `check_session_iframe` (OIDC Session Management §3.2): the same page for all; its script reads the cookie. */
export async function checkSession(_server: AuthorizationServer): Promise<Reply> {
  return { kind: 'page', page: { name: 'check-session' } };
}
