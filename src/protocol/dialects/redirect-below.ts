import type { RegisteredClient } from '../clients/client.ts';

/**
 * True if a URI is a registered one or below it: the same scheme and port, the same host or a subdomain, and the same path
 * or one below it. Such a rule is careless, so only a preset of a provider with this rule uses it.
 */
export function isBelowRegistered({ redirect_uris }: Pick<RegisteredClient, 'redirect_uris'>, uri: string): boolean {
  const sent = plainUrl(uri);
  return sent !== undefined && redirect_uris.some(registered => isBelow(sent, registered));
}

function isBelow(sent: URL, registered: string): boolean {
  const url = plainUrl(registered);
  if (url === undefined || url.search !== '') return false;
  const isHost = sent.hostname === url.hostname || sent.hostname.endsWith(`.${url.hostname}`);
  const isPath = sent.pathname === url.pathname || sent.pathname.startsWith(`${url.pathname.replace(/\/$/, '')}/`);
  return sent.protocol === url.protocol && sent.port === url.port && isHost && isPath;
}

/** A web address that every parser reads in the same way: without user, fragment, backslash or dots in the path. */
function plainUrl(uri: string): URL | undefined {
  const form = /^https?:\/\/[\w.-]+(:\d{1,5})?(\/(?!\.{1,2}(\/|$))[\w.~!$&'()*+,;=:@-]*)*(\?[!$-;=?-Z_a-z~%]*)?$/i;
  return form.test(uri) && !/\/\.{1,2}(\/|\?|$)/.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined;
}
