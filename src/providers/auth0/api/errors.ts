import type { OAuthError } from '../../../protocol/errors.ts';
import { withoutToken } from '../../../protocol/proofs/bearer-token.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import type { ErrorForm } from '../../../server/http/error-replies.ts';
import { limitHeaders } from './answers.ts';

/** Errors of the Management API: `statusCode`, `error`, `message` and `errorCode`. */
export const apiErrors: ErrorForm = {
  name: 'json',
  answer: async error =>
    jsonAnswer(error.status, bodyOf(error), { ...limitHeaders, ...challenge(error), ...error.details.headers }),
};

const names: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  501: 'Not Implemented',
};

function bodyOf({ reason, status, description, details }: OAuthError): object {
  const error = names[status] ?? 'Internal Server Error';
  return {
    statusCode: status,
    error,
    message: messageOf(reason, description, details.expected),
    errorCode: codeOf(reason, description),
  };
}

function messageOf(reason: string, description: string, expected: string | undefined): string {
  if (reason === 'management_right_missing')
    return `Insufficient scope, expected any of: ${expected?.replaceAll(' or ', ',')}`;
  if (withoutToken.has(reason)) return 'Missing authentication';
  if (reason === 'not_offered' && expected !== undefined) return `${description}; the nearest call is ${expected}`;
  return description;
}

const codes: Readonly<Record<string, string>> = {
  management_right_missing: 'insufficient_scope',
  management_input_invalid: 'invalid_body',
  body_malformed: 'invalid_body',
  access_token_missing: 'missing_token',
  access_token_scheme_wrong: 'missing_token',
  not_offered: 'not_implemented',
};

function codeOf(reason: string, description: string): string {
  if (reason === 'management_entry_unknown') return description.includes('user') ? 'inexistent_user' : 'not_found';
  if (reason === 'management_entry_taken') return description.includes('user') ? 'auth0_idp_error' : 'conflict';
  return codes[reason] ?? (reason.startsWith('access_token') ? 'invalid_token' : reason);
}

function challenge({ status }: OAuthError): Readonly<Record<string, string>> {
  return status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {};
}
