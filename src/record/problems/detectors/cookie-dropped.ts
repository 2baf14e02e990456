import { addTo } from '../../../base/text/add-to.ts';
import { type Completed, RecordedRequest } from '../../flows/recorded-request.ts';
import type { SilentFailure } from '../problem.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const window = 30;

/** Detects a login whose next request lacks the session cookie. */
export const cookieDropped = detector('cookie_dropped', { request: clueIn }, (clues, { between }) => {
  const failures: SilentFailure[] = [];
  /** Logins by the address of the authorization request that the browser opens next. */
  const waiting = new Map<string, Completed[]>();
  for (const { event, url, location, hasCookie, client_id } of clues) {
    const logins = url === undefined ? [] : (waiting.get(url) ?? []);
    const lost = hasCookie ? [] : logins.filter(login => between(login, event) <= window);
    failures.push(...lost.map(login => failureIn(event, title, () => explain(login, event), client_id)));
    if (url !== undefined) waiting.delete(url);
    if (location !== undefined) addTo(waiting, location, event);
  }
  return failures;
});

const title = 'The browser did not send the session cookie after a login';

/** A login with the address that it redirects to, or an authorization request. */
function clueIn(request: RecordedRequest) {
  const { event } = request;
  const url = event.endpoint === 'authorize' ? event.exchange.url : undefined;
  const isLogin = request.fact('login.succeeded') !== undefined;
  if (url === undefined && !isLogin) return undefined;
  const location = isLogin ? (request.responseHeader('location') ?? '') : undefined;
  const client_id = url === undefined ? undefined : request.value('client_id');
  return { event, url, location, hasCookie: request.header('cookie') !== undefined, client_id };
}

function explain(before: Completed, after: Completed) {
  const login = new RecordedRequest(before, []);
  const next = new RecordedRequest(after, []);
  const [name] = [...login.cookiesSet][0] ?? [];
  const host = (request: RecordedRequest) => request.header('host') ?? '';
  return {
    comparison: sideBySide(
      `${login.event.method} ${login.event.path} at ${host(login)} set`,
      name ?? 'a session cookie',
      `${next.event.method} ${next.event.path} at ${host(next)} had`,
      'no cookie',
    ),
    why: 'The browser did not send the session cookie of the login, so the login page appeared again. The browser or a proxy dropped the cookie.',
    others: [
      'The login page and the next address have different host names, such as localhost and 127.0.0.1.',
      'The cookie is Secure and the page was opened over http, or a proxy ends TLS without a forwarding header.',
      'Cookies are blocked, or the client is a script that does not store them.',
    ],
    fixes: ['Open the app and this server under one host name.', 'Store cookies. In a script, use a cookie jar.'],
    references: ['RFC 6265 §5.4'],
  };
}
