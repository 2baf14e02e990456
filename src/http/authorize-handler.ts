import { OAuthError } from '../oauth/errors.ts';
import type { Adapter } from './adapter.ts';
import { redirectAnswer } from './answer.ts';
import type { Handler } from './front-door.ts';
import { readForm } from './read-parameters.ts';
import type { EndpointRoute } from './routes.ts';

/** Node refuses request heads over 16 KiB; a redirect must not lead there. */
const longestQuery = 12 * 1024;

/**
 * A POST authorization request comes without the `SameSite=Lax` cookie when a foreign site sends it, so it becomes a GET of
 * our own first (OIDC Core §3.1.2.1 wants both methods).
 */
export function authorizeHandler(adapter: Adapter, { endpoint, form, path }: EndpointRoute): Handler {
  const serve = adapter.serve(endpoint, form);
  const turn = adapter.answering(form, async req => {
    const query = await readForm(req);
    if (query.length > longestQuery) throw tooLong(query.length);
    return redirectAnswer(303, `${path}?${query.replace(/[^\x21-\x7e]/g, encodeURIComponent)}`);
  });
  return (req, res) => (req.method === 'POST' ? turn(req, res) : serve(req, res));
}

function tooLong(length: number): OAuthError {
  const details = { status: 413, sent: `${length} characters`, expected: `at most ${longestQuery}` };
  return new OAuthError('invalid_request', 'body_too_large', 'the authorization request is too long', details);
}
