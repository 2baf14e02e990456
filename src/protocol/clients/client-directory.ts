import { fitsPattern, patternOrigin, type RegisteredClient } from './client.ts';

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

type WebAddresses = Pick<
  RegisteredClient,
  | 'redirect_uris'
  | 'post_logout_redirect_uris'
  | 'web_origins'
  | 'redirect_uri_patterns'
  | 'post_logout_redirect_uri_patterns'
>;

/**
 * Origins of the pages of a client: those of its http and https redirect URIs, and those it lists. A private-use
 * scheme, as in `com.example.app:/callback`, has no origin: `new URL()` gives `null` for it, which is also the origin
 * of many other pages. A pattern gives the origin with its `*`.
 */
export function webOriginsOf(client: WebAddresses): string[] {
  const { redirect_uris, post_logout_redirect_uris, web_origins = [] } = client;
  const pages = [...redirect_uris, ...post_logout_redirect_uris].filter(uri => /^https?:/i.test(uri));
  return [...pages.map(uri => new URL(uri).origin), ...web_origins, ...patternOriginsOf(client)];
}

function patternOriginsOf(client: WebAddresses): string[] {
  const { redirect_uri_patterns: login = [], post_logout_redirect_uri_patterns: logout = [] } = client;
  return [...login, ...logout].flatMap(pattern => patternOrigin(pattern) ?? []);
}

/** Origins whose pages may call; `*.` stands for one label. */
export interface WebOrigins extends Iterable<string> {
  has(origin: string): boolean;
}

/** The origins of the pages of some clients. A `*` in `web_origins` is no pattern. */
export function webOriginsAmong(clients: Iterable<WebAddresses>): WebOrigins {
  const all = [...clients];
  const named = new Set(all.flatMap(webOriginsOf));
  const patterns = [...new Set(all.flatMap(patternOriginsOf))].filter(origin => origin.includes('*'));
  return {
    has: origin => named.has(origin) || patterns.some(pattern => fitsPattern(`${pattern}/`, `${origin}/`)),
    [Symbol.iterator]: () => named[Symbol.iterator](),
  };
}

const loopbackHost = /^([\w-]+\.)*localhost$|^127(\.\d{1,3}){3}$|^\[::1\]$/i;
const longestOrigin = 300;

/** True if an origin that a browser sent (RFC 6454 §7) is on this machine, with any port, with or without TLS. */
export function isLoopbackOrigin(origin: string): boolean {
  if (origin.length > longestOrigin) return false;
  const host = /^https?:\/\/(.+?)(:\d{1,5})?$/.exec(origin)?.[1];
  return host !== undefined && loopbackHost.test(host);
}
