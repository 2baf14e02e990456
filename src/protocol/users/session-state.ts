import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { Session } from './session.ts';

/** The state that the `check_session_iframe` may read (OIDC Session Management §3.2). It does not reveal the session's id. */
export function browserState({ id }: Pick<Session, 'id'>): string {
  return hash('sha256', `browser state ${id}`, 'base64url');
}

/**
 * `session_state` of an authentication response (OIDC Session Management §2, §3.2): the iframe computes the same hash
 * from the browser's cookie. Absent for a redirect URI without an origin, such as an app's own scheme, because no iframe
 * can ask there.
 */
export function sessionStateParameter(
  { features, random }: Pick<AuthorizationServer, 'features' | 'random'>,
  session: Pick<Session, 'id'>,
  { client_id, redirect_uri, scopes }: Pick<AuthorizationRequest, 'client_id' | 'redirect_uri' | 'scopes'>,
): { readonly session_state?: string } {
  if (!features.has('session-management') || !scopes.includes('openid')) return {};
  const { origin } = new URL(redirect_uri);
  if (origin === 'null') return {};
  const salt = random.id();
  const digest = hash('sha256', [client_id, origin, browserState(session), salt].join(' '), 'hex');
  return { session_state: `${digest}.${salt}` };
}
