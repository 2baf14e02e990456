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
