import type { RegisteredClient } from './client.ts';
import { fitsPattern, patternOrigin } from './redirect-patterns.ts';

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
