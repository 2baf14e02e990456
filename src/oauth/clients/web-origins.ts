import type { RegisteredClient } from './client.ts';

type WebAddresses = Pick<RegisteredClient, 'redirect_uris' | 'post_logout_redirect_uris' | 'web_origins'>;

/**
 * Origins of the pages of a client: those of its http and https redirect URIs, and those it lists. A private-use
 * scheme, as in `com.example.app:/callback`, has no origin: `new URL()` gives `null` for it, which is also the origin
 * of many other pages.
 */
export function webOriginsOf({ redirect_uris, post_logout_redirect_uris, web_origins = [] }: WebAddresses): string[] {
  const pages = [...redirect_uris, ...post_logout_redirect_uris].filter(uri => /^https?:/i.test(uri));
  return [...pages.map(uri => new URL(uri).origin), ...web_origins];
}

const loopbackHost = /^([\w-]+\.)*localhost$|^127(\.\d{1,3}){3}$|^\[::1\]$/i;
const longestOrigin = 300;

/** True if an origin that a browser sent (RFC 6454 §7) is on this machine, with any port, with or without TLS. */
export function isLoopbackOrigin(origin: string): boolean {
  if (origin.length > longestOrigin) return false;
  const host = /^https?:\/\/(.+?)(:\d{1,5})?$/.exec(origin)?.[1];
  return host !== undefined && loopbackHost.test(host);
}
