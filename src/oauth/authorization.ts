import type { Confirmation } from './proofs/confirmation.ts';
import type { AuthorizationDetail } from './requests/authorization-details.ts';
import type { ClaimsRequest } from './requests/claims-request.ts';
import type { LoginClaims } from './users/login-claims.ts';

/** The grant of a user to a client: the record behind codes and tokens. Plain data, so it can be stored. */
export interface Authorization {
  readonly id: string;
  readonly client_id: string;
  readonly grant_type: string;
  /** The user; absent where the client acts for itself. */
  readonly sub?: string;
  readonly scopes: readonly string[];
  /** RFC 8707: the resources the tokens are for; empty means the client's default audience. */
  readonly resources: readonly string[];
  /** The login behind it; without `sid` where no session at this server goes with the tokens. */
  readonly session?: {
    readonly sid?: string;
    /** Unix seconds. */
    readonly auth_time: number;
    readonly acr: string;
    readonly amr: readonly string[];
  };
  readonly nonce?: string;
  /** Claims that were edited for the login behind this grant. */
  readonly edited?: LoginClaims;
  /** RFC 9396 §2. */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Scopes the user was asked for and did not allow. */
  readonly declined?: readonly string[];
  /** OIDC Core §5.5. */
  readonly claims?: ClaimsRequest;
  /** The party that acts for the user, with the party that one acts for (RFC 8693 §4.1). */
  readonly act?: ActClaim;
  /** The key the refresh tokens of a public client are bound to (RFC 9449 §5, RFC 8705 §4). */
  readonly confirmation?: Confirmation;
  /** Unix seconds: all its tokens end then at the latest, as what they were exchanged for does (RFC 8693). */
  readonly notAfter?: number;
}

/** RFC 8693 §4.1: the outermost is the present actor. */
export interface ActClaim {
  readonly sub: string;
  readonly client_id?: string;
  readonly iss?: string;
  readonly act?: ActClaim;
}

/** Token types that can be exchanged; the ends of their URNs (RFC 8693 §3). */
export type ExchangeTokenType = 'access_token' | 'refresh_token' | 'id_token' | 'jwt';

/** Result of a grant: the authorization behind it, and the part of it that one token response is about. */
export interface Redemption {
  readonly authorization: Authorization;
  /** For the access token; at most those of the authorization. */
  readonly scopes: readonly string[];
  /** The same for `resource` (RFC 8707 §2.2). */
  readonly resources: readonly string[];
  /** The code or refresh token that was given for it. */
  readonly parentTokenId?: string;
  /** Tokens in the response. Absent: all that the authorization and the client allow. */
  readonly tokens?: readonly ('access' | 'refresh' | 'id')[];
  /** The one token that a token exchange asked for, of any type (RFC 8693 §2.1). */
  readonly requestedTokenType?: ExchangeTokenType;
  /** Unix seconds: the access token ends then at the latest. */
  readonly notAfter?: number;
  /** For the access token; absent: those of the authorization (RFC 9396 §6). */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Members of the response in addition to the tokens (RFC 8693 §2.2.1). */
  readonly response?: Readonly<Record<string, unknown>>;
  /** The refresh token that stays in use; absent means that a new one may be issued. */
  readonly refreshToken?: string;
}
