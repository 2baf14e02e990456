import { sha256 } from './sha256.ts';

export type SessionStatus = 'unchanged' | 'changed' | 'error';

/**
 * The answer to `<client_id> <session_state>` (OIDC Session Management §3.2): whether the state was made for this client at
 * this origin, and for the login that the browser has now.
 */
export function checkSessionState(message: unknown, origin: string, browserState: string): SessionStatus {
  const [, client_id, hash, salt] = /^(.+) ([0-9a-f]{64})\.([\w-]+)$/s.exec(String(message)) ?? [];
  if (client_id === undefined) return 'error';
  return sha256(`${client_id} ${origin} ${browserState} ${salt}`) === hash ? 'unchanged' : 'changed';
}

/** The value of a cookie, empty where there is none. */
export function cookieValue(cookies: string, name: string): string {
  const pair = cookies.split('; ').find(each => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}
