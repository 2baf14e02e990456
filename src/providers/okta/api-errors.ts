import { randomBytes } from 'node:crypto';
import type { OAuthError, Reason } from '../../protocol/errors.ts';
import { type Answer, jsonAnswer } from '../../server/http/answer.ts';
import { asJson, type ErrorForm } from '../../server/http/error-replies.ts';

function errorBody(errorCode: string, errorSummary: string, causes: readonly string[] = []): object {
  const errorId = `oae${randomBytes(13).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
  const errorCauses = causes.map(each => ({ errorSummary: each }));
  return { errorCode, errorSummary, errorLink: errorCode, errorId, errorCauses };
}

type Written = readonly [status: number, errorCode: string, errorSummary: string, cause?: string];

const unsupported = (cause: string): Written => [501, 'E0000060', 'Unsupported operation.', cause];

/** Errors by our reason (developer.okta.com/docs/reference/error-codes). */
const byReason: Partial<Readonly<Record<Reason, (error: OAuthError) => Written>>> = {
  management_entry_unknown: ({ description }) => [404, 'E0000007', description],
  management_input_invalid: ({ description, status }) => validation(description, status),
  management_entry_taken: ({ description }) => validation(description, 400),
  control_input_invalid: ({ description }) => validation(description, 400),
  management_right_missing: ({ details: { expected } }) => [
    403,
    'E0000006',
    'You do not have permission to perform the requested action',
    `The token needs one of the scopes ${expected}.`,
  ],
  body_malformed: ({ description }) => [400, 'E0000003', 'The request body was not well-formed.', description],
  login_failed: () => [401, 'E0000004', 'Authentication failed'],
  access_token_missing: () => noSession,
  access_token_scheme_wrong: () => noSession,
  content_type_unsupported: ({ description }) => [
    415,
    'E0000021',
    'Bad request. Accept and/or Content-Type headers are likely not set.',
    description,
  ],
  method_not_allowed: () => [405, 'E0000022', 'The endpoint does not support the provided HTTP method'],
  path_unknown: ({ details: { sent = '' }, description }) => [
    404,
    'E0000007',
    `Not found: Resource not found: ${sent}`,
    description,
  ],
  rate_limited: () => tooMany,
  password_guessed_too_often: () => tooMany,
  internal: () => [500, 'E0000009', 'Internal Server Error'],
  not_offered: ({ description, details: { expected } }) =>
    unsupported(expected === undefined ? description : `${description}; the nearest call is ${expected}`),
};

/** A description begins with a code of Okta, or with the name of the member that it is about. */
function validation(description: string, status: number): Written {
  const [, code, summary = ''] = /^(E\d{7}): (.*)$/s.exec(description) ?? [];
  if (code !== undefined) return [status, code, summary];
  const member = /^(\w+): /.exec(description)?.[1];
  return [400, 'E0000001', `Api validation failed${member === undefined ? '' : `: ${member}`}`, description];
}

const noSession: Written = [401, 'E0000005', 'Invalid session'];

const tooMany: Written = [429, 'E0000047', 'API call exceeded rate limit due to too many requests.'];

/** The error in the form of the APIs of Okta; undefined for an error that has none of its own there. */
function apiError(error: OAuthError): Answer | undefined {
  const written = byReason[error.reason]?.(error);
  if (written === undefined) return undefined;
  const [status, code, summary, cause] = written;
  return jsonAnswer(status, errorBody(code, summary, cause === undefined ? [] : [cause]), error.details.headers);
}

/** Errors of the management API, of sessions and of primary authentication. */
export const apiErrors: ErrorForm = {
  name: 'json',
  answer: async error => {
    const { status, description, details } = error;
    const own = apiError(error);
    if (own !== undefined) return own;
    if (status === 401) return jsonAnswer(401, errorBody('E0000011', 'Invalid token provided'), details.headers);
    return jsonAnswer(status, errorBody('E0000001', 'Api validation failed', [description]), details.headers);
  },
};

/** Errors that Okta does not write in the form of OAuth, at the endpoints of OAuth either. */
const unusual: readonly Reason[] = ['method_not_allowed', 'path_unknown', 'rate_limited', 'not_offered'];

/** An error for a program, in the form of OAuth but for some. An unknown client is named in the form of Okta's APIs. */
const forPrograms: ErrorForm = {
  name: 'json',
  async answer(error, context) {
    const { reason, status, code, description, details } = error;
    if (reason === 'client_unknown') return jsonAnswer(status, errorBody(code, description), details.headers);
    return (unusual.includes(reason) ? apiError(error) : undefined) ?? asJson.answer(error, context);
  },
};

/** The form of errors in place of the usual one. Pages stay pages. */
export function oktaForm(usual: ErrorForm): ErrorForm {
  if (usual === apiErrors || usual.name === 'challenge') return usual;
  if (usual.name === 'json') return forPrograms;
  return { ...usual, answer: (error, context) => (context.acceptsHtml ? usual : forPrograms).answer(error, context) };
}
