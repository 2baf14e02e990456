/** The error codes of the RFCs this server speaks, each with the status of its JSON form. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 400,
  unsupported_response_type: 400,
  server_error: 500,
  temporarily_unavailable: 503,
  login_required: 400,
  interaction_required: 400,
  account_selection_required: 400,
  consent_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  invalid_token: 401,
  insufficient_scope: 403,
} as const;

export type ErrorCode = keyof typeof statuses;

/** What exactly was wrong: closed, stable, for explanations and assertions. */
export type Reason =
  | 'access_token_expired'
  | 'access_token_missing'
  | 'access_token_not_for_a_user'
  | 'access_token_revoked'
  | 'access_token_unreadable'
  | 'authorization_revoked'
  | 'authentication_method_not_registered'
  | 'authentication_methods_combined'
  | 'basic_header_malformed'
  | 'bearer_header_malformed'
  | 'body_malformed'
  | 'body_missing'
  | 'body_too_large'
  | 'client_is_public'
  | 'client_secret_missing'
  | 'client_secret_wrong'
  | 'client_unidentified'
  | 'client_unknown'
  | 'code_expired_or_unknown'
  | 'code_of_another_client'
  | 'code_replayed'
  | 'content_type_unsupported'
  | 'foreign_origin'
  | 'grant_type_not_registered'
  | 'grant_type_unsupported'
  | 'hint_invalid'
  | 'hint_of_another_user'
  | 'host_not_allowed'
  | 'internal'
  | 'login_failed'
  | 'login_required'
  | 'method_not_allowed'
  | 'parameter_malformed'
  | 'parameter_missing'
  | 'parameter_repeated'
  | 'parameter_unsupported'
  | 'parameters_too_many'
  | 'path_unknown'
  | 'pkce_method_unsupported'
  | 'pkce_mismatch'
  | 'pkce_missing'
  | 'pkce_unexpected'
  | 'post_logout_redirect_uri_mismatch'
  | 'prompt_invalid'
  | 'rate_limited'
  | 'redirect_uri_mismatch'
  | 'redirect_uri_missing'
  | 'redirect_uri_not_registered'
  | 'refresh_token_expired_or_unknown'
  | 'refresh_token_of_another_client'
  | 'refresh_token_reused'
  | 'resource_invalid'
  | 'response_mode_unsupported'
  | 'response_type_unsupported'
  | 'scope_malformed'
  | 'scope_missing_openid'
  | 'scope_not_registered'
  | 'scope_widened'
  | 'user_denied'
  | 'user_unknown';

/** For the explainer: what came, what should have come. Never a secret. */
export interface ErrorDetails {
  readonly sent?: string;
  readonly expected?: string;
  /** The registered client it is about, where no event has named it yet. */
  readonly client_id?: string;
  /** Only where the HTTP status is not the one of the code: 405, 413, 415, 429. */
  readonly status?: number;
  /** Only where HTTP asks for one: `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Stays in the log. */
  readonly cause?: unknown;
}

/** A refusal: the RFC's code for the wire, our reason for the log, a sentence for the client's developer. */
export class OAuthError extends Error {
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly description: string;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, reason: Reason, description: string, details: ErrorDetails = {}) {
    super(`${code}: ${description}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'OAuthError';
    this.code = code;
    this.reason = reason;
    this.description = descriptionCharacters(description);
    this.status = details.status ?? statuses[code];
    this.details = details;
  }
}

/** RFC 6749 §5.2: error_description may hold %x20-21 / %x23-5B / %x5D-7E only. */
export function descriptionCharacters(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7E]/g, '?');
}

type Thrower = (reason: Reason, description: string, details?: ErrorDetails) => OAuthError;
const of =
  (code: ErrorCode): Thrower =>
  (reason, description, details) =>
    new OAuthError(code, reason, description, details);

export const invalidRequest = of('invalid_request');
export const invalidClient = of('invalid_client');
export const invalidGrant = of('invalid_grant');
export const invalidScope = of('invalid_scope');
export const invalidTarget = of('invalid_target');
export const unauthorizedClient = of('unauthorized_client');
export const unsupportedGrantType = of('unsupported_grant_type');
export const invalidToken = of('invalid_token');
export const insufficientScope = of('insufficient_scope');
