import type { DetailFieldType } from '../oauth/requests/authorization-details.ts';
import type { ClientEntry, SigningAlg } from './client/client-config.ts';
import type { JsonObject } from './json.ts';
import type { NamesWith, WrittenIn } from './setting.ts';
import type { settings } from './settings.ts';
import type { StandardClaims } from './standard-claims.ts';

export type { AuthMethod, ClientEntry, GrantType, SigningAlg } from './client/client-config.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { AddressClaim, StandardClaims } from './standard-claims.ts';

/**
 * Type of the export of `clients.config.ts` and of the options of `createSandbox`. Everything is optional, with
 * defaults. Settings are the rows of the table that a file may set. A list of clients, users or collections replaces
 * the built-in one; scopes are added to the standard ones.
 */
export interface SandboxConfig extends WrittenIn<typeof settings> {
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
   * Further issuers in this process, by path (`tenant-a` is `http://localhost:9000/tenant-a`). Each has its own
   * clients, users, keys, features, pages and history. Members left out are those of the first.
   */
  readonly issuers?: Readonly<Record<string, IssuerEntry>>;
}

/** An issuer beside the first. Settings of the whole sandbox cannot be set here. */
export type IssuerEntry = Omit<SandboxConfig, 'issuers' | NamesWith<typeof settings, 'isWhole'>>;

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
  /** Added to each access token of this user, under any scope. */
  readonly access_token_claims?: JsonObject;
}

/** Somebody else whose signed JWTs are believed (RFC 7523 §3). Either `jwks` or `jwks_uri` is needed. */
export interface TrustedIssuerEntry {
  /** Its public keys. Either `jwks` or `jwks_uri` is needed. */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** The address of its public keys. */
  readonly jwks_uri?: string;
  /** Accepted values of `aud` in addition to our issuer identifier and our token endpoint. */
  readonly audience?: string | readonly string[];
  /** Accepted algorithms. Default: every asymmetric one. */
  readonly algorithms?: readonly SigningAlg[];
  /** The claim that says who a JWT is about. Default `sub`. */
  readonly subjectClaim?: string;
  /** Maps each of its subjects to the `sub` of a user here. Default: both are the same. */
  readonly users?: Readonly<Record<string, string>>;
  /** Creates a user for an unknown subject. Default false. */
  readonly createUsers?: boolean;
}

/** Definition of a scope. */
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
  /** Scope needed to read. Left out, the collection cannot be read. */
  readonly readScope?: string;
  /** Scope needed to write. Left out, the collection cannot be written. */
  readonly writeScope?: string;
  /** RFC 9470: reading needs a token of a login with one of these `acr` values. */
  readonly readAcrValues?: readonly string[];
  /** RFC 9470: reading needs a token of a login at most so many seconds ago. */
  readonly readMaxAge?: number;
  /** RFC 9470: writing needs a token of a login with one of these `acr` values. */
  readonly writeAcrValues?: readonly string[];
  /** RFC 9470: writing needs a token of a login at most so many seconds ago. */
  readonly writeMaxAge?: number;
  /** Fields in addition to `id`, which the server assigns. `'string'` is short for `{ type: 'string' }`. */
  readonly fields: Readonly<Record<string, FieldType | FieldEntry>>;
  /** The rows it starts with and returns to on reset. One may bring its `id`; the others get the next free one. */
  readonly seed?: readonly Readonly<Record<string, string | number | boolean>>[];
}

/** A type of authorization details (RFC 9396 §2.1). */
export interface AuthorizationDetailsTypeEntry {
  /** Plain words, completing "the application wants to …". Default: made from the name. */
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
