import type { Emit, LoginRule } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { shorten } from '../parameters.ts';
import { editedNames } from '../users/login-claims.ts';
import { type LoginFacts, type Session, startSession } from '../users/session.ts';
import { closeSession } from './close-session.ts';

/** Details of a login for the log, in addition to the user. */
export interface LoginTold {
  /** The rule that signed this user in. */
  readonly by: LoginRule;
  /** The client that asked for the login, if any. */
  readonly client_id?: string | undefined;
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
