import { invalidRequest, type OAuthError } from '../../../protocol/errors.ts';
import type { Reason } from '../../../protocol/reason.ts';
import { type Answer, jsonAnswer } from '../../../server/http/answer.ts';
import type { ErrorForm } from '../../../server/http/error-replies.ts';

/** The content type of requests and answers. */
export const jsonType = 'application/x-amz-json-1.1';
const typeHeader = 'x-amzn-ErrorType';

/** An answer with status 200. */
export function answer(body: object = {}): Answer {
  return jsonAnswer(200, body, { 'Content-Type': jsonType });
}

/** An error with a type and a text of Cognito. */
export function refused(type: string, message: string, sent?: string): OAuthError {
  const reason = reasons[type] ?? 'management_input_invalid';
  const details = { headers: { [typeHeader]: type }, ...(sent !== undefined && { sent }) };
  return invalidRequest(reason, message, details);
}

/** The refusal of a value that is not as the API demands; `value` is how it names the value. */
export function unfit(value: string, demand: string): OAuthError {
  const message = `1 validation error detected: Value ${value} failed to satisfy constraint: Member must ${demand}`;
  return refused('InvalidParameterException', message);
}

/** A name without spaces and control characters that is not too long. @throws InvalidParameterException */
export function requireName(name: string, member: string): string {
  if (/^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u.test(name)) return name;
  throw unfit(`at '${member}'`, 'satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+');
}

/** Our reasons by the types that this API throws itself. */
const reasons: Readonly<Record<string, Reason>> = {
  UsernameExistsException: 'management_entry_taken',
  GroupExistsException: 'management_entry_taken',
  UserNotFoundException: 'management_entry_unknown',
  ResourceNotFoundException: 'management_entry_unknown',
  NotAuthorizedException: 'login_failed',
};

/** Types and texts of errors that the protocol throws. */
const known: Partial<Readonly<Record<Reason, readonly [type: string, message?: string]>>> = {
  body_malformed: ['SerializationException'],
  content_type_unsupported: ['SerializationException'],
  body_too_large: ['SerializationException'],
  not_offered: ['UnknownOperationException'],
  foreign_origin: ['ForbiddenException'],
  control_token_wrong: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  management_input_invalid: ['InvalidParameterException'],
  management_entry_taken: ['UsernameExistsException'],
  password_guessed_too_often: ['NotAuthorizedException', 'Password attempts exceeded'],
  on_token_denied: ['UserLambdaValidationException'],
  on_token_failed: ['UnexpectedLambdaException'],
  access_token_expired: ['NotAuthorizedException', 'Access Token has expired'],
  token_ended: ['NotAuthorizedException', 'Access Token has expired'],
  access_token_revoked: ['NotAuthorizedException', 'Access Token has been revoked'],
  access_token_unreadable: ['NotAuthorizedException', 'Invalid Access Token'],
  access_token_key_unknown: ['NotAuthorizedException', 'Invalid Access Token'],
  dpop_proof_missing: ['NotAuthorizedException'],
  certificate_mismatch: ['NotAuthorizedException'],
  refresh_token_expired_or_unknown: ['NotAuthorizedException', 'Invalid Refresh Token'],
  refresh_token_of_another_client: ['NotAuthorizedException', 'Invalid Refresh Token'],
  refresh_token_reused: ['RefreshTokenReuseException', 'Refresh token has been used before'],
  authorization_revoked: ['NotAuthorizedException', 'Refresh Token has been revoked'],
  client_secret_wrong: ['NotAuthorizedException', 'Invalid client secret'],
  client_secret_missing: ['NotAuthorizedException', 'Invalid client secret'],
  client_is_public: ['NotAuthorizedException', 'Invalid client secret'],
};

/** Errors as the user pool API writes them. All have status 400, besides failures of our own and calls that are not served. */
export const poolErrors: ErrorForm = {
  name: 'json',
  answer: async error => {
    const { [typeHeader]: own, ...others } = error.details.headers ?? {};
    const [type, message = textOf(error)] = own === undefined ? (known[error.reason] ?? other(error)) : [own];
    const headers = { ...others, 'Content-Type': jsonType, [typeHeader]: type };
    return jsonAnswer(statusOf(error), { __type: type, message }, headers);
  },
};

function other({ status }: OAuthError): readonly [type: string] {
  return status >= 500 ? ['InternalErrorException'] : ['InvalidParameterException'];
}

function statusOf({ status }: OAuthError): number {
  return status >= 500 || status === 413 || status === 415 ? status : 400;
}

/** `POST /SignUp` is the row of the action `SignUp`. */
function textOf({ reason, description, details: { expected } }: OAuthError): string {
  if (reason !== 'not_offered' || expected === undefined) return description;
  return `${description}; the nearest call is ${expected.replace('POST /', '')}`;
}
