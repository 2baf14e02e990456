import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { isFinal, refusalOf, staysHere } from './flow-status.ts';
import { digest } from './handles.ts';

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

interface LooseRequest {
  readonly request: RecordedRequest;
  readonly mark: BrowserMark;
}

const most = 200;
/** Seconds a user may take from opening the page to typing the code. */
const patience = 600;
/** The most seconds between a preflight and its request. There is none if the browser cached an earlier preflight. */
const preflightPatience = 30;

/** Pages on which a user decides. Before the code is typed, a request for them belongs to no flow. */
const decisionPages: Readonly<Record<string, string>> = { device_verification: 'device', approvals: 'approvals' };

/** Keeps CORS preflights (Fetch §4.8) and requests for decision pages until a later request shows their flow. */
export function createLooseRequests() {
  let kept: LooseRequest[] = [];

  return {
    keep(request: RecordedRequest, mark: BrowserMark): void {
      kept.push({ request, mark });
      if (kept.length > most) kept.shift();
    },
    take(request: RecordedRequest, mark: BrowserMark): { request: RecordedRequest; rule: JoinRule }[] {
      if (kept.length === 0) return [];
      const taken = kept.filter(loose => belongs(loose, request, mark));
      kept = kept.filter(loose => !taken.includes(loose) && request.event.at - loose.request.event.at <= patience);
      return taken.map(loose => ({
        request: loose.request,
        rule: likenessOf(loose.mark, mark) === 'same session' ? 'session' : 'inferred',
      }));
    },
    clear() {
      kept = [];
    },
  };
}

function belongs(
  { request: loose, mark: looseMark }: LooseRequest,
  request: RecordedRequest,
  mark: BrowserMark,
): boolean {
  const likeness = likenessOf(looseMark, mark);
  if (likeness === 'other' || likeness === 'unknown') return false;
  if (loose.event.method === 'OPTIONS') return isPreflightOf(loose, request);
  const purpose = decisionPages[request.event.endpoint];
  return purpose !== undefined && purpose === purposeOf(loose);
}

function isPreflightOf(preflight: RecordedRequest, request: RecordedRequest): boolean {
  const { event } = request;
  return (
    preflight.event.path === event.path &&
    preflight.header('access-control-request-method') === event.method &&
    preflight.header('origin') === request.header('origin') &&
    event.at - preflight.event.at <= preflightPatience
  );
}

/** `device` or `approvals`, if the request is for that decision page or its login; otherwise undefined. */
export function purposeOf({ event: { endpoint, path } }: RecordedRequest): string | undefined {
  if (endpoint !== 'login') return decisionPages[endpoint];
  return Object.values(decisionPages).find(purpose => path.endsWith(`/login/${purpose}`));
}

/** The features of a request that distinguish browsers. */
export interface BrowserMark {
  readonly ip: string;
  readonly agent: string;
  /** The whole `Cookie` header. */
  readonly cookies: string;
  /** The value of the session cookie; absent without one. */
  readonly session?: string;
}

/** How likely two requests come from the same browser. `other`: their sessions differ, so they do not. */
type Likeness = 'other' | 'unknown' | 'same caller' | 'same cookies' | 'same session';

const order: readonly Likeness[] = ['other', 'unknown', 'same caller', 'same cookies', 'same session'];

const sessionName = /^(?:__Host-)?grantbox_session/;

/** Reads marks. The session cookie has a different name for each issuer; the name is learned when a login first sets the cookie. */
export function createBrowserMarks() {
  let name: string | undefined;

  function of(request: RecordedRequest): BrowserMark {
    const session = name === undefined ? undefined : request.cookie(name);
    return {
      ip: request.ip,
      agent: request.header('user-agent') ?? '',
      cookies: request.header('cookie') ?? '',
      session,
    };
  }

  return {
    of,
    /** The mark of the browser after the answer, which may have set a new session. */
    after(request: RecordedRequest): BrowserMark {
      if (request.responseHeader('set-cookie') === undefined) return of(request);
      const set = request.cookiesSet;
      name ??= set.find(([each]) => sessionName.test(each))?.[0];
      const session = set.find(([each]) => each === name)?.[1];
      return session === undefined || session === '' ? of(request) : { ...of(request), session };
    },
  };
}

function likenessOf(a: BrowserMark, b: BrowserMark): Likeness {
  if (a.session !== undefined && b.session !== undefined) return a.session === b.session ? 'same session' : 'other';
  if (a.ip !== b.ip || a.agent !== b.agent) return 'unknown';
  return a.cookies !== '' && a.cookies === b.cookies ? 'same cookies' : 'same caller';
}

/** The things whose marks are most alike to `mark`; empty if every session differs. */
export function mostLike<T>(things: readonly T[], markOf: (thing: T) => BrowserMark, mark: BrowserMark) {
  const rated = things.map(thing => ({ thing, likeness: likenessOf(markOf(thing), mark) }));
  const best = Math.max(0, ...rated.map(({ likeness }) => order.indexOf(likeness)));
  const alike = rated.filter(({ likeness }) => order.indexOf(likeness) === best);
  const likeness = order[best] ?? 'other';
  return { likeness, alike: likeness === 'other' ? [] : alike.map(({ thing }) => thing) };
}
