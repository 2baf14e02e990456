import type { Emit } from '../base/events/event.ts';
import type { Authorization } from './authorization.ts';
import type { RegisteredClient, TokenEndpointAuthMethod } from './clients/client.ts';
import type { OAuthError, Refuse } from './errors.ts';
import type { RequestParameters } from './parameters.ts';
import type { TestUser } from './users/user.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The differences of the wire of one server, made from data (`oauth/dialects/`): the protocol knows no provider by its name.
 * `Server` is the authorization server, whose type has a dialect.
 */
export interface Dialect<Server> {
  /** The name of the preset, for the log. */
  readonly name: string;
  /** The issuer identifier of an issuer at an address. */
  identifier(address: string): string;
  /** All issuer identifiers in its tokens, for a server whose tokens are of several versions; absent: that one alone. */
  identifiers?(address: string): string[];
  /** Values that the preset was chosen with, such as the name of a realm. */
  readonly options: Readonly<Record<string, string>>;
  /** The members of an answer or of a token as clients read them. */
  write<Written extends Members>(kind: WrittenKind, about: WrittenFor<Server>, members: Written): Written;
  /** For the log: the members that `write` added or changed. */
  written(usual: Members, written: Members): WrittenClaims;
  /** The metadata as clients read it. */
  metadata(server: Server, metadata: Members): Members;
  /** Response modes that other servers do not have: a page posts the answer as a message. */
  readonly messageModes: readonly MessageMode[];
  /** The message of such a mode. */
  message(response: PostedResponse): unknown;
  /** The parameters of a request by the names that standards have. */
  parameters(sent: RequestParameters): RequestParameters;
  /** Whether an API has this identifier; absent: any absolute URI may be one. */
  knowsResource?(server: Server, resource: string): boolean;
  /** Whether an access token for these resources is a random text; absent: as its client has it. */
  isOpaque?(resources: readonly string[]): boolean;
  /**
   * Checks that a user belongs to an organization; absent: there are no organizations.
   * @throws access_denied
   */
  checkMember?(server: Server, sub: string, organization: string | undefined): void;
  /** True if a refresh token needs the scope `offline_access`. */
  readonly refreshNeedsScope?: boolean;
  /** True if a token request must repeat the `redirect_uri` of its login even with PKCE. */
  readonly redirectUriNeeded?: true;
  /** True if UserInfo accepts each access token with the scope `openid`, whatever API it is for. */
  readonly userinfoByScope?: boolean;
  /** The header `typ` of an access token; empty: it has none. */
  readonly accessTokenType: string;
  /** ID tokens have a `jti`. */
  readonly idTokenHasId: boolean;
  /** Keeps the claims of an access token in our own form, for all readers but clients. `exp` in Unix seconds. */
  keepClaims(server: Server, token: string, claims: Members, exp: number): Promise<void>;
  /** Those claims; undefined for a JWT that was not issued as an access token. */
  ownClaims(server: Server, token: string): Promise<Members | undefined>;
  /** A refresh token that clients can decode; absent: refresh tokens are random texts. */
  refreshToken?(about: WrittenFor<Server>, facts: RefreshFacts): string;
  /** The parameters of an authorization request in our own words; absent: as they were sent. */
  heard?(client: RegisteredClient, parameters: RequestParameters): RequestParameters;
  /** A name by which a user signs in besides the username and the e-mail address; absent: there is none. */
  loginName?(server: Server, user: TestUser): string;
  /** True if each client has pairwise subjects of its own; otherwise clients of one sector share them (OIDC Core §8.1). */
  readonly ownSectors?: true;
  /** `Basic` with the base64 of a `client_id` alone, without a colon, identifies a client without a secret. */
  readonly takesBasicId?: true;
  /** `Basic` and the same `client_secret` in the body are one authentication. RFC 6749 §2.3 allows only one of the two. */
  readonly takesSecretTwice?: true;
  /** Scopes that each client may ask for without being registered for them. */
  readonly openScopes?: readonly string[];
  /**
   * The scopes of a request, from those that it asks for and the default scopes of its client; absent: both.
   * @throws invalid_scope
   */
  scopes?(asked: string[], usual: string[]): string[];
  /** The answer in place of the usual one; undefined: the usual one. */
  spoken(error: OAuthError, answering?: Answering<Server>): SpokenError | undefined;
  /** A random token or code in the form of the provider. */
  secret(kind: SecretKind, random: string): string;
  /** Parameters of authorization requests that only the provider knows. */
  readonly knownParameters: readonly string[];
  /**
   * An authorization request in our names.
   * @throws OAuthError for a request that the provider refuses
   */
  readRequest(server: Server, parameters: RequestParameters): RequestParameters;
  /** Our scopes as the provider writes them; undefined for none. */
  writeScopes(scopes: readonly string[]): string | undefined;
  /** True if the provider accepts a redirect URI that is not registered itself. */
  allowsRedirectUri?(client: RegisteredClient, uri: string): boolean;
  /** The authorization that a user gives, and further parameters of the response; absent: the usual ones. */
  grant?(server: Server, given: GivenGrant): Promise<GrantedAnswer>;
  /** Parameters that authorization responses do not have, such as `iss`. */
  readonly responseOmits: readonly string[];
  /**
   * The method by which the secret of a client proves it, if the secret is a JWT; undefined: it is compared as usual.
   * @throws the error that `refuse` makes
   */
  proveBySecret?(server: Server, proof: SecretProof): Promise<TokenEndpointAuthMethod | undefined>;
}

/** Random texts that clients get. */
export type SecretKind = 'accessToken' | 'refreshToken' | 'code';

/** A response mode that a request for one of some scopes must name. */
export interface DemandedMode {
  readonly mode: string;
  readonly scopes: readonly string[];
  readonly description: string;
}

/** An authorization that a user is about to give to a client. */
export interface GivenGrant {
  readonly client: RegisteredClient;
  readonly authorization: Authorization & { readonly sub: string };
  readonly prompt: readonly string[];
  readonly parameters: RequestParameters;
}

export interface GrantedAnswer {
  readonly authorization: Authorization & { readonly sub: string };
  /** Further parameters of the authorization response. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A secret that a client sent, and the error for a wrong one. */
export interface SecretProof {
  readonly client: RegisteredClient;
  readonly secret: string | undefined;
  readonly refuse: Refuse;
  readonly emit?: Emit;
}

/** The claims of a token that a preset set. */
export interface WrittenClaims {
  readonly by: string;
  readonly claims: readonly string[];
}

export type WrittenKind = 'accessToken' | 'idToken' | 'refreshToken' | 'userinfo' | 'tokenResponse';

/** The grant that a token or an answer is made for. */
export interface WrittenFor<Server> {
  readonly server: Server;
  readonly client: RegisteredClient;
  readonly authorization: Pick<Authorization, 'sub' | 'edited' | 'grant_type' | 'session' | 'organization'> &
    Partial<Pick<Authorization, 'id'>>;
  readonly scopes: readonly string[];
  /** The refresh token that stays in use; absent: there is none, or a new one. */
  readonly refreshToken?: string;
  /** The requested resources (RFC 8707). */
  readonly resources?: readonly string[];
  /** The request at the token endpoint, at UserInfo or, in the front channel, the authorization request. */
  readonly asked?: RequestParameters | FrontChannelRequest;
  /** True if nothing is issued. */
  readonly isPreview?: true;
}

/** A checked authorization request. It has most of its parameters as members with their names. */
export interface FrontChannelRequest {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly prompt: readonly string[];
  readonly acr_values: readonly string[];
  /** No parameter: true if there was no `redirect_uri`. */
  readonly hasNoRedirectUri?: true;
}

/** A refresh token that is being issued. */
export interface RefreshFacts {
  readonly tokenId: string;
  readonly authorization: Authorization;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

/** How an error is answered. Members left out are the usual ones. */
export interface SpokenError {
  readonly status?: number;
  readonly error?: string;
  readonly error_description?: string;
  /** An answer in JSON has the `error` alone. */
  readonly isBare?: true;
  /** Members of an answer in JSON besides the usual ones. */
  readonly members?: Members;
}

/** The server that answers with an error, and the request, if it is known. */
export interface Answering<Server> {
  readonly server: Server;
  readonly asked?: AskedOverHttp;
}

/** The parts of a request that an answer to an error may repeat. */
export interface AskedOverHttp {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The client that asked, if it is known. */
  readonly client_id?: string;
}

/** A response mode of a dialect: a page posts the answer as a message to the window that asked, such as `web_message`. */
export type MessageMode = `${string}_message`;

/** The answer for such a page. Only a window of the origin of the redirect URI may read it. */
export interface PostedResponse {
  readonly kind: 'message';
  readonly mode: MessageMode;
  readonly origin: string;
  readonly parameters: Readonly<Record<string, string>>;
}
