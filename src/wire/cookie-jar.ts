/** The cookies of one visit, by name: their paths and domains do not matter at one server. */
export type CookieJar = Map<string, string>;

/** The Cookie header for a request; empty if there are no cookies (RFC 6265 §5.4). */
export function cookieHeader(jar: CookieJar): { readonly Cookie?: string } {
  return jar.size === 0 ? {} : { Cookie: [...jar].map(pair => pair.join('=')).join('; ') };
}

/** Keeps what an answer sets, and forgets what it ends (RFC 6265 §5.3). */
export function keepCookies(jar: CookieJar, setCookie: readonly string[] = []): void {
  for (const line of setCookie) {
    const [pair = '', ...attributes] = line.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (attributes.some(each => /^\s*(max-age=(0|-\d+)\s*$|expires=thu, 01 jan 1970)/i.test(each))) jar.delete(name);
    else jar.set(name, pair.slice(equals + 1));
  }
}
