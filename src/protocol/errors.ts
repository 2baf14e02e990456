import type { Reason } from './reason.ts';

export type { Reason } from './reason.ts';

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
  // RFC 8628 §3.5, OIDC CIBA §11
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  // OIDC CIBA §13
  unknown_user_id: 400,
  invalid_binding_message: 400,
  // RFC 9101 §7
  invalid_request_uri: 400,
  invalid_request_object: 400,
  // RFC 9396 §5
  invalid_authorization_details: 400,
  // RFC 9449 §5, §8
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  // RFC 9470 §3, §5
  insufficient_user_authentication: 401,
  unmet_authentication_requirements: 400,
  // RFC 7591 §3.2.2
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_software_statement: 400,
  unapproved_software_statement: 400,
} as const;

export type ErrorCode = keyof typeof statuses;

/** One member with an unexpected value; `sent` may be shown. */
export interface InputProblem {
  /** `redirect_uris[0]`; empty if the problem is about the whole value. */
  readonly member: string;
  readonly sent?: string;
  readonly expected: string;
  /** The most similar known name. */
  readonly nearest?: string;
}

/** Values for the explanation: the sent and the expected one. Never a secret. */
export interface ErrorDetails {
  readonly sent?: string;
  readonly expected?: string;
  /** All problems, member by member, if one call can have several. */
  readonly problems?: readonly InputProblem[];
  /** The registered client of the error, if no event has named it yet. */
  readonly client_id?: string;
  /** The refused token or code, if this server issued it. */
  readonly about?: { readonly tokenId: string; readonly authorizationId: string };
  /** Set only if the HTTP status is not that of the code: 405, 413, 415, 429. */
  readonly status?: number;
  /** The JSON form has the code alone. */
  readonly isBare?: true;
  /** Members of the answer besides the error, such as a token to go on with. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Headers that HTTP requires: `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason why a document could not be fetched. It is in no answer, because any page could use it to probe our network. */
  readonly met?: string;
  /** Only logged. */
  readonly cause?: unknown;
}

/** A refusal: the RFC's code for the wire, our reason for the log, a sentence for the client's developer. */
export class OAuthError extends Error {
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly description: string;
  /** The description with the details that only the log and the dashboard may show. */
  readonly fullDescription: string;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, reason: Reason, description: string, details: ErrorDetails = {}) {
    super(`${code}: ${description}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'OAuthError';
    this.code = code;
    this.reason = reason;
    this.description = descriptionCharacters(description);
    this.fullDescription =
      details.met === undefined ? this.description : `${this.description}: ${descriptionCharacters(details.met)}`;
    this.status = details.status ?? statuses[code];
    this.details = details;
  }
}

/** RFC 6749 §5.2: error_description may hold %x20-21 / %x23-5B / %x5D-7E only. */
export function descriptionCharacters(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replace(/\xa7 ?/g, 'section ')
    .replace(/[^\x20-\x7E]/g, '?');
}

/** Makes a refusal. The error code and other details that its callers share are already set. */
export type Refuse = (reason: Reason, description: string, details?: ErrorDetails) => OAuthError;
const of =
  (code: ErrorCode): Refuse =>
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
export const invalidRedirectUri = of('invalid_redirect_uri');
export const invalidClientMetadata = of('invalid_client_metadata');
export const insufficientScope = of('insufficient_scope');
