import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reply } from './endpoint.ts';

/** `check_session_iframe` (OIDC Session Management §3.2): the same page for all; its script reads the cookie. */
export async function checkSession(_server: AuthorizationServer): Promise<Reply> {
  return { kind: 'page', page: { name: 'check-session' } };
}
