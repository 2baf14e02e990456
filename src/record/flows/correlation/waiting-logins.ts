import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { type BrowserMark, mostLike } from './browser-mark.ts';
import { staysHere } from './flow-status.ts';
import { digest } from './handles.ts';
import { isFinal, refusalOf } from './refusals.ts';

/** A pending authorization request, which the browser takes to the login page, the consent page and back. */
export interface WaitingLogin<T> {
  readonly flow: T;
  readonly key: string;
  mark: BrowserMark;
  /** The browser was redirected to the authorization endpoint with the same request. */
  comesBack: boolean;
  isAnswered: boolean;
}

interface Logins<T> {
  /** The oldest login first. */
  readonly waiting: WaitingLogin<T>[];
  /** Number of answered logins with the same request. Above 0, the request does not identify one login. */
  answered: number;
}

/** The most pending logins with the same request. Without `state`, all logins of a client have the same request. */
const mostWaiting = 50;

/**
 * Pending logins by their whole authorization request, which the server passes from page to page in the URL. If several browsers have
 * the same request, because the client sends no `state`, the session decides, then the likeness of the browsers.
 */
export function createWaitingLogins<T>() {
  const byKey = new Map<string, Logins<T>>();

  function find(request: RecordedRequest, mark: BrowserMark): { login: WaitingLogin<T>; rule: JoinRule } | undefined {
    const logins = byKey.get(keyOf(request));
    if (logins === undefined) return undefined;
    const { waiting } = logins;
    const near = waiting.filter(login => (isAnswerOfUser(request) ? isShownTo(login, mark) : isSentOnTo(login, mark)));
    return chosen(request, near, mark) ?? (isOneLogin(request, logins) ? chosen(request, waiting, mark) : undefined);
  }

  function drop(login: WaitingLogin<T>): void {
    const logins = byKey.get(login.key);
    const index = logins?.waiting.indexOf(login) ?? -1;
    if (index !== -1) logins?.waiting.splice(index, 1);
  }

  return {
    find,
    /** Updates a login with one of its requests. */
    note(flow: T, request: RecordedRequest, mark: BrowserMark, known?: WaitingLogin<T>): WaitingLogin<T> {
      const login = known ?? { flow, key: keyOf(request), mark, comesBack: false, isAnswered: false };
      const logins = byKey.get(login.key) ?? { waiting: [], answered: 0 };
      byKey.set(login.key, logins);
      if (known === undefined) logins.waiting.push(login);
      if (logins.waiting.length > mostWaiting) logins.waiting.shift();
      login.mark = mark;
      login.comesBack = staysHere(request);
      if (!login.isAnswered && isAnswered(request)) {
        login.isAnswered = true;
        logins.answered++;
        drop(login);
      }
      return login;
    },
    forget(login: WaitingLogin<T>): void {
      drop(login);
      const logins = byKey.get(login.key);
      if (logins === undefined) return;
      if (login.isAnswered) logins.answered--;
      if (logins.answered === 0 && logins.waiting.length === 0) byKey.delete(login.key);
    },
    clear: () => byKey.clear(),
  };
}

/** Whether the request is a form of the login or the consent page. */
function isAnswerOfUser({ event: { method, endpoint } }: RecordedRequest): boolean {
  return method === 'POST' && endpoint !== 'authorize';
}

/** Whether the page was shown to this browser: with the same session, or without one in both cases. */
function isShownTo<T>({ comesBack, mark }: WaitingLogin<T>, { session }: BrowserMark): boolean {
  return !comesBack && mark.session === session;
}

/** Whether the browser may be the redirected one: it has the same session, or had none before. */
function isSentOnTo<T>({ comesBack, mark }: WaitingLogin<T>, { session }: BrowserMark): boolean {
  return comesBack && (mark.session === undefined || mark.session === session);
}

function chosen<T>(request: RecordedRequest, waiting: readonly WaitingLogin<T>[], mark: BrowserMark) {
  const { likeness, alike } = mostLike(waiting, login => login.mark, mark);
  const [login] = alike;
  if (login === undefined) return undefined;
  const isSure = alike.length === 1 || likeness === 'same session';
  return { login, rule: isSure ? surest(request, likeness === 'same session') : ('inferred' as const) };
}

function surest(request: RecordedRequest, isSameSession: boolean): JoinRule {
  if (own.some(name => request.value(name) !== undefined)) return 'state';
  return isSameSession ? 'session' : 'inferred';
}

/** Parameters that a client generates for each request, so that no two requests are the same (RFC 6749 §10.12, OIDC Core §3.1.2.1). */
const own = ['state', 'nonce', 'code_challenge', 'request'] as const;
const longEnough = 16;

/** Whether a repeated request is a reload of one login, because it has a unique value or an explicit reload header. */
function isOneLogin<T>(request: RecordedRequest, { answered }: Logins<T>): boolean {
  if (answered > 0) return false;
  const isOwn = ['state', 'nonce'].some(name => (request.value(name)?.length ?? 0) >= longEnough);
  return isOwn || /max-age=0|no-cache/.test(request.header('cache-control') ?? '');
}

/** Whether the login has ended with a code, tokens, a final refusal or a replaced answer. */
function isAnswered(request: RecordedRequest): boolean {
  const refusal = refusalOf(request);
  if (refusal !== undefined && isFinal(refusal)) return true;
  return request.facts.some(({ type }) => ['code.issued', 'token.issued', 'answer.replaced'].includes(type));
}

/** A hash of the authorization request, independent of the order of parameters. Fields of the login forms are left out. */
function keyOf({ event, query, form }: RecordedRequest): string {
  const isForm = event.endpoint === 'authorize' && event.method === 'POST';
  const pairs = [...query, ...(isForm ? form : [])].map(pair => pair.join('=')).sort();
  return digest(pairs.join('\n'));
}
