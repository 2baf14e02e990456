import { jsonAnswer } from '../../http/answer.ts';
import { asJson, type ErrorForm } from '../../http/error-replies.ts';
import type { Reason } from '../../oauth/errors.ts';
import { apiError, apiErrors, errorBody } from './api-errors.ts';

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
