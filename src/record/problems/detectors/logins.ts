import type { EventOf } from '../../../base/events/event.ts';
import { addTo } from '../../../base/text/add-to.ts';
import { type Completed, RecordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import type { SilentFailure } from '../problem.ts';
import { alike, detector, failureIn, type RealTime, sideBySide } from './detector.ts';

const loopWindow = 10;
const mostCodes = 4;

/** Detects a signed-in browser that requests codes again and again. */
export const redirectLoop = detector('redirect_loop', { request: loopClue }, (clues, time) =>
  alike(clues, ({ browser }) => browser).flatMap(requests => {
    const last = endOfLoop(requests, time);
    if (last === undefined) return [];
    const title = `\`${last.client_id}\` requests codes in a loop`;
    return [failureIn(last.event, title, () => explainLoop(requests.length), last.client_id)];
  }),
);

type LoopClue = NonNullable<ReturnType<typeof loopClue>>;

function loopClue(request: RecordedRequest) {
  if (!isSilent(request)) return undefined;
  const client_id = request.value('client_id') ?? '';
  return {
    event: request.event,
    client_id,
    browser: `${client_id} ${request.ip} ${request.header('user-agent') ?? ''} ${request.header('cookie') ?? ''}`,
  };
}

/** Tells whether the request got a code at once. A silent renew is left out, because a page may send several. */
function isSilent(request: RecordedRequest): boolean {
  return (
    request.event.endpoint === 'authorize' &&
    request.fact('code.issued') !== undefined &&
    request.value('prompt') !== 'none' &&
    // right after the login page, which repeats its address
    !/\/login\b/.test(request.header('referer') ?? '')
  );
}

function endOfLoop(requests: readonly LoopClue[], { between }: RealTime): LoopClue | undefined {
  return requests.find(({ event }, index) => {
    const first = requests[index - mostCodes + 1];
    return first !== undefined && between(first.event, event) <= loopWindow;
  });
}

function explainLoop(count: number) {
  return {
    comparison: sideBySide('The browser requested', `${count} codes`, 'Expected', 'one code, until the token expires'),
    why: `A signed-in browser got at least ${mostCodes} codes within ${loopWindow} s. The app loses its token and starts the sign-in again, which makes a redirect loop.`,
    others: [
      'The route guard runs before the callback has finished, and starts a new sign-in.',
      'The app stores the token under one origin or path, and reads it under a different one.',
      'The app treats the token as expired, because its clock and the clock of this server differ.',
    ],
    fixes: [
      'Let the callback finish and store the tokens before the app opens a guarded route.',
      'Look for an error of the token request. Some libraries start a new sign-in without a message.',
    ],
    references: ['RFC 9700 §4.1', 'OIDC Core §3.1.2.1'],
  };
}

/** Seconds an app may take to redeem its code. */
const redeemWithin = 20;

/** Detects a code that was issued but never sent to the token endpoint. */
export const codeNotRedeemed = detector(
  'code_not_redeemed',
  {
    request: request => (request.event.endpoint === 'token' ? request.value('code') : undefined),
    event(event) {
      if (event.type === 'code.issued') return event;
      // a login without a browser redeems its code without a token request
      return event.type === 'token.issued' ? event.parentTokenId : undefined;
    },
  },
  (clues, { hasPassed }, known) => {
    const redeemed = new Set<unknown>(clues);
    return clues.flatMap(code => {
      if (typeof code === 'string' || redeemed.has(code.token) || redeemed.has(code.tokenId)) return [];
      if (!hasPassed(code, redeemWithin)) return [];
      const title = `\`${code.client_id}\` got a code and never redeemed it`;
      return [failureIn(code, title, () => explainCode(code, known.events), code.client_id)];
    });
  },
);

function explainCode(code: EventOf<'code.issued'>, events: Known['events']) {
  const { redirect_uri } = code;
  const silence = Math.round(events.wall() - events.wallOf(code));
  const { origin: named } = new URL(redirect_uri);
  const origin = named === 'null' ? redirect_uri : named; // a private scheme has no origin
  const sameHere = origin.includes('localhost') ? origin.replace('localhost', '127.0.0.1') : undefined;
  return {
    comparison: sideBySide('The browser was sent to', redirect_uri, 'Expected next', 'POST to the token endpoint'),
    why: `${silence} s ago the browser was sent back to ${redirect_uri} with a code, and no request for a token followed. The page at that address did not run, or its script failed before the token request.`,
    others: [
      'oidc-client-ts reports "No matching state found in storage": the sign-in started on one origin and came back to a different one, or the storage was cleared, or the callback ran twice.',
      ...(sameHere === undefined
        ? []
        : [`The app was opened at ${sameHere}. ${origin} and ${sameHere} have separate storage.`]),
      'No server listens at that address, or its route is missing. The browser shows an error page then.',
      'A back end redeems the code, but it cannot reach this server under the configured name.',
    ],
    fixes: [
      'Open the browser console on the callback page and look for the error.',
      `Open the app at ${origin}, the origin of its redirect_uri.`,
    ],
    references: ['RFC 6749 §4.1.2', 'RFC 6749 §4.1.3'],
  };
}

/** Detects two logins of one client with the same `state`. */
export const stateReused = detector('state_reused', { request: stateClue }, clues =>
  alike(clues, ({ client_id, state }) => JSON.stringify([client_id, state])).flatMap(requests => {
    const last = requests.at(-1);
    if (last === undefined || requests.every(({ login }) => login === last.login)) return [];
    const title = `\`${last.client_id}\` uses the same state for different sign-ins`;
    return [failureIn(last.event, title, () => explainState(last.state, requests.length), last.client_id)];
  }),
);

function stateClue(request: RecordedRequest) {
  const { event } = request;
  if (event.endpoint !== 'authorize' || request.fact('code.issued') === undefined) return undefined;
  const state = request.value('state');
  if (state === undefined) return undefined;
  return { event, client_id: request.value('client_id') ?? '', state, login: loginOf(request) };
}

function loginOf(request: RecordedRequest): string {
  return JSON.stringify([request.value('nonce'), request.value('code_challenge'), request.header('cookie')]);
}

function explainState(state: string, count: number) {
  return {
    comparison: sideBySide(`Sent with ${count} sign-ins`, state, 'Expected', 'a random value for each sign-in'),
    why: 'The state binds the response to the browser that started the sign-in. With a fixed value, an attacker can make a browser finish a foreign sign-in.',
    others: ['The test suite sends a fixed value on purpose.'],
    fixes: [
      'Make a new state of at least 128 random bits for each sign-in, store it in the session, and compare it at the callback.',
    ],
    references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  };
}

const protections = ['state', 'nonce', 'code_challenge'] as const;

/** Detects a login without state, nonce or PKCE, which nothing binds to its browser. */
export const loginUnprotected = detector(
  'login_unprotected',
  {
    request: request => (isUnprotected(request) ? { request, client_id: request.value('client_id') ?? '' } : undefined),
  },
  clues =>
    alike(clues, ({ client_id }) => client_id).flatMap(logins =>
      logins.slice(-1).map(({ request, client_id }) => {
        const title = `\`${client_id}\` signs in without state, nonce or PKCE`;
        return failureIn(request.event, title, () => explainUnprotected(request), client_id);
      }),
    ),
);

/** Pushed and signed requests are left out: their own endpoints check them. */
function isUnprotected(request: RecordedRequest): boolean {
  return (
    request.event.endpoint === 'authorize' &&
    request.fact('code.issued') !== undefined &&
    request.value('request_uri') === undefined &&
    request.value('request') === undefined &&
    protections.every(name => request.value(name) === undefined)
  );
}

function explainUnprotected(request: RecordedRequest) {
  const sent = [...new Set([...request.query.keys(), ...request.form.keys()])].join(', ');
  return {
    comparison: sideBySide('Your app sent', sent, 'Also expected', 'code_challenge, state or nonce'),
    why: 'Nothing binds the response to the browser that started the sign-in, so an attacker can inject a foreign code (cross-site request forgery).',
    others: ['The client is a script without a browser.'],
    fixes: [
      'Switch on PKCE in the library. PKCE protects the code and the sign-in.',
      'Or send state, and compare it at the callback.',
    ],
    references: ['RFC 9700 §2.1', 'RFC 9700 §4.7', 'RFC 7636 §4.3'],
  };
}

/** Detects a silent renew in an iframe without the session cookie, though a user is signed in. */
export const silentRenewBlocked = detector('silent_renew_blocked', { request: renewClue }, clues => {
  const signedIn = new Set<string>();
  return clues.flatMap(({ browser, isLogin, blocked }) => {
    const wasSignedIn = signedIn.has(browser);
    if (isLogin) signedIn.add(browser);
    if (blocked === undefined || !(wasSignedIn || isLogin)) return [];
    const client_id = blocked.value('client_id') ?? '';
    const title = `The silent renew of \`${client_id}\` had no session cookie`;
    return [failureIn(blocked.event, title, () => explainBlocked(blocked), client_id)];
  });
});

function renewClue(request: RecordedRequest) {
  const blocked = isBlocked(request) ? request : undefined;
  const isLogin = request.fact('login.succeeded') !== undefined;
  // Without a cookie only the address and the program identify a browser.
  const browser = JSON.stringify([request.ip, request.header('user-agent')]);
  return isLogin || blocked !== undefined ? { browser, isLogin, blocked } : undefined;
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

function explainBlocked(request: RecordedRequest) {
  const site = request.header('sec-fetch-site') ?? 'unknown';
  return {
    comparison: sideBySide(
      'The iframe sent',
      `no cookie (Sec-Fetch-Site: ${site})`,
      'Expected',
      'the session cookie of the sign-in',
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

const cookieWindow = 30;

/** Detects a login whose next request lacks the session cookie. */
export const cookieDropped = detector('cookie_dropped', { request: cookieClue }, (clues, { between }) => {
  const failures: SilentFailure[] = [];
  /** Logins by the address of the authorization request that the browser opens next. */
  const waiting = new Map<string, Completed[]>();
  for (const { event, url, location, hasCookie, client_id } of clues) {
    const logins = url === undefined ? [] : (waiting.get(url) ?? []);
    const lost = hasCookie ? [] : logins.filter(login => between(login, event) <= cookieWindow);
    failures.push(...lost.map(login => failureIn(event, cookieTitle, () => explainCookie(login, event), client_id)));
    if (url !== undefined) waiting.delete(url);
    if (location !== undefined) addTo(waiting, location, event);
  }
  return failures;
});

const cookieTitle = 'The browser did not send the session cookie after a sign-in';

function cookieClue(request: RecordedRequest) {
  const { event } = request;
  const url = event.endpoint === 'authorize' ? event.exchange.url : undefined;
  const isLogin = request.fact('login.succeeded') !== undefined;
  if (url === undefined && !isLogin) return undefined;
  const location = isLogin ? (request.responseHeader('location') ?? '') : undefined;
  const client_id = url === undefined ? undefined : request.value('client_id');
  return { event, url, location, hasCookie: request.header('cookie') !== undefined, client_id };
}

function explainCookie(before: Completed, after: Completed) {
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
    why: 'The browser did not send the session cookie of the sign-in, so the sign-in page appeared again. The browser or a proxy dropped the cookie.',
    others: [
      'The sign-in page and the next address have different host names, such as localhost and 127.0.0.1.',
      'The cookie is Secure and the page was opened over http, or a proxy ends TLS without a forwarding header.',
      'Cookies are blocked, or the client is a script that does not store them.',
    ],
    fixes: ['Open the app and this server under one host name.', 'Store cookies. In a script, use a cookie jar.'],
    references: ['RFC 6265 §5.4'],
  };
}
