import type { IncomingMessage } from 'node:http';

/**
 * Checks the `Host` header: loopback names, the hosts of our own addresses and the configured ones, each with any port.
 * Stops DNS rebinding. Addresses and links are derived from the header only with `ISSUER_FROM_HOST`, which checks it once more.
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

/** The allowed names, apart from all that end in `.localhost`. */
export function hostNames(addresses: readonly string[], allowedHosts: readonly string[]): readonly string[] {
  const ours = addresses.map(address => new URL(address).hostname);
  return [...new Set(['localhost', '127.0.0.1', '[::1]', ...ours, ...allowedHosts.map(inHeader)])];
}

/** A host as a header has it: an IPv6 address is in brackets. */
function inHeader(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

/** The host without its port; never throws for any header. */
function hostname(host: string): string {
  return host.toLowerCase().replace(/:\d{0,5}$/, '');
}

/**
 * True if a request came by the back-channel URL, according to its `Host`, with or without the default port. Caches
 * need no `Vary` for it, because the host is part of their key (RFC 9111 §2).
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
