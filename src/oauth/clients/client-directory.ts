import type { RegisteredClient } from './client.ts';

/** The clients of one issuer: configured ones, and those that came at run time. */
export interface ClientDirectory extends ReadonlyMap<string, RegisteredClient> {
  /** Adds a client, or replaces the one of this id; the oldest of too many that came at run time goes. */
  register(client: RegisteredClient): void;
  /** Removes a client that came at run time; a configured one stays. */
  remove(client_id: string): boolean;
  /** Forgets those that came at run time. */
  reset(): void;
}

const mostRegistered = 1000;

export function createClientDirectory(configured: readonly RegisteredClient[]): ClientDirectory {
  const clients = new Map(configured.map(client => [client.client_id, client]));
  const fixed = new Set(clients.keys());
  return Object.assign(clients, {
    register(client: RegisteredClient) {
      if (fixed.has(client.client_id)) throw new Error(`${client.client_id} is configured`);
      clients.delete(client.client_id); // a replaced one counts as the newest
      clients.set(client.client_id, client);
      if (clients.size - fixed.size <= mostRegistered) return;
      const oldest = [...clients.keys()].find(id => !fixed.has(id));
      if (oldest !== undefined) clients.delete(oldest);
    },
    remove: (client_id: string) => !fixed.has(client_id) && clients.delete(client_id),
    reset() {
      clients.clear();
      for (const client of configured) clients.set(client.client_id, client);
    },
  });
}
