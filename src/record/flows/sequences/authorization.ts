import { isOfScript } from '../correlation/flow-kind.ts';
import { refusalOf } from '../correlation/flow-status.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { type Arrow, answers, asks, asksAndGets, type Draw, type Drawing } from './model.ts';
import { redirectOf, redirectTitle } from './parts.ts';
import { callbackArrow, redirectedArrow } from './unseen.ts';

// Draws the pages of a login, up to the answer that goes back through the browser.

/** Draws a pushed authorization request and the `request_uri` it is answered with. */
export const drawPushed: Draw = request =>
  asksAndGets(
    request,
    'client',
    {
      words: 'pushes the authorization request first',
      why: isOfScript(request)
        ? 'A script of the app sends the authorization request to this server first, so that nobody can change it in the address.'
        : 'The client sends the authorization request over the back channel first, so that nobody can read or change it in the browser.',
      reference: 'RFC 9126 §2.1',
    },
    answers(request, 'client', 'request_uri', {
      words: 'returns a reference to the request',
      why: 'The request_uri refers to the whole request, so the browser carries only this reference.',
      reference: 'RFC 9126 §2.2',
    }),
  );

/** Draws an authorization request. The first of a flow also gets the redirect by the app, which this server does not see. */
export const drawAuthorize: Draw = (request, drawing) => {
  const { seen } = drawing;
  const isFirst = !seen.has('authorize');
  const before = isFirst && !seen.has('redirected') && !drawing.flow.incomplete ? [redirectedArrow(drawing)] : [];
  seen.add('redirected').add('authorize');
  if (request.fact('login.succeeded') !== undefined) seen.add('login');
  const answer = answerArrows(request, drawing);
  const asked = asks(request, 'browser', {
    words: authorizeWords(request, isFirst, answer.length > 0),
    why: isFirst
      ? "The browser brings the app's request: the client, the scopes and the redirect URI. This server checks client and redirect URI first, so that no browser is redirected to an unknown address."
      : 'A page of this server sends the same request again, now with a session. Only this endpoint issues codes, and it checks everything once more.',
    reference: request.value('request_uri') === undefined ? 'RFC 6749 §4.1.1' : 'RFC 9126 §4',
  });
  return [...before, ...answered(asked, answer)];
};

function answered(asked: Arrow, answer: readonly Arrow[]): readonly Arrow[] {
  return [answer.length > 0 ? { ...asked, part: 'request' } : asked, ...answer];
}

function authorizeWords(request: RecordedRequest, isFirst: boolean, isAnswered: boolean): string {
  if (request.event.endpoint === 'authorize' && request.event.status === 303) return 'is redirected to a GET';
  if (refusalOf(request)?.form === 'page') return 'is refused with an error page, without a redirect';
  if (!isAnswered) {
    const page = isConsentPage(request) ? 'the consent page' : 'the sign-in page';
    return isFirst ? `requests a sign-in and gets ${page}` : `sends the request again and gets ${page}`;
  }
  const login = request.fact('login.succeeded');
  if (login !== undefined) return `requests a sign-in; ${login.sub} is signed in automatically`;
  if (refusalOf(request) !== undefined) {
    return isFirst ? 'requests a sign-in; the request is refused' : 'sends the request again; it is refused';
  }
  return isFirst
    ? 'requests a sign-in; the browser already has a session'
    : 'sends the request again, now with a session';
}

function isConsentPage({ event }: RecordedRequest): boolean {
  return event.exchange.responseBody?.text.includes('data-testid="consent-allow"') ?? false;
}

export const drawLogin: Draw = (request, drawing) => {
  const answer = answerArrows(request, drawing);
  drawing.seen.add('login');
  const asked = asks(request, 'browser', {
    words: loginWords(request),
    why: 'The user signs in. This starts a session, which a cookie identifies, and the browser returns to the authorization endpoint. The sign-in page issues no code.',
    reference: 'OIDC Core §3.1.2.3',
  });
  return answered(asked, answer);
};

/** Says what the user did on the login page. */
export function loginWords(request: RecordedRequest): string {
  const login = request.fact('login.succeeded');
  if (login !== undefined) {
    return login.by === 'password'
      ? `sign-in page: ${login.sub} signed in with a password`
      : `sign-in page: the user picked ${login.sub}`;
  }
  const replaced = request.fact('answer.replaced');
  if (replaced !== undefined) return `sign-in page: the user chose ${replacements[replaced.choice]}`;
  const refusal = refusalOf(request);
  if (refusal === undefined)
    return request.event.status === 200
      ? 'sign-in page: shown again'
      : 'sign-in page: the user continued with the current session';
  if (refusal.reason === 'user_denied') return 'sign-in page: the user pressed Deny';
  return refusal.reason === 'login_failed'
    ? 'sign-in page: sign-in failed'
    : `sign-in page: the user chose the error ${refusal.error}`;
}

const replacements = { no_answer: 'no response', wrong_state: 'a response with a wrong state' } as const;

export const drawConsent: Draw = (request, drawing) => {
  const asked = asks(request, 'browser', {
    words: consentWords(request),
    why: 'The user decides what the app may do. Only ticked permissions are granted.',
    reference: 'OIDC Core §3.1.2.4',
  });
  return answered(asked, answerArrows(request, drawing));
};

function consentWords(request: RecordedRequest): string {
  const granted = request.fact('consent.granted');
  if (granted !== undefined) return `consent page: ${granted.sub} allowed ${granted.scope ?? 'no scope'}`;
  return request.fact('consent.denied') === undefined ? 'consent page' : 'consent page: the user pressed Deny';
}

/** The redirect with the answer, and the callback, which this server does not see; empty for an answer without a redirect. */
function answerArrows(request: RecordedRequest, { seen, flow }: Drawing): Arrow[] {
  const redirect = redirectOf(request);
  if (redirect === undefined) return [];
  seen.add('answered');
  if (request.fact('token.issued') !== undefined) seen.add('tokens');
  const names = new Map(redirect.parameters);
  const error = names.get('error');
  const told =
    error === undefined
      ? { words: answerWords(names, flow.kind), why: answerWhy(names), reference: answerReference(names) }
      : {
          words: `reports ${error} to the app`,
          why: 'Client and redirect URI are valid, so the error goes to the app, at its redirect URI.',
          reference: 'RFC 6749 §4.1.2.1',
        };
  const answer = answers(request, 'browser', redirectTitle(redirect), told);
  return [{ ...answer, onwardTo: 'client' }, callbackArrow(redirect)];
}

function answerWords(names: ReadonlyMap<string, string>, kind: string): string {
  if (names.has('response')) return 'returns a signed response';
  if (names.has('code')) return kind === 'hybrid' ? 'returns a code and tokens' : 'returns a code';
  return names.has('access_token') || names.has('id_token') ? 'returns tokens' : 'returns to the app';
}

function answerWhy(names: ReadonlyMap<string, string>): string {
  if (names.has('access_token') || names.has('id_token')) {
    return 'The tokens pass through the browser, where history, extensions and scripts can read them. OAuth 2.1 removed this flow for that reason.';
  }
  return 'The code passes through the browser, where others may read it. A stolen code is useless: it works once, and only with proof that the same app redeems it.';
}

function answerReference(names: ReadonlyMap<string, string>): string {
  if (names.has('code')) return names.has('id_token') ? 'OIDC Core §3.3.2.5' : 'RFC 6749 §4.1.2';
  return names.has('access_token') || names.has('id_token') ? 'OIDC Core §3.2.2.5' : 'RFC 6749 §4.1.2';
}
