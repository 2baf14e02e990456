import type { AuthorizationServer } from './authorization-server.ts';
import type { RegisteredClient } from './client.ts';

/** The client of an id, wherever it is registered. */
export async function findClient(
  server: AuthorizationServer,
  client_id: string,
): Promise<RegisteredClient | undefined> {
  return server.clients.get(client_id);
}
