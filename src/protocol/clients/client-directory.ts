import type { RegisteredClient } from './client.ts';
import { type WebOrigins, webOriginsAmong } from './web-origins.ts';

/** The clients of one issuer: configured ones, and clients added at run time. */
export interface ClientDirectory extends ReadonlyMap<string, RegisteredClient> {
  /** Adds a client, or replaces the one with this id. If too many were added at run time, the oldest of them goes. */
  register(client: RegisteredClient): void;
  /** Removes a client that was added at run time; a configured one stays. */
  remove(client_id: string): boolean;
  /** Adds a client, or replaces the one with the same id. The owner of the sandbox may replace configured ones too. */
  replace(client: RegisteredClient): void;
  /** Removes any client. */
  discard(client_id: string): boolean;
  /** Origins of the pages of all these clients. The set is rebuilt only after a client has changed. */
  webOrigins(): WebOrigins;
  /** Restores the state at the start: removes clients added at run time, and undoes changes to the others. */
  reset(): void;
}

/** Most clients that registered themselves; one more takes the place of the oldest. */
export const mostRegistered = 1000;

export function createClientDirectory(configured: readonly RegisteredClient[]): ClientDirectory {
  const clients = new Map(configured.map(client => [client.client_id, client]));
  const fixed = new Set(clients.keys()); // never removed to make room for clients that register
  let origins: WebOrigins | undefined;
  return Object.assign(clients, {
    webOrigins() {
      origins ??= webOriginsAmong(clients.values());
      return origins;
    },
    register(client: RegisteredClient) {
      if (fixed.has(client.client_id)) throw new Error(`${client.client_id} is configured`);
      origins = undefined;
      clients.delete(client.client_id); // a replaced client counts as the newest
      clients.set(client.client_id, client);
      if (clients.size - fixed.size <= mostRegistered) return;
      const oldest = [...clients.keys()].find(id => !fixed.has(id));
      if (oldest !== undefined) clients.delete(oldest);
    },
    remove(client_id: string) {
      origins = undefined;
      return !fixed.has(client_id) && clients.delete(client_id);
    },
    replace(client: RegisteredClient) {
      origins = undefined;
      if (client.origin === 'configuration') fixed.add(client.client_id);
      clients.set(client.client_id, client);
    },
    discard(client_id: string) {
      origins = undefined;
      fixed.delete(client_id);
      return clients.delete(client_id);
    },
    reset() {
      origins = undefined;
      clients.clear();
      fixed.clear();
      for (const { client_id } of configured) fixed.add(client_id);
      for (const client of configured) clients.set(client.client_id, client);
    },
  });
}
