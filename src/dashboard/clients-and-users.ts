import type { RegisteredClient } from '../protocol/clients/client.ts';
import type { DashboardOptions } from './dashboard-options.ts';

/** The path of a client's page, below that of the issuer. The id is encoded, because it may be a URL. */
export function clientPath(client_id: string): string {
  return `/dashboard/clients/${encodeURIComponent(client_id)}`;
}

/** The client with this id, configured or registered at run time; undefined if it was deleted. */
export function registeredClient(
  { registered }: Pick<DashboardOptions, 'registered'>,
  client_id: string,
): RegisteredClient | undefined {
  for (const client of registered()) if (client.client_id === client_id) return client;
  return undefined;
}
