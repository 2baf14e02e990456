import { OAuthError } from '../oauth/errors.ts';
import { parseParameters } from '../oauth/parameters.ts';
import type { Adapter } from './adapter.ts';
import { redirectAnswer } from './answer.ts';
import { readForm } from './read-parameters.ts';
import type { Handler } from './request-context.ts';
import type { EndpointRoute } from './route.ts';

/** Node refuses request heads over 16 KiB; a redirect must not lead there. */
const longestQuery = 12 * 1024;

/**
 * A POST from a foreign site comes without the `SameSite=Lax` cookie, so an endpoint that reads the session has it turned
 * into a GET of our own first (OIDC Core §3.1.2.1 and RP-Initiated Logout §2 want both methods).
 */
export function postAsGet(adapter: Adapter, { endpoint, form, path }: EndpointRoute): Handler {
  const serve = adapter.serve(endpoint, form);
  const turn = adapter.answering(form, async req => {
    const query = (await readForm(req)).replace(/[^\x21-\x7e]/gu, encodeURIComponent);
    if (query.length > longestQuery) throw tooLong(query.length);
    return redirectAnswer(303, `${path}?${query}`);
  });
  return (req, res) => (req.method === 'POST' ? turn(req, res) : serve(req, res));
}

/** The same, but only for a POST without a session: where the cookie came along, nothing has to go through an address. */
export function foreignPostAsGet(adapter: Adapter, route: EndpointRoute): Handler {
  const serve = adapter.serve(route.endpoint, route.form);
  const turn = postAsGet(adapter, route);
  return (req, res) => {
    const { sessionId } = adapter.endpointRequest(req, noParameters);
    return sessionId === undefined ? turn(req, res) : serve(req, res);
  };
}

const noParameters = parseParameters('');

function tooLong(length: number): OAuthError {
  const expected = `at most ${longestQuery}, or a pushed authorization request (RFC 9126)`;
  const details = { status: 413, sent: `${length} characters`, expected };
  return new OAuthError('invalid_request', 'body_too_large', 'the request is too long to go on as a GET', details);
}
