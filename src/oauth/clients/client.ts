/** How a client proves who it is at the token endpoint (RFC 6749 §2.3.1, OIDC Core §9, RFC 8705 §2). */
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

/** Those that need the `client_secret`. */
export const secretMethods: readonly TokenEndpointAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
];

/** Whether access tokens are self-contained (RFC 9068) or random strings only this server can read. */
export type AccessTokenFormat = 'jwt' | 'opaque';

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

/** How ID Tokens and UserInfo can be encrypted to a client (RFC 7518 §4.1, §5.1): to its public key only. */
export const encryptionAlgs = [
  ...(['RSA-OAEP', 'RSA-OAEP-256'] as const),
  ...(['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'] as const),
] as const;
export const encryptionEncs = [
  ...(['A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512'] as const),
  ...(['A128GCM', 'A192GCM', 'A256GCM'] as const),
] as const;

export type Jwk = Readonly<Record<string, unknown>>;

/** Members of RFC 7591 and its relatives that stand as they were registered; absent where the client says nothing. */
export interface OptionalClientMetadata {
  /** Absent for a client without a shared secret. */
  readonly client_secret?: string;
  readonly jwks?: { readonly keys: readonly Jwk[] };
  readonly jwks_uri?: string;
  readonly token_endpoint_auth_signing_alg?: string;
  /** RFC 8705 §2.1.2: exactly one of the five. */
  readonly tls_client_auth_subject_dn?: string;
  readonly tls_client_auth_san_dns?: string;
  readonly tls_client_auth_san_uri?: string;
  readonly tls_client_auth_san_ip?: string;
  readonly tls_client_auth_san_email?: string;

  readonly request_object_signing_alg?: string;
  readonly request_uris?: readonly string[];
  readonly authorization_signed_response_alg?: string;
  readonly userinfo_signed_response_alg?: string;
  readonly introspection_signed_response_alg?: string;
  readonly id_token_encrypted_response_alg?: string;
  readonly id_token_encrypted_response_enc?: string;
  readonly userinfo_encrypted_response_alg?: string;
  readonly userinfo_encrypted_response_enc?: string;
  readonly sector_identifier_uri?: string;

  /** Seconds. */
  readonly default_max_age?: number;
  readonly default_acr_values?: readonly string[];
  readonly authorization_details_types?: readonly string[];

  readonly backchannel_logout_uri?: string;
  readonly frontchannel_logout_uri?: string;
  readonly initiate_login_uri?: string;
  readonly backchannel_token_delivery_mode?: 'poll' | 'ping';
  readonly backchannel_client_notification_endpoint?: string;
  readonly backchannel_authentication_request_signing_alg?: string;

  readonly application_type?: 'web' | 'native';
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly policy_uri?: string;
  readonly tos_uri?: string;
  readonly contacts?: readonly string[];
  readonly software_id?: string;
  readonly software_version?: string;
  readonly software_statement?: string;

  /** Seconds; absent means the issuer's. */
  readonly id_token_lifetime?: number;
  readonly refresh_token_lifetime?: number;
}

/**
 * A client as registered: RFC 7591 names, then our own extensions. Every other member is decided; configuration and
 * registration fill the defaults and check the rules, so a client that exists is valid.
 */
export interface RegisteredClient extends OptionalClientMetadata {
  readonly client_id: string;
  readonly client_name: string;
  /** RFC 7591 knows one method; a client here may be registered for several (some libraries offer no choice). */
  readonly token_endpoint_auth_methods: readonly TokenEndpointAuthMethod[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly ResponseType[];
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  /** Space-delimited, as on the wire (RFC 7591 §2). */
  readonly scope: string;
  readonly id_token_signed_response_alg: string;
  readonly subject_type: 'public' | 'pairwise';
  readonly require_auth_time: boolean;
  readonly require_pushed_authorization_requests: boolean;
  readonly require_signed_request_object: boolean;
  readonly dpop_bound_access_tokens: boolean;
  readonly tls_client_certificate_bound_access_tokens: boolean;
  readonly backchannel_logout_session_required: boolean;
  readonly frontchannel_logout_session_required: boolean;
  /** Relaxation: accepts any `http[s]://localhost|127.0.0.1|[::1]` redirect URI. */
  readonly loopback_redirects: boolean;
  /** Origins whose pages may call from a browser (CORS), besides those of its redirect URIs. */
  readonly web_origins?: readonly string[];
  /** PKCE is demanded of this client; always true for a public one. */
  readonly require_pkce: boolean;
  /** The user is asked for consent, once or each time scopes are new. */
  readonly require_consent: boolean;
  /** Who signs in without a click, by `sub`, username or e-mail address; absent: as the issuer says. */
  readonly auto_login?: string;
  /** What goes wrong with it on purpose, always. */
  readonly faults?: readonly string[];
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
  /** Where it is registered: in configuration, at the registration endpoint, or by its own metadata document. */
  readonly origin: 'configuration' | 'registration' | 'metadata_document';
}

/** RFC 6749 §2.1: a client without credentials. */
export function isPublic(client: RegisteredClient): boolean {
  return client.token_endpoint_auth_methods.every(method => method === 'none');
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackLiterals = new Set(['127.0.0.1', '[::1]']);

/**
 * Whether the client may be answered at this URI: character by character, but any port on a loopback IP literal
 * (RFC 8252 §7.3), for a native application on `localhost`, too (§8.3), and, where `loopback_redirects` is on, anything on a
 * loopback host.
 */
export function allowsRedirectUri(client: RegisteredClient, uri: string): boolean {
  if (client.redirect_uris.includes(uri)) return true;
  const url = loopbackUrl(uri);
  if (url === undefined) return false;
  if (client.loopback_redirects) return true;
  const hosts = client.application_type === 'native' ? loopbackHosts : loopbackLiterals;
  if (url.protocol !== 'http:' || !hosts.has(url.hostname)) return false;
  const anyPort = withoutPort(uri);
  return client.redirect_uris.some(registered => loopbackUrl(registered) && withoutPort(registered) === anyPort);
}

/** The same rule for where a browser may go after logout (OIDC RP-Initiated Logout §2). */
export function allowsPostLogoutRedirectUri(client: RegisteredClient, uri: string): boolean {
  return allowsRedirectUri({ ...client, redirect_uris: client.post_logout_redirect_uris }, uri);
}

// The authority must be written out as one of three hosts: a parser's idea of `http://localhost:80@evil` is not asked.
// What follows are characters of a URI (RFC 3986 §2): it is sent as a header, and others cannot be.
const loopbackForm = /^(https?:\/\/)(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?][!$-;=?-[\]_a-z~]*)?$/;

function loopbackUrl(uri: string): URL | undefined {
  if (!loopbackForm.test(uri)) return undefined;
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return url !== undefined && loopbackHosts.has(url.hostname) ? url : undefined;
}

function withoutPort(uri: string): string {
  return uri.replace(loopbackForm, '$1$2$4');
}
