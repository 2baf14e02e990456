import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Recent, SilentFailure } from './detector.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const window = 30;

/** Detects a login whose next request lacks the session cookie. */
export const cookieDropped = detector('cookie_dropped', function* ({ requests, since }) {
  const failures: SilentFailure[] = [];
  /** Logins by the address of the authorization request that the browser opens next. */
  const waiting = new Map<string, RecordedRequest[]>();
  for (const request of requests) {
    for (const login of comesBack(request, waiting, since)) failures.push(...failuresOf(login, request));
    if (request.fact('login.succeeded') !== undefined)
      addTo(waiting, request.responseHeader('location') ?? '', request);
    yield;
  }
  return failures;
});

function addTo(waiting: Map<string, RecordedRequest[]>, url: string, login: RecordedRequest): void {
  const logins = waiting.get(url);
  if (logins === undefined) waiting.set(url, [login]);
  else logins.push(login);
}

/** Returns the logins that redirected to this authorization request, each once. */
function comesBack(
  { event }: RecordedRequest,
  waiting: Map<string, RecordedRequest[]>,
  since: Recent['since'],
): readonly RecordedRequest[] {
  if (event.endpoint !== 'authorize' || waiting.size === 0) return [];
  const { url } = event.exchange;
  const logins = waiting.get(url) ?? [];
  waiting.delete(url);
  return logins.filter(login => since(login.event) - since(event) <= window);
}

function failuresOf(login: RecordedRequest, next: RecordedRequest): readonly SilentFailure[] {
  if (next.header('cookie') !== undefined) return [];
  const title = 'The browser did not send the session cookie after a login';
  return [failureIn(next.event, title, () => explain(login, next), next.value('client_id'))];
}

function explain(login: RecordedRequest, next: RecordedRequest) {
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
