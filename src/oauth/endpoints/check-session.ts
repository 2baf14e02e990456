import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reply } from './endpoint.ts';

/**
 * `check_session_iframe` (OIDC Session Management §3.2). Everybody gets the same page; its script reads the browser's
 * cookie.
 */
export async function checkSession(_server: AuthorizationServer): Promise<Reply> {
  return { kind: 'page', page: { name: 'check-session' } };
}
