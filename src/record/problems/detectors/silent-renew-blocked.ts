import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

/** Detects a silent renew in an iframe without the session cookie, though a user is signed in. */
export const silentRenewBlocked = detector('silent_renew_blocked', { request: clueIn }, clues => {
  const signedIn = new Set<string>();
  return clues.flatMap(({ browser, isLogin, blocked }) => {
    const wasSignedIn = signedIn.has(browser);
    if (isLogin) signedIn.add(browser);
    if (blocked === undefined || !(wasSignedIn || isLogin)) return [];
    const client_id = blocked.value('client_id') ?? '';
    const title = `The silent renew of \`${client_id}\` had no session cookie`;
    return [failureIn(blocked.event, title, () => explain(blocked), client_id)];
  });
});

/** A login, or a silent renew that needed one. */
function clueIn(request: RecordedRequest) {
  const blocked = isBlocked(request) ? request : undefined;
  const isLogin = request.fact('login.succeeded') !== undefined;
  return isLogin || blocked !== undefined ? { browser: browserOf(request), isLogin, blocked } : undefined;
}

function isBlocked(request: RecordedRequest): boolean {
  return (
    request.event.endpoint === 'authorize' &&
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
