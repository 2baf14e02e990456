import { allowsRedirectUri, isPublic, type RegisteredClient } from '../protocol/clients/client.ts';
import type { TestUser } from '../protocol/users/user.ts';
import type { DashboardFacts } from './facts.ts';

/** The path of a client's page, below that of the issuer. The id is encoded, because it may be a URL. */
export function clientPath(client_id: string): string {
  return `/dashboard/clients/${encodeURIComponent(client_id)}`;
}

/** The client with this id, configured or registered at run time; undefined if it was deleted. */
export function registeredClient(
  { registered }: Pick<DashboardFacts, 'registered'>,
  client_id: string,
): RegisteredClient | undefined {
  for (const client of registered()) if (client.client_id === client_id) return client;
  return undefined;
}

/** The path of a user's page, below that of the issuer. The `sub` is encoded, because it may have any visible character. */
export function userPath(sub: string): string {
  return `/dashboard/users/${encodeURIComponent(sub)}`;
}

/** The user with this `sub`; undefined if there is none. */
export function accountOf({ accounts }: Pick<DashboardFacts, 'accounts'>, sub: string): TestUser | undefined {
  for (const user of accounts()) if (user.sub === sub) return user;
  return undefined;
}

/** The redirect URI of the demo login, below the issuer. */
export const demoCallback = '/dashboard/demo/callback';

/** The public client whose redirect URI may be the dashboard; undefined if there is none. */
export function demoClient({ registered, issuer, endpoints }: DashboardFacts): RegisteredClient | undefined {
  if (!endpoints.some(({ name }) => name === 'authorize')) return undefined;
  return [...registered()].find(
    client =>
      client.origin === 'configuration' &&
      isPublic(client) &&
      client.grant_types.includes('authorization_code') &&
      allowsRedirectUri(client, issuer + demoCallback),
  );
}
