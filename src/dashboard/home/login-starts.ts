import type { RegisteredClient } from '../../oauth/clients/client.ts';

/** A login that begins here and goes on at the application (OIDC Core §4). */
export interface LoginStart {
  readonly client_id: string;
  readonly client_name: string;
  /** The application's `initiate_login_uri`, told who asks. */
  readonly href: string;
}

const most = 20;

/** The applications that can be asked to begin a login (OIDC Core §4); of many, those that registered last. */
export function loginStarts(clients: Iterable<RegisteredClient>, issuer: string): readonly LoginStart[] {
  const starts: LoginStart[] = [];
  for (const { client_id, client_name, initiate_login_uri: uri } of clients) {
    if (uri === undefined) continue;
    const href = `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
    starts.push({ client_id, client_name, href });
  }
  return starts.slice(-most);
}
