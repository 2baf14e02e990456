import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, ExamPlan, Seen, Stage } from '../exam-module.ts';
import { notMet, observed, startsOf, untold } from '../judge.ts';
import { requestsSince } from '../stage.ts';
import { baseline } from './baseline.ts';
import { browserStateModules } from './browser-state.ts';

const noStart = 'The app sent no authorization request.';
const fromServer = 'The token requests of the app come from a server, not from a browser: they have no Origin.';
const publicClient =
  'Register the app as a public client (token_endpoint_auth_method none), and use PKCE in place of a secret.';

const fromBrowser = (seen: Seen) => seen.at('token').filter(request => request.header('origin') !== undefined);

/** A secret in the body, or a password in `Authorization: Basic` (RFC 6749 §2.3.1). */
function hasSecret(request: RecordedRequest): boolean {
  const [, basic = ''] = /^basic (.+)$/i.exec(request.header('authorization') ?? '') ?? [];
  const [, password = ''] = /:(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  return password !== '' || request.form.has('client_secret') || request.form.has('client_assertion');
}

/** Each authorization request of the app, where its parameters are. */
const asksOf = (seen: Seen) =>
  [...seen.at('par'), ...seen.at('authorize')].filter(request => request.value('response_type') !== undefined);

const secretNames = /[?&#](code|access_token|id_token|refresh_token)=/;

/** Rules of the requests of each app in a browser. */
const requestModules: readonly ExamModule[] = [
  observed({
    id: 'no-secret',
    title: 'The app runs in a browser, and asks for tokens there',
    references: ['RFC 10017 §6.3.3.1', 'RFC 6749 §2.1'],
    gain: 'Everybody who opens the app reads its secret, and asks for tokens in its name.',
    right: 'Sends its client_id alone, and PKCE in place of a secret.',
    mend: publicClient,
    absent: fromServer,
    met: fromBrowser,
    wrong: seen => fromBrowser(seen).filter(hasSecret),
    found: 'The app sent a secret from a browser.',
  }),
  observed({
    id: 'pkce-s256',
    title: 'Each authorization request has a code_challenge with S256',
    references: ['RFC 10017 §6.3.2.1', 'RFC 7636 §4.2'],
    gain: 'Somebody who reads the authorization request and the code (a log, an extension of the browser) gets the tokens.',
    right: 'Sends code_challenge_method=S256, so that the request does not give the verifier away.',
    mend: 'Set code_challenge_method to S256, and leave plain out.',
    absent: noStart,
    met: startsOf,
    wrong: seen => asksOf(seen).filter(request => request.value('code_challenge_method') !== 'S256'),
    found: 'The app sent an authorization request without code_challenge_method=S256.',
  }),
  observed({
    id: 'no-implicit',
    title: 'No token comes in an address',
    references: ['RFC 10017 §7.2', 'RFC 9700 §2.1.2'],
    gain: 'The history of the browser, extensions and other pages read the access token in the address.',
    right: 'Uses response_type=code, and fetches the tokens with the code.',
    mend: 'Set response_type to code; implicit flow is over.',
    absent: noStart,
    met: startsOf,
    wrong: seen => asksOf(seen).filter(request => request.value('response_type')?.split(' ').includes('token')),
    found: 'The app asked for an access token in the redirect.',
  }),
  observed({
    id: 'referrer',
    title: 'The provider is called from the page that got the code',
    references: ['RFC 9700 §4.2.4'],
    gain: 'Each server that the page calls reads the code in Referer, and so do its logs.',
    right: 'Lets the browser send its origin alone as Referer, or nothing.',
    mend: 'Set Referrer-Policy to strict-origin-when-cross-origin or no-referrer, and never to unsafe-url.',
    absent: 'No request of the app has a Referer.',
    met: seen => seen.requests.filter(request => request.header('referer') !== undefined),
    wrong: seen => seen.requests.filter(request => secretNames.test(request.header('referer') ?? '')),
    found: 'The Referer of a request has the code or a token.',
  }),
];

/** The driver tells what only the page knows. */
const fromPage: readonly ExamModule[] = [
  {
    id: 'code-in-address',
    title: 'The sign-in ends with a page of the app',
    references: ['RFC 9700 §4.3.1'],
    gain: 'The history of the browser, a bookmark or a link that is passed on has the code.',
    right: 'Replaces the address of the callback as soon as it has read the code.',
    mend: 'Call history.replaceState (or navigate with replace) at the end of the callback.',
    run: stage => stage.signIn(),
    judge(seen) {
      const url = seen.page?.url;
      if (url === undefined) return notMet(seen, 'The driver does not say the address of the page (page.url).');
      if (seen.believed !== true) return notMet(seen, 'The app did not sign in.');
      const requests = startsOf(seen);
      if (!secretNames.test(url)) return { verdict: 'pass', why: 'The address has no code.', requests };
      return { verdict: 'warn', why: 'The address of the page still has the code or a token.', requests };
    },
  },
  {
    id: 'tokens-in-storage',
    title: 'The page keeps something in localStorage or sessionStorage',
    references: ['RFC 10017 §5.1.1', 'RFC 10017 §8.5'],
    gain: 'A script that gets into the page once takes all tokens along, and uses the refresh token elsewhere.',
    right: 'Keeps tokens in memory or in a worker, or leaves them to a server (backend for frontend).',
    mend: 'Configure the storage of the library as memory, or let a server keep the tokens behind a cookie with HttpOnly.',
    run: stage => stage.signIn(),
    judge(seen) {
      const stored = seen.page?.stored;
      if (stored === undefined) return notMet(seen, 'The driver does not say what the page keeps (page.stored).');
      const met = fromBrowser(seen).filter(({ answer }) => tokensIn(answer).length > 0);
      if (met.length === 0) return notMet(seen, fromServer);
      const kept = met.filter(({ answer }) => tokensIn(answer).some(token => stored.includes(token)));
      if (kept.length === 0) return { verdict: 'pass', why: 'No token is in the storage.', requests: met };
      return { verdict: 'warn', why: 'An access token or a refresh token is in the storage.', requests: kept };
    },
  },
];

function tokensIn({ access_token, refresh_token }: RecordedRequest['answer']): readonly string[] {
  return [access_token, refresh_token].filter(token => typeof token === 'string');
}

/** The redirect of a sign-in, with its code and all else. */
function responseIn(requests: readonly RecordedRequest[]): Readonly<Record<string, string>> | undefined {
  for (const request of requests) {
    const [, query = ''] = /[?#](.*)$/s.exec(request.responseHeader('location') ?? '') ?? [];
    const response = new URLSearchParams(query);
    if (response.has('code')) return Object.fromEntries(response);
  }
  return undefined;
}

/** The browser goes back to the callback with the code of before, as from its history. The way there leads over the provider. */
async function replayed(stage: Stage) {
  const begin = stage.issuer.events.lastId;
  const first = await stage.signIn();
  const endpoint = await stage.endpoint('authorization_endpoint');
  const requests = requestsSince(stage.issuer, begin);
  const change = responseIn(requests);
  const start = requests.find(({ event }) => event.endpoint === 'authorize');
  if (first.believed !== true || change === undefined || start === undefined) return first;
  await stage.arm({ fault: 'changed_parameters', change, times: 1 });
  return stage.check(`${endpoint}?${start.query}`);
}

const codeReplayed: ExamModule = {
  id: 'code-replayed',
  title: 'The browser goes back to the callback, with the code of before',
  references: ['RFC 9700 §4.3.1', 'RFC 6749 §4.1.2'],
  gain: 'A reload, or the button Back, redeems the code again: the provider takes it for an attack and ends all tokens.',
  right: 'Forgets state and verifier as soon as it has read a response, and redeems no code a second time.',
  mend: 'Remove state and verifier from the storage before the code is redeemed.',
  steps: ['check'],
  run: replayed,
  judge(seen) {
    const codes = seen.baited.flatMap(request => responseIn([request])?.code ?? []);
    if (codes.length === 0)
      return notMet(seen, 'The browser did not come back to the callback with the code of before.');
    const again = seen
      .at('token')
      .filter(request => codes.includes(request.value('code') ?? ''))
      .slice(1);
    if (again.length > 0)
      return { verdict: 'fail', why: 'The app redeemed the code a second time.', requests: [...seen.baited, ...again] };
    if (seen.believed === undefined) return untold(seen.baited);
    return { verdict: 'pass', why: 'The app redeemed the code once.', requests: seen.baited };
  },
};

/** Apps whose code runs in a browser, by RFC 10017. */
export const browserApp: ExamPlan = {
  id: 'browser-app',
  title: 'App in a browser',
  about:
    'For each app that fetches tokens in a browser (RFC 10017). It needs --logout and --check for what comes after the sign-in.',
  modules: [baseline, ...requestModules, ...fromPage, codeReplayed, ...browserStateModules],
};
