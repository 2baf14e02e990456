import type { clientMembers } from './client-members.ts';

/** Client authentication methods at the token endpoint (RFC 6749 §2.3.1, OIDC Core §9, RFC 8705 §2). */
export const tokenEndpointAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
] as const;
export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number];

/** Authentication methods that need the `client_secret`. */
export const secretMethods: readonly TokenEndpointAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
];

/** OAuth 2.0 Multiple Response Types §3, §5; all but `code` are removed by OAuth 2.1. */
export const responseTypes = [
  'code',
  'id_token',
  'id_token token',
  'token',
  'code id_token',
  'code token',
  'code id_token token',
] as const;
export type ResponseType = (typeof responseTypes)[number];

/** Algorithms to encrypt to a public key of the client (RFC 7518 §4.1, §5.1): of keys, and of contents. */
export const encryptionAlgs = [
  'RSA-OAEP',
  'RSA-OAEP-256',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A192KW',
  'ECDH-ES+A256KW',
] as const;
export const encryptionEncs = [
  'A128CBC-HS256',
  'A192CBC-HS384',
  'A256CBC-HS512',
  'A128GCM',
  'A192GCM',
  'A256GCM',
] as const;

export type Jwk = Readonly<Record<string, unknown>>;

/** The look of an application on the pages for its users. */
export interface Branding {
  readonly name?: string;
  /** A data URI with the image: pages load nothing from elsewhere. */
  readonly logo?: string;
  /** `#0f766e` */
  readonly color?: string;
}

/** The values of a registered client, by the formats of `clientMembers`. */
export interface ClientFormats {
  readonly age: number;
  readonly assertionAlg: string;
  readonly audience: readonly string[];
  readonly authMethod: TokenEndpointAuthMethod;
  readonly branding: Branding;
  readonly authMethods: readonly TokenEndpointAuthMethod[];
  readonly distinguishedName: string;
  readonly encryptionAlg: string;
  readonly encryptionEnc: string;
  readonly faults: readonly string[];
  readonly flag: boolean;
  readonly grantTypes: readonly string[];
  readonly idTokenAlg: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly jwks: { readonly keys: readonly Jwk[] };
  /** Seconds. */
  readonly lifetime: number;
  readonly name: string;
  readonly origins: readonly string[];
  readonly patterns: readonly string[];
  readonly redirectUris: readonly string[];
  readonly responseTypes: readonly ResponseType[];
  readonly scope: string;
  readonly signingAlg: string;
  readonly text: string;
  readonly texts: readonly string[];
  readonly visible: string;
  readonly webUri: string;
  readonly webUris: readonly string[];
}

type Members = typeof clientMembers;

/** Type of a member's value: one of the listed values, or the type of its format. */
export type ClientValue<Format, Formats> = Format extends readonly (infer Value)[]
  ? Value
  : Format extends keyof Formats
    ? Formats[Format]
    : never;

/** Client metadata with the values of these formats; absent if the client has no such member. */
export type ClientMetadata<Formats> = {
  readonly [Name in keyof Members]?: ClientValue<Members[Name]['format'], Formats>;
};

type DecidedMember = {
  [Name in keyof Members]: Members[Name] extends { default: unknown } | { isDerived: true } ? Name : never;
}[keyof Members];

type OptionalMember = Exclude<keyof Members, DecidedMember | 'token_endpoint_auth_method'>;

/**
 * A registered client. Lifetimes are seconds, absent if those of the issuer apply; an empty `audience` means the client
 * itself. Configuration and registration fill the defaults and check the rules, so every client is valid. RFC 7591 allows
 * one authentication method; a client here may have several.
 */
export interface RegisteredClient
  extends Pick<ClientMetadata<ClientFormats>, OptionalMember>,
    Required<Pick<ClientMetadata<ClientFormats>, DecidedMember>> {
  /**
   * Where it is registered: in configuration, at the registration endpoint, or by its own metadata document. `any`: nowhere,
   * with `CLIENTS=any`.
   */
  readonly origin: 'configuration' | 'registration' | 'metadata_document' | 'any';
  /** Its only audience was configured as a list, and stays one in tokens. */
  readonly isAudienceList?: true;
}

/** RFC 6749 §2.1: a client without credentials. */
export function isPublic(client: RegisteredClient): boolean {
  return client.token_endpoint_auth_methods.every(method => method === 'none');
}

/** True for a client that nobody configured and no relaxation vouches for. */
export function isStranger({ origin }: Pick<RegisteredClient, 'origin'>): boolean {
  return origin === 'registration' || origin === 'metadata_document';
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackLiterals = new Set(['127.0.0.1', '[::1]']);

/**
 * True if the client may receive answers at this URI. Compares character by character, except that a loopback IP literal
 * (RFC 8252 §7.3), and `localhost` for a native application (§8.3), may have any port. With `loopback_redirects`, any URI
 * on a loopback host is allowed, and the relaxations allow more.
 */
export function allowsRedirectUri(client: RegisteredClient, uri: string): boolean {
  if (client.redirect_uris.includes(uri)) return true;
  if (client.redirect_uri_patterns?.some(pattern => fitsPattern(pattern, uri))) return true;
  if (client.origin === 'any') return isReachable(uri);
  const url = loopbackUrl(uri);
  if (url === undefined) return false;
  if (client.loopback_redirects) return true;
  const hosts = client.application_type === 'native' ? loopbackHosts : loopbackLiterals;
  if (url.protocol !== 'http:' || !hosts.has(url.hostname)) return false;
  const anyPort = withoutPort(uri);
  return client.redirect_uris.some(registered => loopbackUrl(registered) && withoutPort(registered) === anyPort);
}

/** True for an address after a logout, by the rule of `allowsRedirectUri` (OIDC RP-Initiated Logout §2). */
export function allowsPostLogoutRedirectUri(client: RegisteredClient, uri: string): boolean {
  const { post_logout_redirect_uris: redirect_uris, post_logout_redirect_uri_patterns: patterns = [] } = client;
  return allowsRedirectUri({ ...client, redirect_uris, redirect_uri_patterns: patterns }, uri);
}

/** Schemes that a browser runs as a script or opens from disk, so that no response can be sent to them. */
export const dangerousSchemes: readonly string[] = [
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'filesystem',
  'view-source',
];

/** True for an absolute URI without a fragment to which a browser can be sent. */
function isReachable(uri: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):[!$-;=?-[\]_a-z~]*$/i.exec(uri)?.[1]?.toLowerCase();
  return scheme !== undefined && !dangerousSchemes.includes(scheme) && URL.canParse(uri);
}

/** True if a request object may be fetched from an address. The fragment is not compared (OIDC Core §6.2). */
export function allowsRequestUri({ request_uris = [] }: RegisteredClient, uri: string): boolean {
  const [address] = uri.split('#', 1);
  return request_uris.some(registered => registered.split('#', 1)[0] === address);
}

// The authority must be written out as one of three hosts, because a parser could misread `http://localhost:80@evil`.
// The rest are characters of a URI (RFC 3986 §2), because the URI is sent in a header.
const loopbackForm = /^(https?:\/\/)(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?][!$-;=?-[\]_a-z~]*)?$/;

function loopbackUrl(uri: string): URL | undefined {
  if (!loopbackForm.test(uri)) return undefined;
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return url !== undefined && loopbackHosts.has(url.hostname) ? url : undefined;
}

function withoutPort(uri: string): string {
  return uri.replace(loopbackForm, '$1$2$4');
}

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
