import type { OAuthError } from '../../protocol/errors.ts';
import { stableId } from '../../protocol/random.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import type { ErrorForm } from '../../server/http/error-replies.ts';

const codes: Readonly<Record<number, string>> = {
  400: 'Request_BadRequest',
  401: 'InvalidAuthenticationToken',
  403: 'Authorization_RequestDenied',
  404: 'Request_ResourceNotFound',
  405: 'Request_BadRequest',
  429: 'TooManyRequests',
  501: 'NotImplemented',
};

/** Errors of Microsoft Graph. */
export const asGraphError: ErrorForm = {
  name: 'json',
  async answer(error, { requestId, req }) {
    const id = stableId(requestId);
    const sent = req.headers['client-request-id'];
    const innerError = {
      date: new Date().toISOString().slice(0, 19),
      'request-id': id,
      'client-request-id': typeof sent === 'string' ? sent.slice(0, 100) : id,
    };
    const code = codes[error.status] ?? 'UnknownError';
    const headers: Record<string, string> = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    return jsonAnswer(
      error.status,
      { error: { code, message: messageOf(error), innerError } },
      { ...headers, ...error.details.headers },
    );
  },
};

function messageOf({ status, description, details: { expected } }: OAuthError): string {
  if (status === 403) return `Insufficient privileges to complete the operation. ${description}: ${expected ?? ''}`;
  return status === 501 && expected !== undefined ? `${description}; the nearest call is ${expected}` : description;
}
