import type { Feature } from '../oauth/feature.ts';
import type { ClientEntry, SigningAlg } from './client-config.ts';
import type { JsonObject } from './json.ts';
import type { StandardClaims } from './standard-claims.ts';

export type { AuthMethod, ClientEntry, GrantType, SigningAlg } from './client-config.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { AddressClaim, StandardClaims } from './standard-claims.ts';

/**
 * What `clients.config.ts` exports and what `createSandbox` takes. Everything is optional: what is left out keeps the
 * default. A list of clients, users or collections replaces the built-in one; scopes are added to the standard ones.
 */
export interface SandboxConfig {
  /** The applications that may ask for tokens. Replaces the built-in `frontend` and `sensor`. */
  readonly clients?: readonly ClientEntry[];
  /** The people who can sign in. Replaces the built-in alice, bob and carol. */
  readonly users?: readonly UserEntry[];
  /** By name. A string is short for `{ description }`. The OpenID Connect scopes are always known. */
  readonly scopes?: Readonly<Record<string, ScopeEntry | string>>;
  /** Collections of the sample backend, by the path segment in `/api/<name>`. */
  readonly collections?: Readonly<Record<string, CollectionEntry>>;
  /** Types of `authorization_details` clients may ask for (RFC 9396), by name. */
  readonly authorizationDetailsTypes?: Readonly<Record<string, AuthorizationDetailsTypeEntry>>;
  /** Others whose JWTs say who a user is, by their `iss`: for the JWT bearer grant and token exchange. */
  readonly trustedIssuers?: Readonly<Record<string, TrustedIssuerEntry>>;

  /**
   * Further issuers in this process, by their path (`tenant-a` is `http://localhost:9000/tenant-a`): each with clients, users,
   * keys, features, pages and history of its own. What one does not say is as with the first.
   */
  readonly issuers?: Readonly<Record<string, IssuerEntry>>;

  /** Whether this file is read again when it changes. Default true; what `createSandbox` is given is no file. */
  readonly watch?: boolean;
  /** The port to listen on; 0 takes a free one. Default 9000. */
  readonly port?: number;
  /** The address to listen on. `localhost`, the default, is 127.0.0.1 and ::1; `0.0.0.0` is every address. */
  readonly host?: string;
  /** The issuer identifier (RFC 8414 §2): absolute, without a trailing slash. Default `http[s]://localhost:<port>`. */
  readonly issuer?: string;
  /**
   * The origin that back ends reach this server by, such as `http://idp:9000` in Docker Compose, where they cannot reach the
   * issuer. Metadata asked for there names the endpoints of back ends there; `issuer` and `iss` stay the same.
   */
  readonly backchannelUrl?: string;
  /** `self-signed` speaks HTTPS with a certificate made on start, by a CA to download at `/tls/ca.pem`. Default off. */
  readonly tls?: 'off' | 'self-signed';
  /** HTTPS with a certificate of yours: a PEM file with it, and with those up to its CA. */
  readonly tlsCert?: string;
  /** A PEM file with the private key of that certificate. */
  readonly tlsKey?: string;
  /** A PEM file with the CAs whose client certificates `tls_client_auth` takes. Default: a CA made on start. */
  readonly tlsClientCa?: string;
  /** Tries all that the metadata promises before it is ready, and does not start where that is not true. Default false. */
  readonly selfTest?: boolean;
  /** A name for this sandbox, shown on its pages. */
  readonly label?: string;
  /** Switches single features of the protocol: `{ device: false }`. All are on but those OAuth 2.1 has removed. */
  readonly features?: Readonly<Partial<Record<Feature, boolean>>>;
  /** `fapi2` demands all that the FAPI 2.0 security profile demands. Default `none`. */
  readonly profile?: 'none' | 'fapi2';
  /** Demands signed request objects (RFC 9101) of every client. Default false. */
  readonly requireSignedRequests?: boolean;
  /** Demands a nonce of this server in each DPoP proof (RFC 9449 §8). Default false. */
  readonly dpopNonce?: boolean;
  /** Who may register clients: anybody, whoever has the `registrationToken`, or nobody. Default open. */
  readonly registration?: 'open' | 'token' | 'off';
  /** The initial access token that `registration: 'token'` asks for (RFC 7591 §3). */
  readonly registrationToken?: string;
  /** Signs access tokens, and ID Tokens of clients that ask for it. Default RS256. */
  readonly signingAlg?: SigningAlg;
  /** A JWK Set file with private keys, for signatures that survive a restart. Default: fresh keys on start. */
  readonly keysFile?: string;
  /**
   * Makes the same keys, codes, opaque tokens and ids on each start, for reproducible runs; with a frozen clock each JWT, too, byte for
   * byte, if it is signed by RS256 or its likes or by EdDSA (ES256 and PS256 signatures are random by nature). Whoever knows it has
   * them all. Default: fresh keys on start.
   */
  readonly seed?: string;
  /** `array` writes the `scope` claim as a JSON array, like Spring Authorization Server. Default `string` (RFC 9068). */
  readonly scopeClaim?: 'string' | 'array';
  /** Lifetimes: seconds, or text such as `90s`, `5m`, `8h`, `1d`. Default 60. */
  readonly codeLifetime?: number | string;
  /** Of clients that set no `access_token_lifetime` themselves. Default 300. */
  readonly accessTokenLifetime?: number | string;
  /** Default 300. */
  readonly idTokenLifetime?: number | string;
  /** Default 86400, a day. */
  readonly refreshTokenLifetime?: number | string;
  /** Of device codes (RFC 8628), and of CIBA requests that ask for no other lifetime. Default 300. */
  readonly deviceCodeLifetime?: number | string;
  /** How long devices and CIBA clients wait between two polls. Default 5. */
  readonly pollInterval?: number | string;
  /** Of pushed authorization requests, until the browser comes with one. Default 60. */
  readonly pushedRequestLifetime?: number | string;
  /** Of a signed-in browser. Default 28800, eight hours. */
  readonly sessionLifetime?: number | string;
  /** `picker`, the default, signs in with one click; `password` asks for username and password. */
  readonly loginMode?: 'picker' | 'password';
  /** Signs in this user without a click, by `sub`, username or e-mail; `hint` whomever `login_hint` names. Default nobody. */
  readonly autoLogin?: string;
  /** `show` shows the login page all the same for `prompt=login` and `prompt=select_account`. Default `silent`. */
  readonly autoLoginPrompt?: 'silent' | 'show';
  /** Asks for consent on behalf of clients that do not say `require_consent` themselves. Default false. */
  readonly consent?: boolean;
  /** The `acr` values a login can reach. Default: any that is asked for, the sandbox believes it. */
  readonly acrValues?: string | readonly string[];
  /** Demands PKCE of confidential clients too. Public ones always need it. Default false. */
  readonly requirePkce?: boolean;
  /** Whether `/dashboard` is served; `readonly` shows everything and changes nothing. Default true. */
  readonly dashboard?: boolean | 'on' | 'readonly' | 'off';
  /** Origins of other pages that may read the event stream and the JSON of the dashboard. Default: none. */
  readonly dashboardAllowedOrigins?: string | readonly string[];
  /** Whether OAuth errors carry an `error_uri` to their explanation in the dashboard. Default true. */
  readonly errorUri?: boolean;
  /**
   * Origins whose pages may call from a browser (CORS), besides loopback ones and those of redirect URIs and `web_origins`.
   * `*` is any. Default: none.
   */
  readonly corsOrigins?: string | readonly string[];
  /** Further names this server may be reached by; loopback names and the issuer's host always are allowed. */
  readonly allowedHosts?: string | readonly string[];
  /** What calls of the control API must bring as `Authorization: Bearer`. Default: nothing, whoever reaches it may use it. */
  readonly controlToken?: string;
  /** Login attempts a minute and address; 0 is no limit. Default 300. */
  readonly loginRateLimit?: number;
  /** Requests a minute and address on the protocol endpoints; 0, the default, is no limit. */
  readonly rateLimit?: number;
  /** Seconds that clients may keep metadata and keys; 0, the default, is `no-store`. */
  readonly metadataMaxAge?: number | string;
  /**
   * Which addresses it may call for keys, metadata and logout of clients. Default: `private`, this machine and private networks,
   * for configured clients, and `loopback`, this machine, for those that registered or describe themselves.
   */
  readonly outbound?: 'loopback' | 'private' | 'any';
  /** The sample backend takes only tokens for one of these audiences. Default: it checks none. */
  readonly apiAudience?: string | readonly string[];
  /** Seconds a token may be expired and still pass the sample backend. Default 0. */
  readonly apiClockSkew?: number | string;
  /** `introspection` refuses revoked tokens at the sample backend and takes opaque ones. Default `local`. */
  readonly apiTokenCheck?: 'local' | 'introspection';
  /** Whether requests are recorded with headers and bodies. Default true. */
  readonly recording?: boolean;
  /** How many events of each kind the dashboard remembers. Default 1000. */
  readonly historySize?: number;
  /** How much memory the history may take in bytes, with headers and bodies. Default 32,000,000. */
  readonly historyBytes?: number;
  /** Default info. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** `auto`, the default, is pretty on a terminal and JSON lines otherwise. */
  readonly logFormat?: 'auto' | 'pretty' | 'json';
  /** A folder that the client report is written to at the stop, as HTML, JSON and JUnit XML. Default: none. */
  readonly reportDir?: string;
}

/** An issuer beside the first: what the whole sandbox has, it does not have of its own. */
export type IssuerEntry = Omit<
  SandboxConfig,
  | ('issuers' | 'watch' | 'port' | 'host' | 'issuer' | 'selfTest' | 'tls' | 'tlsCert' | 'tlsKey' | 'tlsClientCa')
  | ('backchannelUrl' | 'allowedHosts' | 'controlToken' | 'outbound' | 'logLevel' | 'logFormat' | 'reportDir')
>;

/** A demo user. */
export interface UserEntry {
  /** The stable identifier that tokens carry. */
  readonly sub: string;
  /** Typed in password mode. Default: the `sub`. */
  readonly username?: string;
  /** Left out, any password is accepted. */
  readonly password?: string;
  /** Standard claims (OIDC Core §5.1) and any others, released by scope. */
  readonly claims?: StandardClaims & JsonObject;
  /** Added to each access token of this user, whatever the scope. */
  readonly access_token_claims?: JsonObject;
}

/** Somebody else whose signed JWTs are believed (RFC 7523 §3). Either `jwks` or `jwks_uri` is needed. */
export interface TrustedIssuerEntry {
  /** Its public keys. */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** Where its public keys are. */
  readonly jwks_uri?: string;
  /** What `aud` may be besides our issuer identifier and our token endpoint. */
  readonly audience?: string | readonly string[];
  /** Default: every asymmetric one. */
  readonly algorithms?: readonly SigningAlg[];
  /** The claim that says who a JWT is about. Default `sub`. */
  readonly subjectClaim?: string;
  /** Their subject to the `sub` of one of our users. Default: both are the same. */
  readonly users?: Readonly<Record<string, string>>;
  /** Whether a subject nobody knows becomes a new user. Default false. */
  readonly createUsers?: boolean;
}

/** What a scope means. */
export interface ScopeEntry {
  /** Plain words, completing "the application wants to …". */
  readonly description?: string;
  /** The user's claims it releases at UserInfo. */
  readonly claims?: readonly string[];
  /** Added to access tokens that were granted this scope. */
  readonly access_token_claims?: JsonObject;
}

/** A REST collection of the sample backend: `/api/<name>`. */
export interface CollectionEntry {
  /** What reading needs. Left out, the collection cannot be read. */
  readonly readScope?: string;
  /** What writing needs. Left out, the collection cannot be written. */
  readonly writeScope?: string;
  /** RFC 9470: reading needs a token of a login with one of these `acr` values. */
  readonly readAcrValues?: readonly string[];
  /** RFC 9470: reading needs a token of a login at most so many seconds ago. */
  readonly readMaxAge?: number;
  /** The same for writing. */
  readonly writeAcrValues?: readonly string[];
  readonly writeMaxAge?: number;
  /** Besides `id`, which the server gives. `'string'` is short for `{ type: 'string' }`. */
  readonly fields: Readonly<Record<string, FieldType | FieldEntry>>;
  /** The rows it starts with and returns to on reset. One may bring its `id`; the others get the next free one. */
  readonly seed?: readonly Readonly<Record<string, string | number | boolean>>[];
}

/** A type of authorization details (RFC 9396 §2.1). */
export interface AuthorizationDetailsTypeEntry {
  /** Plain words, completing "the application wants to …". Default: made from the name. */
  readonly description?: string;
  /** Besides `locations`, `actions`, `datatypes`, `identifier` and `privileges`. A type is short for `{ type }`. */
  readonly fields?: Readonly<Record<string, DetailFieldType | DetailFieldEntry>>;
}

export type DetailFieldType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export interface DetailFieldEntry {
  readonly type: DetailFieldType;
  /** Default true. */
  readonly required?: boolean;
}

export type FieldType = 'string' | 'number' | 'integer' | 'boolean';

export interface FieldEntry {
  readonly type: FieldType;
  /** Default true. */
  readonly required?: boolean;
}
