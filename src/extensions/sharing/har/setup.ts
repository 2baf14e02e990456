import type { HarLogin } from './login.ts';

/** The clients and users that a recording shows, so that `grantbox reproduce` can make them. */
export function setupOf(logins: readonly HarLogin[]): object {
  const ids = [...new Set(logins.flatMap(({ client_id }) => client_id ?? []))];
  const subs = [...new Set(logins.flatMap(({ sub }) => sub ?? []))];
  const clients = ids.map(client_id => {
    const own = logins.filter(login => login.client_id === client_id);
    const redirects = [...new Set(own.flatMap(({ redirect_uri }) => redirect_uri ?? []))];
    const scopes = [...new Set(own.flatMap(({ scope = '' }) => scope.split(' ').filter(name => name !== '')))];
    return { client_id, ...(redirects.length === 0 ? {} : { redirect_uris: redirects }), scope: scopes.join(' ') };
  });
  const users = (subs.length === 0 ? ['user'] : subs).map(sub => ({ sub }));
  return { clients, users, scopes: [], collections: [], settings: {}, clock: { offset: 0, frozen: false } };
}
