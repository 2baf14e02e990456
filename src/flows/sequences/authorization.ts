import { isOfScript } from '../correlation/flow-kind.ts';
import { refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { answers, asks, asksAndGets } from './arrows.ts';
import type { Arrow, Draw, Drawing } from './model.ts';
import { redirectOf, redirectTitle } from './redirect.ts';
import { callbackArrow, redirectedArrow } from './unseen.ts';

// The pages of a login, up to the answer that goes back through the browser.

export const drawPushed: Draw = request =>
  asksAndGets(
    request,
    'client',
    {
      words: 'hands in its request beforehand',
      why: isOfScript(request)
        ? 'The app sends its request to this server first, by a script in the browser, so that nobody can change it in the address.'
        : 'The client sends its request over the back channel first, so that nobody can read or change it in the browser.',
      reference: 'RFC 9126 §2.1',
    },
    answers(request, 'client', 'request_uri', {
      words: 'gives an address for it',
      why: 'The request_uri stands for the whole request. The browser carries only that.',
      reference: 'RFC 9126 §2.2',
    }),
  );

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
      ? "The browser brings the app's request: who asks, for what, and where the answer goes. Client and redirect URI are checked before anything else, so that nobody is sent to a stranger."
      : 'The same request comes again from a page of ours, now with a session. Only this endpoint issues codes, and it checks everything once more.',
    reference: request.value('request_uri') === undefined ? 'RFC 6749 §4.1.1' : 'RFC 9126 §4',
  });
  return [...before, ...answered(asked, answer)];
};

/** What was asked, without its answer where that is drawn besides. */
function answered(asked: Arrow, answer: readonly Arrow[]): readonly Arrow[] {
  return [answer.length > 0 ? { ...asked, part: 'request' } : asked, ...answer];
}

function authorizeWords(request: RecordedRequest, isFirst: boolean, isAnswered: boolean): string {
  if (request.event.endpoint === 'authorize' && request.event.status === 303) return 'is turned into a GET';
  if (refusalOf(request)?.form === 'page') return 'is refused with a page, and nobody is redirected';
  if (!isAnswered) {
    const page = isConsentPage(request) ? 'the consent page' : 'the login page';
    return isFirst ? `asks for a login and gets ${page}` : `asks again and gets ${page}`;
  }
  const login = request.fact('login.succeeded');
  if (login !== undefined) return `asks for a login; ${login.sub} signs in without a click`;
  return isFirst ? 'asks for a login; there is a session already' : 'asks again, now with a session';
}

function isConsentPage({ event }: RecordedRequest): boolean {
  return event.exchange.responseBody?.text.includes('data-testid="consent-allow"') ?? false;
}

export const drawLogin: Draw = (request, drawing) => {
  const answer = answerArrows(request, drawing);
  drawing.seen.add('login');
  const asked = asks(request, 'browser', {
    words: loginWords(request),
    why: 'The user says who they are. That starts a session, kept by a cookie, and leads back to the authorization endpoint. No code is made here.',
    reference: 'OIDC Core §3.1.2.3',
  });
  return answered(asked, answer);
};

/** What was done on the login page. */
export function loginWords(request: RecordedRequest): string {
  const login = request.fact('login.succeeded');
  if (login !== undefined) {
    return login.by === 'password' ? `login page: ${login.sub}, with a password` : `login page: picked ${login.sub}`;
  }
  const replaced = request.fact('answer.replaced');
  if (replaced !== undefined) return `login page: wants ${replacements[replaced.choice]}`;
  const refusal = refusalOf(request);
  if (refusal === undefined)
    return request.event.status === 200 ? 'login page: looks again' : 'login page: goes on as before';
  if (refusal.reason === 'user_denied') return 'login page: pressed Deny';
  return refusal.reason === 'login_failed'
    ? 'login page: could not sign in'
    : `login page: wants ${refusal.error} in place of an answer`;
}

const replacements = { no_answer: 'no answer', wrong_state: 'an answer with a wrong state' } as const;

export const drawConsent: Draw = (request, drawing) => {
  const asked = asks(request, 'browser', {
    words: consentWords(request),
    why: 'The user says what the app may have. What is not ticked is not granted.',
    reference: 'OIDC Core §3.1.2.4',
  });
  return answered(asked, answerArrows(request, drawing));
};

function consentWords(request: RecordedRequest): string {
  const granted = request.fact('consent.granted');
  if (granted !== undefined) return `consent page: ${granted.sub} allowed ${granted.scope ?? 'nothing'}`;
  return request.fact('consent.denied') === undefined ? 'consent page' : 'consent page: pressed Deny';
}

/** What goes back to the application, and that nobody sees it arrive; none for an answer that stays here. */
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
          words: `tells the app ${error}`,
          why: 'Client and redirect URI are good, so the app is told of the refusal, at its own address.',
          reference: 'RFC 6749 §4.1.2.1',
        };
  const answer = answers(request, 'browser', redirectTitle(redirect), told);
  return [{ ...answer, onwardTo: 'client' }, callbackArrow(redirect)];
}

function answerWords(names: ReadonlyMap<string, string>, kind: string): string {
  if (names.has('response')) return 'brings a signed answer back';
  if (names.has('code')) return kind === 'hybrid' ? 'brings a code and tokens back' : 'brings a code back';
  return names.has('access_token') || names.has('id_token') ? 'brings tokens back' : 'goes back to the app';
}

function answerWhy(names: ReadonlyMap<string, string>): string {
  if (names.has('access_token') || names.has('id_token')) {
    return 'Tokens go through the browser, where history, extensions and scripts may see them: that is why OAuth 2.1 has removed this.';
  }
  return 'The code goes through the browser, which may lose it to others. So it is worth nothing alone: it works once, and only with what proves that the same app redeems it.';
}

function answerReference(names: ReadonlyMap<string, string>): string {
  if (names.has('code')) return names.has('id_token') ? 'OIDC Core §3.3.2.5' : 'RFC 6749 §4.1.2';
  return names.has('access_token') || names.has('id_token') ? 'OIDC Core §3.2.2.5' : 'RFC 6749 §4.1.2';
}
