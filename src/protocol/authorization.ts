import type { LoginClaims } from './users/login-claims.ts';

/** The grant of a user to a client: the record behind codes and tokens. Plain data, so it can be stored. */
export interface Authorization {
  readonly id: string;
  readonly client_id: string;
  readonly grant_type: string;
  /** The client asked for no refresh token. */
  readonly isOnline?: true;
  /** The user; absent if the client acts for itself. */
  readonly sub?: string;
  readonly scopes: readonly string[];
  /** RFC 8707: the resources the tokens are for; empty means the client's default audience. */
  readonly resources: readonly string[];
  /** The sign-in behind the grant. Without `sid` if the tokens belong to no session at this server. */
  readonly session?: {
    readonly sid?: string;
    /** Unix seconds. */
    readonly auth_time: number;
    readonly acr: string;
    readonly amr: readonly string[];
  };
  readonly nonce?: string;
  /** Name or id of the organization that the user signed in to. */
  readonly organization?: string;
  /** Claims that were edited for the sign-in behind this grant. */
  readonly edited?: LoginClaims;
  /** RFC 9396 §2. */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Scopes the user was asked for and did not allow. */
  readonly declined?: readonly string[];
  /** OIDC Core §5.5. */
  readonly claims?: ClaimsRequest;
  /** The party that acts for the user; nested in it, the party that acted before (RFC 8693 §4.1). */
  readonly act?: ActClaim;
  /** The key the refresh tokens of a public client are bound to (RFC 9449 §5, RFC 8705 §4). */
  readonly confirmation?: Confirmation;
  /** Unix seconds. All its tokens end by then, because the token they were exchanged for ends then (RFC 8693). */
  readonly notAfter?: number;
}

/** RFC 8693 §4.1: the outermost member is the current actor. */
export interface ActClaim {
  readonly sub: string;
  readonly client_id?: string;
  readonly iss?: string;
  readonly act?: ActClaim;
}

/** Token types that can be exchanged; the ends of their URNs (RFC 8693 §3). */
export type ExchangeTokenType = 'access_token' | 'refresh_token' | 'id_token' | 'jwt';

/** Result of a grant: the authorization, and the part of it that this token response covers. */
export interface Redemption {
  readonly authorization: Authorization;
  /** Scopes of the access token, at most those of the authorization. */
  readonly scopes: readonly string[];
  /** Resources of the access token (RFC 8707 §2.2), at most those of the authorization. */
  readonly resources: readonly string[];
  /** The only resource was named in a list, and stays one in `aud`. */
  readonly isResourceList?: true;
  /** The code or refresh token that was redeemed. */
  readonly parentTokenId?: string;
  /** The grant of this request; absent if it is the one of the authorization. */
  readonly grant_type?: string;
  /** Tokens in the response. Absent: all that the authorization and the client allow. */
  readonly tokens?: readonly ('access' | 'refresh' | 'id')[];
  /** The one token that a token exchange requested, of any type (RFC 8693 §2.1). */
  readonly requestedTokenType?: ExchangeTokenType;
  /** Unix seconds. The access token ends by then. */
  readonly notAfter?: number;
  /** Authorization details of the access token; absent: those of the authorization (RFC 9396 §6). */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Members of the response in addition to the tokens (RFC 8693 §2.2.1). */
  readonly response?: Readonly<Record<string, unknown>>;
  /** The refresh token that remains in use; absent: a new one may be issued. */
  readonly refreshToken?: string;
}

/** The key a token is bound to (RFC 7800): a DPoP key (RFC 9449 §6.1) or a client certificate (RFC 8705 §3.1). */
export interface Confirmation {
  /** The JWK thumbprint of the DPoP key. */
  readonly jkt?: string;
  /** The SHA-256 thumbprint of the certificate. */
  readonly 'x5t#S256'?: string;
}

/** The client certificate of the request's TLS connection. */
export interface ClientCertificate {
  /** DER, base64. */
  readonly der: string;
  /** `x5t#S256` (RFC 8705 §3.1). */
  readonly thumbprint: string;
  /** True if a CA that this server trusts issued it. */
  readonly isTrusted: boolean;
}

/** One element of `authorization_details` (RFC 9396 §2). */
export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };

/** Types of the values of a field. */
export type DetailFieldType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export interface DetailField {
  readonly type: DetailFieldType;
  readonly required: boolean;
}

/** A supported type of authorization details (RFC 9396 §2.1). */
export interface AuthorizationDetailsType {
  readonly name: string;
  /** Plain words that complete "the app wants to …". */
  readonly description: string;
  /** Fields in addition to the common fields of §2.2. */
  readonly fields: Readonly<Record<string, DetailField>>;
}

/** Request for one claim (OIDC Core §5.5.1); null is a voluntary claim without conditions. */
export type ClaimRequest = {
  readonly essential?: boolean;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
} | null;

/** The `claims` parameter (OIDC Core §5.5). */
export interface ClaimsRequest {
  readonly userinfo?: Readonly<Record<string, ClaimRequest>>;
  readonly id_token?: Readonly<Record<string, ClaimRequest>>;
}
