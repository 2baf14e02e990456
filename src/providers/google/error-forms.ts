import { jsonAnswer } from '../../server/http/answer.ts';
import type { ErrorForm } from '../../server/http/error-replies.ts';

/** Errors of UserInfo: one text for every token that is not accepted, with a challenge. */
export const asBearerError: ErrorForm = {
  name: 'challenge',
  async answer({ status, code, description }) {
    if (status !== 401) return jsonAnswer(status, { error: code, error_description: description });
    const challenge = 'Bearer realm="https://accounts.google.com/", error="invalid_token"';
    const body = { error: 'invalid_request', error_description: 'Invalid Credentials' };
    return jsonAnswer(401, body, { 'WWW-Authenticate': challenge });
  },
};

/** Names of statuses in errors of Google's APIs (google.rpc.Code). */
const names: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 405: 'INVALID_ARGUMENT', 501: 'UNIMPLEMENTED' };

/** Errors of Google's APIs, with the nearest offer of the sandbox. */
export const asApiError: ErrorForm = {
  name: 'json',
  async answer({ status, description, details: { expected, headers } }) {
    const message = expected === undefined ? description : `${description}. ${expected}`;
    const error = { code: status, message, status: names[status] ?? 'INVALID_ARGUMENT' };
    return jsonAnswer(status, { error }, headers);
  },
};
