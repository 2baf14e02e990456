import type { DetailFieldType } from '../../protocol/authorization.ts';
import type { OnToken, TokenRule } from '../../protocol/token-rule.ts';
import type { ClientEntry, SigningAlg } from './client/client-config.ts';
import type { ExtensionTables } from './extension-tables.ts';
import type { JsonObject } from './json.ts';
import type { TokenActions } from './provider-traits.ts';
import type { NamesWith, WrittenIn } from './setting.ts';
import type { SettingRows } from './settings.ts';

export type { OnToken, OnTokenEvent, TokenRule } from '../../protocol/token-rule.ts';
export type { AuthMethod, ClientEntry, GrantType, SigningAlg } from './client/client-config.ts';
export type { JsonObject, JsonValue } from './json.ts';

/** Those of the core and of extensions. */
type AllRows = SettingRows & Joined<ExtensionTables[keyof ExtensionTables]>;

/** A | B as A & B. */
type Joined<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void ? All : never;

/**
 * Type of the export of `clients.config.ts` and of the options of `createSandbox`. Everything is optional, with
 * defaults. The settings are described at the table of settings. A list of clients, users or collections replaces the
 * built-in one; scopes are added to the standard ones.
 */
export interface SandboxConfig extends WrittenIn<AllRows> {
  /** The apps that may ask for tokens. Replaces the built-in `frontend` and `sensor`. */
  readonly clients?: readonly ClientEntry[];
  /** The people who can sign in. Replaces the built-in alice, bob and carol. */
  readonly users?: readonly UserEntry[];
  /** By name. A string is short for `{ description }`. The OpenID Connect scopes are always known. */
  readonly scopes?: Readonly<Record<string, ScopeEntry | string>>;
  /** Collections of the sample backend, by the path segment in `/api/<name>`. */
  readonly collections?: Readonly<Record<string, CollectionEntry>>;
  /** Types of `authorization_details` clients may ask for (RFC 9396), by name. */
  readonly authorizationDetailsTypes?: Readonly<Record<string, AuthorizationDetailsTypeEntry>>;
  /** Trusted issuers by their `iss`: their signed JWTs identify users in the JWT bearer grant and in token exchange. */
  readonly trustedIssuers?: Readonly<Record<string, TrustedIssuerEntry>>;
  /** Claims of tokens, as templates. They apply in this order, after all other claims. */
  readonly tokenClaims?: readonly TokenRule[];
  /**
   * Adds claims to access tokens and ID tokens, after those of `tokenClaims`, or denies them. It can be a function in
   * the form of a provider, too.
   */
  readonly onToken?: OnToken | OnTokenAction;

  /**
   * More issuers in this process, by path (`tenant-a` is `http://localhost:9000/tenant-a`). Each has its own clients,
   * users, keys, features, pages and history. Members left out are those of the first issuer.
   */
  readonly issuers?: Readonly<Record<string, IssuerEntry>>;
}

/** A further issuer. Settings of the whole sandbox cannot be set here. */
export type IssuerEntry = Omit<SandboxConfig, 'issuers' | NamesWith<AllRows, 'isWhole'>>;

/** A function in the form of a provider as `onToken`: an object with its one member. */
export type OnTokenAction = { [Member in keyof TokenActions]: Pick<TokenActions, Member> }[keyof TokenActions];

/** A demo user. */
export interface UserEntry {
  /** The stable identifier that tokens carry. */
  readonly sub: string;
  /** Name to type in password mode. Default: the `sub`. */
  readonly username?: string;
  /** If left out, any password is accepted. */
  readonly password?: string;
  /**
   * In place of `password`: its hash. The PHC format, such as `$pbkdf2-sha256$i=27500$<salt>$<hash>`, has `pbkdf2-sha256`,
   * `pbkdf2-sha512`, `pbkdf2`, `scrypt`, `argon2id`, a digest such as `sha256`, or `hmac-sha256`. The formats of bcrypt,
   * `$2b$10$<salt and hash>`, and of LDAP, `{SSHA256}<base64>`, are known, too.
   */
  readonly password_hash?: string;
  /** Standard claims (OIDC Core §5.1), released by scope, and custom claims. */
  readonly claims?: StandardClaims & JsonObject;
  /** Claims added to each access token of this user, whatever its scopes. */
  readonly access_token_claims?: JsonObject;
}

/** An issuer whose signed JWTs this server trusts (RFC 7523 §3). Either `jwks` or `jwks_uri` is required. */
export interface TrustedIssuerEntry {
  /** Public keys of the issuer. Either `jwks` or `jwks_uri` is required. */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** URL of the public keys of the issuer. */
  readonly jwks_uri?: string;
  /** Accepted values of `aud`, in addition to the issuer identifier and the token endpoint of this server. */
  readonly audience?: string | readonly string[];
  /** Accepted algorithms. Default: every asymmetric one. */
  readonly algorithms?: readonly SigningAlg[];
  /** The claim that names the subject of a JWT. Default `sub`. */
  readonly subjectClaim?: string;
  /** Maps subjects of the trusted issuer to the `sub` of a user of this server. Default: the same `sub`. */
  readonly users?: Readonly<Record<string, string>>;
  /** Creates a user for an unknown subject. Default: false. */
  readonly createUsers?: boolean;
}

/** Definition of a scope. */
export interface ScopeEntry {
  /** Description that completes "the app wants to …". */
  readonly description?: string;
  /** Claims of the user that the scope releases at UserInfo. */
  readonly claims?: readonly string[];
  /** Claims added to access tokens with this scope. */
  readonly access_token_claims?: JsonObject;
}

/** A REST collection of the sample backend: `/api/<name>`. */
export interface CollectionEntry {
  /** Scope required to read. If left out, the collection cannot be read. */
  readonly readScope?: string;
  /** Scope required to write. If left out, the collection cannot be written. */
  readonly writeScope?: string;
  /** Reading requires a token from a sign-in with one of these `acr` values (RFC 9470). */
  readonly readAcrValues?: readonly string[];
  /** Reading requires a token from a sign-in at most this many seconds ago (RFC 9470). */
  readonly readMaxAge?: number;
  /** Writing requires a token from a sign-in with one of these `acr` values (RFC 9470). */
  readonly writeAcrValues?: readonly string[];
  /** Writing requires a token from a sign-in at most this many seconds ago (RFC 9470). */
  readonly writeMaxAge?: number;
  /** Fields in addition to `id`, which the server assigns. `'string'` is short for `{ type: 'string' }`. */
  readonly fields: Readonly<Record<string, FieldType | FieldEntry>>;
  /** The rows at the start and after a reset. A row may have an `id`; the others get the next free one. */
  readonly seed?: readonly Readonly<Record<string, string | number | boolean>>[];
}

/** A type of authorization details (RFC 9396 §2.1). */
export interface AuthorizationDetailsTypeEntry {
  /** Description that completes "the app wants to …". Default: made from the name. */
  readonly description?: string;
  /**
   * Fields in addition to `locations`, `actions`, `datatypes`, `identifier` and `privileges`. A type is short for `{
   * type }`.
   */
  readonly fields?: Readonly<Record<string, DetailFieldType | DetailFieldEntry>>;
}

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

/** Standard claims (OIDC Core §5.1). All are optional; custom claims are allowed. */
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
