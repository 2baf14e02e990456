import type { Duration } from '../../clock/duration.ts';
import type { OptionalClientMetadata, ResponseType, TokenEndpointAuthMethod } from '../../oauth/clients/client.ts';
import type { JsonObject } from '../json.ts';

/** The asymmetric JWS algorithms (RFC 7518 §3.1, RFC 8037, RFC 9864). */
export type SigningAlg =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'Ed25519';

/** A client's grant types, by their wire names. */
export type GrantType =
  | 'authorization_code'
  | 'client_credentials'
  | 'refresh_token'
  | 'urn:ietf:params:oauth:grant-type:device_code'
  | 'urn:ietf:params:oauth:grant-type:token-exchange'
  | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  | 'urn:openid:params:grant-type:ciba'
  | 'password'
  | 'implicit';

/** How a client proves who it is at the token endpoint. */
export type AuthMethod = TokenEndpointAuthMethod;

/** A client in RFC 7591 §2 names (and those of its relatives, in `OptionalClientMetadata`), then our own extensions. */
export interface ClientEntry extends Omit<OptionalClientMetadata, 'id_token_lifetime' | 'refresh_token_lifetime'> {
  readonly client_id: string;
  /** Shown on the login screen. Default: the `client_id`. */
  readonly client_name?: string;
  /** Left out, the client is public, or proves itself with a key. */
  readonly client_secret?: string;
  /** Default `client_secret_basic` or `client_secret_post` with a secret, as the client likes, and `none` without one. */
  readonly token_endpoint_auth_method?: AuthMethod;
  /** Instead of the single method: several, for libraries that offer no choice. */
  readonly token_endpoint_auth_methods?: readonly AuthMethod[];
  /** Default `['authorization_code']`. */
  readonly grant_types?: readonly GrantType[];
  /** Default `['code']` for a client with `authorization_code`, none for others. All but `code` are removed by OAuth 2.1. */
  readonly response_types?: readonly ResponseType[];
  /** Where the browser may be sent with a code: compared character by character. */
  readonly redirect_uris?: readonly string[];
  /** Where the browser may be sent after logout. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** The scopes it may ask for, space-delimited. Default: all scopes of the sandbox, `openid` among them. */
  readonly scope?: string;
  /** Default RS256. */
  readonly id_token_signed_response_alg?: SigningAlg;
  /** `pairwise` gives each client, or sector, a `sub` of its own (OIDC Core §8). Default `public`. */
  readonly subject_type?: 'public' | 'pairwise';
  /** `auth_time` is always in the ID Token. Default false; it is there anyway when it is known. */
  readonly require_auth_time?: boolean;
  /** Refuses authorization requests that were not pushed (RFC 9126 §6). Default false. */
  readonly require_pushed_authorization_requests?: boolean;
  /** Refuses plain authorization requests (RFC 9101 §10.5). Default false. */
  readonly require_signed_request_object?: boolean;
  /** Gives tokens only with a DPoP proof (RFC 9449 §5.2). Default false. */
  readonly dpop_bound_access_tokens?: boolean;
  /** Binds tokens to the client's certificate (RFC 8705 §3.4). Default false. */
  readonly tls_client_certificate_bound_access_tokens?: boolean;
  /** Default false. */
  readonly backchannel_logout_session_required?: boolean;
  /** Default false. */
  readonly frontchannel_logout_session_required?: boolean;

  /** Relaxation: any http or https redirect URI on `localhost`, `127.0.0.1` or `[::1]` is accepted. Default false. */
  readonly loopback_redirects?: boolean;
  /**
   * Origins whose pages may call from a browser (CORS), besides loopback ones and those of its redirect URIs:
   * `https://app.example`, `capacitor://localhost`, `null`. Default none.
   */
  readonly web_origins?: readonly string[];
  /** Demands PKCE. Public clients always need it; default for others is the setting `requirePkce`. */
  readonly require_pkce?: boolean;
  /** Asks the user for consent to scopes not consented to before. Default false; `prompt=consent` asks anyway. */
  readonly require_consent?: boolean;
  /** Signs in this user without a click, by `sub`, username or e-mail. Default: the setting `autoLogin`. */
  readonly auto_login?: string;
  /** What goes wrong with it, always and on purpose, by the names of the catalogue (`GET /_sandbox/faults/catalogue`). */
  readonly faults?: readonly string[];
  /** `aud` of its access tokens when no `resource` is asked for. Default: the client itself. */
  readonly audience?: string | readonly string[];
  /** `opaque` tokens are random and readable by introspection only. Default `jwt` (RFC 9068). */
  readonly access_token_format?: 'jwt' | 'opaque';
  /** Seconds, or text such as `5m`. Default: the setting `accessTokenLifetime`. */
  readonly access_token_lifetime?: Duration;
  /** Seconds, or text such as `5m`. Default: the setting `idTokenLifetime`. */
  readonly id_token_lifetime?: Duration;
  /** Seconds, or text such as `8h`. Default: the setting `refreshTokenLifetime`. */
  readonly refresh_token_lifetime?: Duration;
  /** `all` puts the claims of the granted scopes into the ID Token, not only into UserInfo. Default `scope`. */
  readonly id_token_claims?: 'scope' | 'all';
  /** `false` lets a refresh token be used again and again. Default true. */
  readonly refresh_token_rotation?: boolean;
  /** Added to each access token of this client. */
  readonly access_token_claims?: JsonObject;
}
