import type { Feature } from '../oauth/feature.ts';
import type { ClientEntry, SigningAlg } from './client-config.ts';
import type { JsonObject } from './json.ts';

export type { AuthMethod, ClientEntry, GrantType, SigningAlg } from './client-config.ts';
export type { JsonObject, JsonValue } from './json.ts';

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

  /** The port to listen on; 0 takes a free one. Default 9000. */
  readonly port?: number;
  /** The address to listen on. `localhost`, the default, is 127.0.0.1 and ::1; `0.0.0.0` is every address. */
  readonly host?: string;
  /** The issuer identifier (RFC 8414 §2): absolute, without a trailing slash. Default `http://localhost:<port>`. */
  readonly issuer?: string;
  /** A name for this sandbox, shown on its pages. */
  readonly label?: string;
  /** Switches single features of the protocol: `{ device: false }`. All are on but those OAuth 2.1 has removed. */
  readonly features?: Readonly<Partial<Record<Feature, boolean>>>;
  /** `fapi2` demands all that the FAPI 2.0 security profile demands. Default `none`. */
  readonly profile?: 'none' | 'fapi2';
  /** Who may register clients: anybody, whoever has `REGISTRATION_TOKEN`, or nobody. Default open. */
  readonly registration?: 'open' | 'token' | 'off';
  /** Signs access tokens, and ID Tokens of clients that ask for it. Default RS256. */
  readonly signingAlg?: SigningAlg;
  /** A JWK Set file with private keys, for signatures that survive a restart. Default: fresh keys on start. */
  readonly keysFile?: string;
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
  /** Of a signed-in browser. Default 28800, eight hours. */
  readonly sessionLifetime?: number | string;
  /** `picker`, the default, signs in with one click; `password` asks for username and password. */
  readonly loginMode?: 'picker' | 'password';
  /** Demands PKCE of confidential clients too. Public ones always need it. Default false. */
  readonly requirePkce?: boolean;
  /** Whether `/dashboard` is served. Default true. */
  readonly dashboard?: boolean;
  /** Whether OAuth errors carry an `error_uri` to their explanation in the dashboard. Default true. */
  readonly errorUri?: boolean;
  /** Origins that browsers may call from; `*`, the default, is any. */
  readonly corsOrigins?: string | readonly string[];
  /** Further names this server may be reached by; loopback names and the issuer's host always are allowed. */
  readonly allowedHosts?: string | readonly string[];
  /** Login attempts a minute and address; 0 is no limit. Default 300. */
  readonly loginRateLimit?: number;
  /** Requests a minute and address on the protocol endpoints; 0, the default, is no limit. */
  readonly rateLimit?: number;
  /** Seconds that clients may keep metadata and keys; 0, the default, is `no-store`. */
  readonly metadataMaxAge?: number | string;
  /** The sample backend takes only tokens for one of these audiences. Default: it checks none. */
  readonly apiAudience?: string | readonly string[];
  /** Seconds a token may be expired and still pass the sample backend. Default 0. */
  readonly apiClockSkew?: number | string;
  /** How many events of each kind the dashboard remembers. Default 1000. */
  readonly historySize?: number;
  /** Default info. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** `auto`, the default, is pretty on a terminal and JSON lines otherwise. */
  readonly logFormat?: 'auto' | 'pretty' | 'json';
}

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
  /** Besides `id`, which the server gives. `'string'` is short for `{ type: 'string' }`. */
  readonly fields: Readonly<Record<string, FieldType | FieldEntry>>;
  /** The rows it starts with and returns to on reset. One may bring its `id`; the others get the next free one. */
  readonly seed?: readonly Readonly<Record<string, string | number | boolean>>[];
}

export type FieldType = 'string' | 'number' | 'integer' | 'boolean';

export interface FieldEntry {
  readonly type: FieldType;
  /** Default true. */
  readonly required?: boolean;
}

/** OIDC Core §5.1; all optional, further claims may stand beside them. */
export interface StandardClaims {
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly middle_name?: string;
  readonly nickname?: string;
  readonly preferred_username?: string;
  readonly profile?: string;
  readonly picture?: string;
  readonly website?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly gender?: string;
  readonly birthdate?: string;
  readonly zoneinfo?: string;
  readonly locale?: string;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
  readonly address?: AddressClaim;
  /** Seconds since 1970. */
  readonly updated_at?: number;
}

/** OIDC Core §5.1.1. */
export interface AddressClaim extends JsonObject {
  readonly formatted?: string;
  readonly street_address?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postal_code?: string;
  readonly country?: string;
}
