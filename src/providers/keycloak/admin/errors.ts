import type { OAuthError } from '../../../protocol/errors.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import type { ErrorForm } from '../../../server/http/error-replies.ts';

/** Errors of the admin API, as KeycloakErrorHandler.java and ErrorResponse.java write them. */
export const adminErrors: ErrorForm = {
  name: 'json',
  answer: async error => jsonAnswer(error.status, bodyOf(error), headersOf(error)),
};

function headersOf({ status, details: { headers } }: OAuthError): Readonly<Record<string, string>> {
  return status === 401 ? { 'WWW-Authenticate': 'Bearer', ...headers } : { ...headers };
}

/** Names of statuses in the messages of Jakarta REST. */
const statuses: Readonly<Record<number, string>> = {
  401: 'HTTP 401 Unauthorized',
  403: 'HTTP 403 Forbidden',
  413: 'HTTP 413 Request Entity Too Large',
  415: 'HTTP 415 Unsupported Media Type',
  501: 'HTTP 501 Not Implemented',
};

/** Codes of the token endpoint of the realm `master`. */
const tokenCodes = ['invalid_grant', 'invalid_client', 'unsupported_grant_type', 'temporarily_unavailable'];

function bodyOf({ code, reason, status, description, details: { expected } }: OAuthError): object {
  if (reason === 'management_entry_unknown') return { error: description };
  if (reason === 'management_entry_taken' || reason === 'management_input_invalid')
    return { errorMessage: description };
  if (reason === 'body_malformed')
    return { error: 'invalid_request', error_description: `Cannot parse the JSON: ${description}` };
  if (reason === 'management_right_missing') return { error: statuses[403] };
  if (tokenCodes.includes(code)) return { error: code, error_description: description };
  if (status === 401) return { error: statuses[401] };
  const nearest = reason === 'not_offered' && expected !== undefined ? `; the nearest call is ${expected}` : '';
  return { error: statuses[status] ?? code, error_description: description + nearest };
}
