/**
 * True if an address fits a pattern of a redirect URI. A `*` in the first label of the host is one or more letters, digits
 * and hyphens, so that no other label is added; a `*` at the end is any rest. Nothing of the address may be written in a way
 * that a browser reads differently: no `..`, no backslash, no user name, no upper case in the host.
 */
export function fitsPattern(pattern: string, uri: string): boolean {
  const expression = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/^(https?:\/\/[a-z0-9-]*)\\\*/, '$1[a-z0-9-]{1,63}')
    .replace(/\\\*$/, '[!$-;=?-[\\]_a-z~]*');
  return new RegExp(`^${expression}$`).test(uri) && isAsRead(uri);
}

function isAsRead(uri: string): boolean {
  if (/\.\.(%2f|%5c)|(%2f|%5c)\.\./i.test(uri)) return false; // a file server may read it as a slash
  return URL.canParse(uri) && new URL(uri).href === uri;
}

/** The origin of a pattern, with the `*` of its host in its place; undefined for a scheme of an app. */
export function patternOrigin(pattern: string): string | undefined {
  return /^https?:\/\/[^/?#]+/.exec(pattern)?.[0];
}
