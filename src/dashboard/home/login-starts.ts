import type { RegisteredClient } from '../../protocol/clients/client.ts';

const most = 20;

/**
 * The applications at which a login can start on this page, by their `initiate_login_uri` (OIDC Core §4); if there are many, the latest
 * registered ones.
 */
export function loginStarts(clients: Iterable<RegisteredClient>, issuer: string) {
  const starts = [...clients].flatMap(({ client_id, client_name, initiate_login_uri: uri }) => {
    if (uri === undefined) return [];
    const href = `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
    return [{ client_id, client_name, href }];
  });
  return starts.slice(-most);
}
