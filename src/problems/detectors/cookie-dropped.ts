import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Recent } from './detector.ts';
import { likely, sideBySide } from './likely.ts';
import { detector, groupedBy, seenIn } from './recent.ts';

const window = 30;

/** Somebody signed in, and the very next request came without the cookie. */
export const cookieDropped = detector('cookie_dropped', ({ at, requests, since }) => {
  const logins = requests.filter(request => request.fact('login.succeeded') !== undefined);
  const byUrl: ReadonlyMap<string, readonly RecordedRequest[]> =
    logins.length === 0 ? new Map() : groupedBy(at('authorize'), ({ event }) => event.exchange.url);
  return logins.flatMap(login => {
    const sameUrl = byUrl.get(login.responseHeader('location') ?? '') ?? [];
    const next = sameUrl.find(request => comesBack(login, request, since));
    if (next === undefined || next.header('cookie') !== undefined) return [];
    const client_id = next.value('client_id');
    const title = 'A login was made, and its cookie was not sent back';
    const client = client_id === undefined ? {} : { client_id };
    return [{ ...seenIn(next.event), ...client, title, explain: () => explain(title, login, next) }];
  });
});

/** The browser follows the redirect of the login to the same authorization request, whose address that was. */
function comesBack(login: RecordedRequest, { event }: RecordedRequest, since: Recent['since']): boolean {
  return event.id > login.event.id && since(login.event) - since(event) <= window;
}

function explain(title: string, login: RecordedRequest, next: RecordedRequest) {
  const [name] = [...login.cookiesSet][0] ?? [];
  const host = (request: RecordedRequest) => request.header('host') ?? '';
  return likely({
    title,
    comparison: sideBySide(
      `${login.event.method} ${login.event.path} at ${host(login)} set`,
      name ?? 'a session cookie',
      `${next.event.method} ${next.event.path} at ${host(next)} came with`,
      'no cookie',
    ),
    why: 'The session cookie of the login did not come back, so the login page was shown once more. The browser, or what stands between, dropped it.',
    others: [
      'The login page and the next address have different host names, such as localhost and 127.0.0.1.',
      'The cookie is Secure and the page was opened over http, or a proxy ends TLS without saying so.',
      'Cookies are blocked, or the client is a script that does not keep them.',
    ],
    fixes: ['Open the app and this server under one host name.', 'Keep cookies: in a script, use a cookie jar.'],
    references: ['RFC 6265 §5.4'],
  });
}
