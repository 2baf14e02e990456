import { OAuthError } from '../../protocol/errors.ts';
import { parseParameters } from '../../protocol/parameters.ts';
import type { Adapter } from './adapter.ts';
import { redirectAnswer } from './answer.ts';
import { foreignOrigin, isOwnOrigin } from './origin-check.ts';
import { readForm } from './read-parameters.ts';
import type { Handler } from './request-context.ts';
import type { EndpointRoute } from './route.ts';

/** The handler of each endpoint route. */
export function createRouteHandlers(
  routes: readonly EndpointRoute[],
  adapter: Adapter,
  metadataMaxAge: number,
): ReadonlyMap<EndpointRoute, Handler> {
  const cacheControl = metadataMaxAge === 0 ? 'no-store' : `public, max-age=${metadataMaxAge}`;
  return new Map(routes.map(route => [route, handlerOf(route)]));

  function handlerOf(route: EndpointRoute): Handler {
    if (route.constant) return adapter.serveOnce(route.endpoint, route.form, cacheControl);
    if (route.name === 'authorize') return postAsGet(adapter, route);
    if (route.name === 'end_session') return foreignPostAsGet(adapter, route);
    if (route.ownOrigin) return ownPage(adapter, route);
    return adapter.serve(route.endpoint, route.form, route.body);
  }
}

/** A page on which a user decides. It accepts its form only from our own origin. */
function ownPage(adapter: Adapter, { endpoint, form }: EndpointRoute): Handler {
  const serve = adapter.serve(endpoint, form);
  const refuse = adapter.answering(form, async req => {
    throw foreignOrigin(req);
  });
  return (req, res) => (req.method === 'POST' && !isOwnOrigin(req) ? refuse(req, res) : serve(req, res));
}

/** Longest query to redirect to, in characters: Node refuses a request head over 16 KiB. */
const longestQuery = 12 * 1024;

/**
 * Turns a POST into a GET of our own, for an endpoint that reads the session: a POST from a foreign site comes without
 * the `SameSite=Lax` cookie (OIDC Core §3.1.2.1 and RP-Initiated Logout §2 require both methods).
 */
function postAsGet(adapter: Adapter, { endpoint, form, path, takesPost }: EndpointRoute): Handler {
  const serve = adapter.serve(endpoint, form);
  const turn = adapter.answering(form, async req => {
    const body = await readForm(req);
    const parameters = parseParameters(body);
    if (takesPost !== undefined && parameters.values.has(takesPost)) return adapter.ask(endpoint, req, parameters);
    const query = body.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
    if (query.length > longestQuery) throw tooLong(query.length);
    return redirectAnswer(303, `${path}?${query}`);
  });
  return (req, res) => (req.method === 'POST' ? turn(req, res) : serve(req, res));
}

/**
 * Like `postAsGet`, but only for a POST without a session: if the cookie came with it, the parameters need not go into a
 * URL.
 */
function foreignPostAsGet(adapter: Adapter, route: EndpointRoute): Handler {
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
  return new OAuthError('invalid_request', 'body_too_large', 'the request is too long to continue as a GET', details);
}
