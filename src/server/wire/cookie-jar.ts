/** The cookies of one visit, by name. Paths and domains are ignored, because there is only one server. */
export type CookieJar = Map<string, string>;

/** The Cookie header for a request; empty if there are no cookies (RFC 6265 §5.4). */
export function cookieHeader(jar: CookieJar): { readonly Cookie?: string } {
  return jar.size === 0 ? {} : { Cookie: [...jar].map(pair => pair.join('=')).join('; ') };
}

/** Stores the cookies that an answer sets, and removes those that it expires (RFC 6265 §5.3). */
export function keepCookies(jar: CookieJar, setCookie: readonly string[] = []): void {
  for (const line of setCookie) {
    const [pair = '', ...attributes] = line.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (attributes.some(each => /^\s*(max-age=(0|-\d+)\s*$|expires=thu, 01 jan 1970)/i.test(each))) jar.delete(name);
    else jar.set(name, pair.slice(equals + 1));
  }
}
