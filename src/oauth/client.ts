/** How a client proves who it is at the token endpoint (RFC 6749 §2.3.1, OIDC Core §9). */
export const tokenEndpointAuthMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number];

/** Whether access tokens are self-contained (RFC 9068) or random strings only this server can read. */
export type AccessTokenFormat = 'jwt' | 'opaque';

/**
 * A client as registered: RFC 7591 names, then our own extensions. Every member is decided; configuration fills the
 * defaults and checks the rules, so a client that exists is valid.
 */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_name: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  /** RFC 7591 knows one method; a client here may be registered for several (some libraries offer no choice). */
  readonly token_endpoint_auth_methods: readonly TokenEndpointAuthMethod[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  /** Space-delimited, as on the wire (RFC 7591 §2). */
  readonly scope: string;
  readonly id_token_signed_response_alg: string;
  /** Relaxation: accepts any `http://localhost|127.0.0.1|[::1]` redirect URI. */
  readonly loopback_redirects: boolean;
  /** PKCE is demanded of this client; always true for a public one. */
  readonly require_pkce: boolean;
  /** `aud` of its access tokens when no `resource` is asked for; empty means the client itself. */
  readonly audience: readonly string[];
  readonly access_token_format: AccessTokenFormat;
  /** Seconds. */
  readonly access_token_lifetime: number;
  /** `all` puts the claims of the granted scopes into the ID Token too. */
  readonly id_token_claims: 'scope' | 'all';
  readonly refresh_token_rotation: boolean;
  /** Added to each access token of this client. */
  readonly access_token_claims: Readonly<Record<string, unknown>>;
}

/** RFC 6749 §2.1: a client without credentials. */
export function isPublic(client: RegisteredClient): boolean {
  return client.token_endpoint_auth_methods.every(method => method === 'none');
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackLiterals = new Set(['127.0.0.1', '[::1]']);

/**
 * Whether the client may be answered at this URI: character by character, but any port on a loopback IP literal
 * (RFC 8252 §7.3) and, where `loopback_redirects` is on, anything on a loopback host.
 */
export function allowsRedirectUri(client: RegisteredClient, uri: string): boolean {
  if (client.redirect_uris.includes(uri)) return true;
  const url = loopbackUrl(uri);
  if (url === undefined) return false;
  if (client.loopback_redirects) return true;
  if (!loopbackLiterals.has(url.hostname)) return false;
  const anyPort = withoutPort(uri);
  return client.redirect_uris.some(registered => loopbackUrl(registered) && withoutPort(registered) === anyPort);
}

/** The same rule for where a browser may go after logout (OIDC RP-Initiated Logout §2). */
export function allowsPostLogoutRedirectUri(client: RegisteredClient, uri: string): boolean {
  return allowsRedirectUri({ ...client, redirect_uris: client.post_logout_redirect_uris }, uri);
}

// The authority must be written out as one of three hosts: a parser's idea of `http://localhost:80@evil` is not asked.
// What follows are characters of a URI (RFC 3986 §2): it is sent as a header, and others cannot be.
const loopbackForm = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?][!$-;=?-[\]_a-z~]*)?$/;

function loopbackUrl(uri: string): URL | undefined {
  if (!loopbackForm.test(uri)) return undefined;
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return url !== undefined && loopbackHosts.has(url.hostname) ? url : undefined;
}

function withoutPort(uri: string): string {
  return uri.replace(loopbackForm, 'http://$1$3');
}
