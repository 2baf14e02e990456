import type { IncomingMessage } from 'node:http';

/**
 * Which `Host` headers are served: loopback names, the hosts of our own addresses and the configured ones, each with any
 * port. Stops DNS rebinding. Addresses and links are never derived from the header.
 */
export function createHostCheck(
  addresses: readonly string[],
  allowedHosts: readonly string[],
): (host: string | undefined) => boolean {
  const names = new Set(hostNames(addresses, allowedHosts));
  const seen = new Map<string, boolean>();
  return host => {
    if (host === undefined) return false;
    const known = seen.get(host);
    if (known !== undefined) return known;
    const allowed = names.has(hostname(host)) || hostname(host).endsWith('.localhost');
    if (seen.size < 100) seen.set(host, allowed);
    return allowed;
  };
}

/** The names it serves, besides all that end in `.localhost`. */
export function hostNames(addresses: readonly string[], allowedHosts: readonly string[]): readonly string[] {
  const ours = addresses.map(address => new URL(address).hostname);
  return [...new Set(['localhost', '127.0.0.1', '[::1]', ...ours, ...allowedHosts.map(inHeader)])];
}

/** As it is written in a header: an IPv6 address has brackets there. */
function inHeader(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

/** Without the port; never throws, whatever the header holds. */
function hostname(host: string): string {
  return host.toLowerCase().replace(/:\d{0,5}$/, '');
}

/**
 * Whether a request came by the address of back ends: its `Host` says so, with or without the port that goes unsaid. No `Vary`
 * tells caches of it, because the host is part of what they go by (RFC 9111 §2).
 */
export function createBackchannelCheck(backchannelUrl: string | undefined): (req: IncomingMessage) => boolean {
  if (backchannelUrl === undefined) return () => false;
  const { host, port, protocol } = new URL(backchannelUrl);
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  return ({ headers }) => {
    const asked = headers.host?.toLowerCase();
    return asked === host || asked === withPort;
  };
}
