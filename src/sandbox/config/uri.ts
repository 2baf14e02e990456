import { nearestName } from '../../base/text/nearest.ts';
import { dangerousSchemes } from '../../protocol/clients/client.ts';

/** Description of a valid redirect URI (RFC 6749 §3.1.2, RFC 8252 §7.1); undefined where this one is valid. */
export function redirectUriProblem(uri: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || isHostAndPort(uri)) return `an absolute URI such as ${withScheme(uri)}`;
  const meant = scheme === 'http' || scheme === 'https' ? undefined : nearestName(scheme, ['http', 'https']);
  if (meant !== undefined) return `a URI of the scheme http or https (did you mean ${meant}?)`;
  if (dangerousSchemes.includes(scheme)) return `a URI the browser can be sent to, not ${scheme}:`;
  if (uri.includes('#')) return 'a URI without a fragment (RFC 6749 §3.1.2)';
  if (!isUri(uri)) return 'a valid URI: characters outside RFC 3986 percent-encoded, and a number as port';
  return scheme === 'http' || scheme === 'https' ? webUriProblem(uri) : undefined;
}

/** A URI parser reads `localhost:3000/callback` as a URI with the scheme `localhost`. */
function isHostAndPort(uri: string): boolean {
  return /^[a-z][a-z0-9.-]*:\d+([/?]|$)/i.test(uri);
}

/** The URI with the missing scheme added, or an example. */
function withScheme(uri: string): string {
  const isHost = /^(localhost|[\w.-]*[.:][\w.:-]*)(\/|$)/.test(uri);
  return isHost && isUri(`http://${uri}`) ? `http://${uri}` : 'http://localhost:3000/callback';
}

function webUriProblem(uri: string): string | undefined {
  if (!/^https?:\/\/[^/?]/i.test(uri)) return 'a URI with a host';
  const { hostname, username, password } = new URL(uri);
  if (hostname.includes('*')) return 'a host without wildcards: list each redirect URI';
  return username === '' && password === '' ? undefined : 'a URI without user name and password';
}

/**
 * Description of a valid address of a client's page or endpoint: http or https, nothing a browser runs; undefined where
 * this one is valid.
 */
export function webUriProblemOf(uri: string): string | undefined {
  if (!/^https?:/i.test(uri) || !isUri(uri)) return 'an absolute http or https URL';
  return webUriProblem(uri);
}

/**
 * Description of a valid origin of a page, as a browser sends it (RFC 6454 §7), including `null` and schemes of apps;
 * undefined where this one is valid.
 */
export function originProblem(origin: string): string | undefined {
  if (origin === 'null') return undefined;
  const form = 'an origin such as http://localhost:3000, capacitor://localhost or null';
  if (/^https?:/i.test(origin)) {
    if (!/^https?:\/\/[^/?#]/i.test(origin) || !URL.canParse(origin)) return form;
    const url = new URL(origin);
    return url.origin === origin ? undefined : `an origin, without a path: ${url.origin}`;
  }
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d{1,5})?$/.test(origin) ? undefined : form;
}

/**
 * Description of a valid issuer identifier (RFC 8414 §2; http is allowed, this is a sandbox); undefined where this one
 * is valid.
 */
export function issuerProblem(issuer: string): string | undefined {
  if (!/^https?:\/\/[^/?#]/.test(issuer) || !isUri(issuer)) return 'an absolute http or https URL';
  if (/[?#]/.test(issuer)) return 'a URL without query and fragment (RFC 8414 §2)';
  const { username, password, hostname } = new URL(issuer);
  if (username !== '' || password !== '') return 'a URL without user name and password';
  if (hostname.includes('*')) return 'a host without wildcards';
  return issuer.endsWith('//') ? 'a URL with at most one slash at the end' : undefined;
}

export function isUri(uri: string): boolean {
  return /^[\x21-\x7e]+$/.test(uri) && !/[\\"<>^`{|}]/.test(uri) && URL.canParse(uri);
}
