import type { RegisteredClient } from '../../oauth/clients/client.ts';

/** A login that starts on this page and continues at the application (OIDC Core §4). */
export interface LoginStart {
  readonly client_id: string;
  readonly client_name: string;
  /** The `initiate_login_uri` of the application with the parameter `iss`. */
  readonly href: string;
}

const most = 20;

/** The applications that support such a login (OIDC Core §4); if there are many, the latest registered ones. */
export function loginStarts(clients: Iterable<RegisteredClient>, issuer: string): readonly LoginStart[] {
  const starts: LoginStart[] = [];
  for (const { client_id, client_name, initiate_login_uri: uri } of clients) {
    if (uri === undefined) continue;
    const href = `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
    starts.push({ client_id, client_name, href });
  }
  return starts.slice(-most);
}
