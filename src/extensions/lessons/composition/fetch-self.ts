import type { Issuer } from '../../../sandbox/extension.ts';
import { type SelfAnswer, sendToSelf } from '../../../sandbox/self-request.ts';
import type { Fetch } from '../trial/agent.ts';

/**
 * A `fetch` for a learner's page that asks this process only: it connects to its own socket, whatever host the URL names, and
 * marks each request as one of the sandbox's own pages.
 */
export function fetchSelf(issuer: Issuer): Fetch {
  return async ({ host, pathname, search }, { method = 'GET', headers: sent, body }) => {
    const headers = new Headers(sent);
    if (body instanceof URLSearchParams) headers.set('Content-Type', 'application/x-www-form-urlencoded');
    const answer = await sendToSelf(issuer, {
      method,
      path: pathname + search,
      headers: { ...Object.fromEntries(headers), ...issuer.sandbox.mark.headers('playground'), Host: host },
      body: body?.toString() ?? '',
    });
    // a Response with one of these has no body
    const isBare = answer.status === 204 || answer.status === 304;
    return new Response(isBare ? null : answer.body, { status: answer.status, headers: headersOf(answer) });
  };
}

function headersOf({ headers }: SelfAnswer): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const each of [value].flat()) all.append(name, each);
  return all;
}
