import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import type { OAuthError } from '../../protocol/errors.ts';
import { withoutToken } from '../../protocol/proofs/bearer-token.ts';
import { type Answer, jsonAnswer, textHeaders } from '../../server/http/answer.ts';
import type { ErrorForm } from '../../server/http/error-replies.ts';

/** Errors of the token endpoint, in the form that `Accept` asks for. */
export const asTokenError: ErrorForm = {
  name: 'json',
  async answer({ code, status, description, details }, { req, errorUri }): Promise<Answer> {
    const seconds = code === 'slow_down' ? /^\d+/.exec(details.expected ?? '')?.[0] : undefined;
    const body = {
      error: code,
      error_description: description,
      ...(errorUri === undefined ? {} : { error_uri: errorUri }),
      // the interval from now on
      ...(seconds === undefined ? {} : { interval: Number(seconds) + 5 }),
    };
    if (wantsJson(req.headers.accept)) return jsonAnswer(status, body);
    return { status, headers: formHeaders, body: formText(body) };
  },
};

/** Errors of the REST API. A path that is not offered has the nearest offer of the sandbox in its message. */
export const asApiError: ErrorForm = {
  name: 'json',
  async answer(error) {
    const status = statusOf(error);
    const body = { message: messageOf(error, status), documentation_url: 'https://docs.github.com/rest' };
    return jsonAnswer(status, { ...body, status: `${status}` }, error.details.headers);
  },
};

/** A wrong credential has the status 200 at the token endpoint alone. */
function statusOf({ status, reason }: OAuthError): number {
  return reason.startsWith('client_') ? 401 : status;
}

function messageOf({ reason, description, details: { expected } }: OAuthError, status: number): string {
  if (withoutToken.has(reason) || reason === 'client_unidentified') return 'Requires authentication';
  if (status === 401) return 'Bad credentials';
  return reason === 'not_offered' && expected !== undefined ? `${description}. ${expected}` : description;
}

const formType = 'application/x-www-form-urlencoded; charset=utf-8';

const formHeaders = textHeaders(formType);

/** GitHub answers in JSON only if `Accept` names it. */
function wantsJson(accept: string | undefined): boolean {
  return /application\/(\w[\w.]*\+)?json/i.test(accept ?? '');
}

function formText(members: object): string {
  return new URLSearchParams(Object.entries(members).map(([name, value]) => [name, String(value)])).toString();
}

/** A reply in JSON, or form-encoded unless `Accept` names JSON. */
export function encoded(reply: Reply, { accept }: EndpointRequest): Reply {
  if (reply.kind !== 'json' || wantsJson(accept)) return reply;
  return { kind: 'text', type: formType, body: formText(reply.body) };
}
