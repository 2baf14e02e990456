import { sha256 } from './sha256.ts';

/**
 * Answers `<client_id> <session_state>` (OIDC Session Management §3.2): tells whether the state was made for this client, this
 * origin and the current login of the browser.
 */
export function checkSessionState(
  message: unknown,
  origin: string,
  browserState: string,
): 'unchanged' | 'changed' | 'error' {
  const [, client_id, hash, salt] = /^(.+) ([0-9a-f]{64})\.([\w-]+)$/s.exec(String(message)) ?? [];
  if (client_id === undefined) return 'error';
  return sha256(`${client_id} ${origin} ${browserState} ${salt}`) === hash ? 'unchanged' : 'changed';
}

/** The value of a cookie; empty if there is no such cookie. */
export function cookieValue(cookies: string, name: string): string {
  const pair = cookies.split('; ').find(each => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}
