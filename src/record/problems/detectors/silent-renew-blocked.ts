import { flatMapInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

/** Detects a silent renew in an iframe without the session cookie, though a user is signed in. */
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
    const title = `The silent renew of \`${client_id}\` had no session cookie`;
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

/** Returns a key of the browser. Without a cookie only its address and program identify it. */
function browserOf(request: RecordedRequest): string {
  return JSON.stringify([request.ip, request.header('user-agent')]);
}

function explain(request: RecordedRequest) {
  const site = request.header('sec-fetch-site') ?? 'unknown';
  return {
    comparison: sideBySide(
      'The iframe sent',
      `no cookie (Sec-Fetch-Site: ${site})`,
      'Expected',
      'the session cookie of the login',
    ),
    why: `A user is signed in with this browser, but the iframe with prompt=none did not send the session cookie. The browser blocks the cookie, because app and server are different sites (${site}).`,
    others: [
      'The session has ended, or belongs to a different profile or a private window.',
      'The cookie is SameSite=Lax, because TLS is off. A browser sends only a cookie with SameSite=None and Secure to a different site.',
    ],
    fixes: [
      'Renew with a refresh token instead of an iframe. A refresh needs no cookie.',
      'Or open both on one site. All ports of http://localhost are one site.',
      {
        text: 'Or serve both over HTTPS, so that the cookie is SameSite=None.',
        snippets: [{ where: 'environment', code: 'TLS=self-signed' }],
      },
    ],
    references: ['OIDC Core §3.1.2.6', 'RFC 9700 §2.2.2'],
  };
}
