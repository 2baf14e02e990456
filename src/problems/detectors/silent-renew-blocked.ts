import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { likely, sideBySide } from './likely.ts';
import { detector, seenIn } from './recent.ts';

/** An iframe asked with prompt=none and had no cookie, though somebody is signed in. */
export const silentRenewBlocked = detector('silent_renew_blocked', ({ at, requests }) => {
  const logins = requests.filter(request => request.fact('login.succeeded') !== undefined);
  return at('authorize').flatMap(request => {
    if (!isBlocked(request) || !logins.some(login => isSameBrowser(login, request))) return [];
    const client_id = request.value('client_id') ?? '';
    const title = `The silent renew of ${client_id} came without the session cookie`;
    return [{ ...seenIn(request.event), client_id, title, explain: () => explain(title, request) }];
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

function isSameBrowser(login: RecordedRequest, request: RecordedRequest): boolean {
  return (
    login.event.id < request.event.id &&
    login.ip === request.ip &&
    login.header('user-agent') === request.header('user-agent')
  );
}

function explain(title: string, request: RecordedRequest) {
  const site = request.header('sec-fetch-site') ?? 'unknown';
  return likely({
    title,
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
  });
}
