import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { flatMapInPieces } from '../../turns/lists.ts';
import { firstMatching } from '../../turns/matching.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

/** An iframe asked with prompt=none and had no cookie, though somebody is signed in. */
export const silentRenewBlocked = detector('silent_renew_blocked', function* ({ at, requests }) {
  const blocked = yield* firstMatching(at('authorize'), isBlocked);
  const firstLogins = new Map<string, number>();
  for (const request of blocked.length === 0 ? [] : requests) {
    const isFirst = request.fact('login.succeeded') !== undefined && !firstLogins.has(browserOf(request));
    if (isFirst) firstLogins.set(browserOf(request), request.event.id);
    yield;
  }
  return yield* flatMapInPieces(blocked, request => {
    if ((firstLogins.get(browserOf(request)) ?? Number.POSITIVE_INFINITY) > request.event.id) return [];
    const client_id = request.value('client_id') ?? '';
    const title = `The silent renew of ${client_id} came without the session cookie`;
    return [failureIn(request.event, title, () => explain(request), client_id)];
  });
});

function isBlocked(request: RecordedRequest): boolean {
  return (
    request.header('sec-fetch-dest') === 'iframe' &&
    request.value('prompt') === 'none' &&
    request.header('cookie') === undefined &&
    request.fact('error.returned')?.error === 'login_required'
  );
}

/** An iframe that has no cookie is known by its address and its program alone. */
function browserOf(request: RecordedRequest): string {
  return JSON.stringify([request.ip, request.header('user-agent')]);
}

function explain(request: RecordedRequest) {
  const site = request.header('sec-fetch-site') ?? 'unknown';
  return {
    comparison: sideBySide(
      'The iframe came with',
      `no cookie (Sec-Fetch-Site: ${site})`,
      'Expected',
      'the session cookie of the login',
    ),
    why: `Somebody is signed in with this browser, and the iframe with prompt=none came without the cookie of that session. The browser keeps cookies from the iframe, because app and server are two sites (${site}).`,
    others: [
      'The session has ended, or it was made in another profile or a private window.',
      'The cookie is SameSite=Lax, as it must be without TLS; between two sites only SameSite=None; Secure goes along.',
    ],
    fixes: [
      'Renew with a refresh token instead of an iframe: it needs no cookie.',
      'Or open both under one site: http://localhost:<port> and another port of localhost are one.',
      {
        text: 'Or serve both over HTTPS; the cookie is SameSite=None then.',
        snippets: [{ where: 'environment', code: 'TLS=self-signed' }],
      },
    ],
    references: ['OIDC Core §3.1.2.6', 'RFC 9700 §2.2.2'],
  };
}
