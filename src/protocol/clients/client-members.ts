import type { Feature } from '../feature.ts';

/** One member of a client's metadata. */
export interface ClientMember {
  /**
   * Format of the value: the name of a format, or the list of allowed values. `ClientFormats` has the types, and the
   * configuration the checks.
   */
  readonly format: string | readonly string[];
  /** Features this member depends on when a client registers itself. */
  readonly needs?: Feature | readonly Feature[];
  /** A client cannot register this member itself: it is our own extension, or the server sets it. */
  readonly isOurs?: true;
  /** Value of a client that does not set this member. */
  readonly default?: unknown;
  /** Never absent in a registered client: the configuration derives it from the other members. */
  readonly isDerived?: true;
}

/**
 * Client metadata by its wire names: RFC 7591 §2 and the registries that grew from it, then our own extensions. From this
 * table come the types of an entry and of a registered client, the checks of the configuration and of the control API,
 * the JSON Schema, the members a client can register for itself, and the defaults.
 */
export const clientMembers = {
  /** Identifies the client: visible ASCII characters. */
  client_id: { format: 'visible', isOurs: true, isDerived: true },
  /** Shown on the sign-in page. Default: the `client_id`. */
  client_name: { format: 'name', isDerived: true },
  /** Visible ASCII characters. Without a secret the client is public or authenticates with a key. */
  client_secret: { format: 'visible', isOurs: true },
  /** Default: `client_secret_basic` and `client_secret_post` are both accepted with a secret; `none` without one. */
  token_endpoint_auth_method: { format: 'authMethod' },
  /** Several methods in place of one, for libraries that offer no choice. */
  token_endpoint_auth_methods: { format: 'authMethods', isOurs: true, isDerived: true },
  /** The algorithm its client assertions must be signed with. */
  token_endpoint_auth_signing_alg: { format: 'assertionAlg' },
  /** Its public keys, for client assertions, request objects and encryption (RFC 7517 §5). Either `jwks` or `jwks_uri`. */
  jwks: { format: 'jwks' },
  /** The address of its public keys. Either `jwks` or `jwks_uri`. */
  jwks_uri: { format: 'webUri' },
  /** The subject of its certificate, for `tls_client_auth`: exactly one of these five members (RFC 8705 §2.1.2). */
  tls_client_auth_subject_dn: { format: 'distinguishedName', needs: 'mtls' },
  /** A DNS name of its certificate. */
  tls_client_auth_san_dns: { format: 'text', needs: 'mtls' },
  /** A URI of its certificate. */
  tls_client_auth_san_uri: { format: 'text', needs: 'mtls' },
  /** An IP address of its certificate. */
  tls_client_auth_san_ip: { format: 'text', needs: 'mtls' },
  /** An e-mail address of its certificate. */
  tls_client_auth_san_email: { format: 'text', needs: 'mtls' },
  /** The grants it may use. Default `['authorization_code']`. */
  grant_types: { format: 'grantTypes', isDerived: true },
  /** The response types it may ask for. Default `['code']` for a client with `authorization_code`, none for others. All but `code` are removed by OAuth 2.1. */
  response_types: { format: 'responseTypes', isDerived: true },
  /** The addresses that may receive a code, compared character by character. */
  redirect_uris: { format: 'redirectUris', default: [] },
  /**
   * Those of the `redirect_uris` whose codes only pages may redeem, for presets with types of redirect URIs. Default: all of a
   * public client that is not `native`.
   */
  spa_redirect_uris: { format: 'redirectUris', isOurs: true },
  /** The addresses a browser may return to after a logout. */
  post_logout_redirect_uris: { format: 'redirectUris', default: [] },
  /** The addresses that its `request_uri` may name (OIDC Core §6.2). */
  request_uris: { format: 'webUris', needs: 'jar' },
  /** The scopes it may ask for, space-delimited. Default: all scopes of the sandbox, `openid` among them. */
  scope: { format: 'scope', isDerived: true },
  /** The scopes that each of its requests gets without asking for them. Scopes that `scope` does not allow are left out. */
  default_scope: { format: 'scope', isOurs: true },
  /**
   * Signs its ID tokens with this algorithm. Default RS256. `HS256`, `HS384` and `HS512` are a relaxation: they sign with the
   * `client_secret`.
   */
  id_token_signed_response_alg: { format: 'idTokenAlg', isDerived: true },
  /** Encrypts its ID tokens with this key algorithm. Default: not encrypted. */
  id_token_encrypted_response_alg: { format: 'encryptionAlg' },
  /** The content encryption of its ID tokens. Default `A128CBC-HS256`. */
  id_token_encrypted_response_enc: { format: 'encryptionEnc' },
  /** Signs UserInfo with this algorithm and returns a JWT. Default: plain JSON. */
  userinfo_signed_response_alg: { format: 'signingAlg' },
  /** Encrypts UserInfo with this key algorithm. Default: not encrypted. */
  userinfo_encrypted_response_alg: { format: 'encryptionAlg' },
  /** The content encryption of UserInfo. Default `A128CBC-HS256`. */
  userinfo_encrypted_response_enc: { format: 'encryptionEnc' },
  /** Signs its authorization responses, with a `response_mode` of JWT (JARM §5). */
  authorization_signed_response_alg: { format: 'signingAlg', needs: 'jarm' },
  /** Signs introspection responses that are JWTs (RFC 9701 §6). */
  introspection_signed_response_alg: { format: 'signingAlg', needs: 'introspection' },
  /** The algorithm its request objects must be signed with (RFC 9101). */
  request_object_signing_alg: { format: 'signingAlg', needs: 'jar' },
  /**
   * With `pairwise`, each client or sector gets a different `sub` for the same user (OIDC Core §8). Default `public`.
   */
  subject_type: { format: ['public', 'pairwise'], default: 'public' },
  /** The address of a list of redirect URIs; clients of one list share pairwise subjects (OIDC Core §8.1). */
  sector_identifier_uri: { format: 'webUri' },
  /** Seconds a sign-in may be old, for requests without `max_age`. */
  default_max_age: { format: 'age' },
  /** The `acr_values` of requests that have none. */
  default_acr_values: { format: 'texts' },
  /** `auth_time` is always in the ID token. Default false; it is there anyway when it is known. */
  require_auth_time: { format: 'flag', default: false },
  /** Refuses authorization requests that were not pushed (RFC 9126 §6). Default false. */
  require_pushed_authorization_requests: { format: 'flag', needs: 'par', default: false },
  /** Refuses plain authorization requests (RFC 9101 §10.5). Default false. */
  require_signed_request_object: { format: 'flag', needs: 'jar', default: false },
  /** Gives tokens only with a DPoP proof (RFC 9449 §5.2). Default false. */
  dpop_bound_access_tokens: { format: 'flag', needs: 'dpop', default: false },
  /** Binds tokens to the client's certificate (RFC 8705 §3.4). Default false. */
  tls_client_certificate_bound_access_tokens: { format: 'flag', needs: 'mtls', default: false },
  /** The types of `authorization_details` it may ask for (RFC 9396 §10). */
  authorization_details_types: { format: 'texts', needs: 'rar' },
  /** The address that is sent a logout token at the end of a session (OIDC Back-Channel Logout §2.2). */
  backchannel_logout_uri: { format: 'webUri', needs: 'backchannel-logout' },
  /** The client needs `sid` in logout tokens. Default false. */
  backchannel_logout_session_required: { format: 'flag', needs: 'backchannel-logout', default: false },
  /** The address that is opened in a frame at the end of a session (OIDC Front-Channel Logout §2). */
  frontchannel_logout_uri: { format: 'webUri', needs: 'frontchannel-logout' },
  /** The client needs `iss` and `sid` in the query of that address. Default false. */
  frontchannel_logout_session_required: { format: 'flag', needs: 'frontchannel-logout', default: false },
  /** The address that starts a sign-in at the app (OIDC Core §4). */
  initiate_login_uri: { format: 'webUri' },
  /** How a CIBA client learns of the decision: `ping` notifies it, with `poll` it asks. */
  backchannel_token_delivery_mode: { format: ['poll', 'ping'], needs: 'ciba' },
  /** The address that `ping` notifies. */
  backchannel_client_notification_endpoint: { format: 'webUri', needs: 'ciba' },
  /** The algorithm its CIBA requests must be signed with (OIDC CIBA §4). */
  backchannel_authentication_request_signing_alg: { format: 'signingAlg', needs: ['ciba', 'jar'] },
  /** The kind of app (OIDC Registration §2). */
  application_type: { format: ['web', 'native'] },
  /** The home page of the app. */
  client_uri: { format: 'webUri' },
  /** The address of the logo. The sign-in page links to it, and the consent screen and the page of a device show it: see `branding`. */
  logo_uri: { format: 'webUri' },
  /**
   * `{ name, logo, color }` on the pages for users. The logo is a data URI or, in a configuration file, the path of a PNG, JPEG, WebP or SVG
   * of at most 100 kB. Default: `branding` of the sandbox.
   */
  branding: { format: 'branding', isOurs: true },
  /** The privacy policy of the app. */
  policy_uri: { format: 'webUri' },
  /** The terms of service of the app. */
  tos_uri: { format: 'webUri' },
  /** E-mail addresses of the people responsible for the client. */
  contacts: { format: 'texts' },
  /** Identifies the software of the client, for all of its versions (RFC 7591 §2). */
  software_id: { format: 'text' },
  /** The version of the software of the client. */
  software_version: { format: 'text' },
  /** A signed JWT with metadata of the client (RFC 7591 §2.3). */
  software_statement: { format: 'text' },

  /** Relaxation: any http or https redirect URI on `localhost`, `127.0.0.1` or `[::1]` is accepted. Default false. */
  loopback_redirects: { format: 'flag', isOurs: true, default: false },
  /**
   * Relaxation: more addresses that may receive a code. A `*` is the first label of a host or a part of it
   * (`https://app-*.example.com/cb`), or any rest at the end (`https://shop.example/*`). Default none.
   */
  redirect_uri_patterns: { format: 'patterns', isOurs: true },
  /** Relaxation: the same for the addresses a browser may return to after a logout. Default none. */
  post_logout_redirect_uri_patterns: { format: 'patterns', isOurs: true },
  /**
   * Additional origins whose pages may call from a browser (CORS). Loopback origins and those of its redirect URIs are
   * always allowed: `https://app.example`, `capacitor://localhost`, `null`. Default none.
   */
  web_origins: { format: 'origins', isOurs: true },
  /** Demands PKCE. Public clients always need it; default for others is the setting `requirePkce`. */
  require_pkce: { format: 'flag', isOurs: true, isDerived: true },
  /** Asks the user for consent to scopes not consented to before. Default false; `prompt=consent` asks anyway. */
  require_consent: { format: 'flag', isOurs: true, isDerived: true },
  /** Signs in this user without a click, by `sub`, username or e-mail. Default: the setting `autoLogin`. */
  auto_login: { format: 'text', isOurs: true },
  /**
   * Faults that are injected into every response to this client, by their names in `GET /_sandbox/faults/catalogue`.
   */
  faults: { format: 'faults', isOurs: true },
  /** `aud` of its access tokens when no `resource` is asked for; a list stays a list. Default: the client itself. */
  audience: { format: 'audience', isOurs: true, isDerived: true },
  /** `opaque` tokens are random and readable by introspection only. Default `jwt` (RFC 9068). */
  access_token_format: { format: ['jwt', 'opaque'], isOurs: true, default: 'jwt' },
  /** Seconds, or text such as `5m`. Default: the setting `accessTokenLifetime`. */
  access_token_lifetime: { format: 'lifetime', isOurs: true, isDerived: true },
  /** Seconds, or text such as `5m`. Default: the setting `idTokenLifetime`. */
  id_token_lifetime: { format: 'lifetime', isOurs: true },
  /** Seconds, or text such as `8h`. Default: the setting `refreshTokenLifetime`. */
  refresh_token_lifetime: { format: 'lifetime', isOurs: true },
  /** `all` puts the claims of the granted scopes into the ID token, not only into UserInfo. Default `scope`. */
  id_token_claims: { format: ['scope', 'all'], isOurs: true, default: 'scope' },
  /** `false` lets a refresh token be used again and again. Default true. */
  refresh_token_rotation: { format: 'flag', isOurs: true, default: true },
  /** Added to each access token of this client. */
  access_token_claims: { format: 'json', isOurs: true, default: {} },
} as const satisfies Readonly<Record<string, ClientMember>>;
