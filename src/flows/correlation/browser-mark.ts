import { defined } from '../../defined.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** What tells one browser from another, as far as a request shows it. */
export interface BrowserMark {
  readonly ip: string;
  readonly agent: string;
  /** The whole header. */
  readonly cookies: string;
  /** The value of the session cookie; absent where there is none. */
  readonly session?: string;
}

/** How much two requests look like one browser; `other` where a session says that they are not. */
export type Likeness = 'other' | 'unknown' | 'same caller' | 'same cookies' | 'same session';

/** Weakest first. */
const order: readonly Likeness[] = ['other', 'unknown', 'same caller', 'same cookies', 'same session'];

const sessionName = /^(?:__Host-)?grantbox_session/;

/** Reads marks; the name of the session cookie is that of the issuer, and learned when a login first sets one. */
export function createBrowserMarks() {
  let name: string | undefined;
  /** The same request is looked at several times in a row. */
  let last: { readonly request: RecordedRequest; readonly mark: BrowserMark } | undefined;

  function markOf(request: RecordedRequest): BrowserMark {
    const session = name === undefined ? undefined : request.cookie(name);
    return {
      ip: request.ip,
      agent: request.header('user-agent') ?? '',
      cookies: request.header('cookie') ?? '',
      ...defined({ session }),
    };
  }

  function of(request: RecordedRequest): BrowserMark {
    if (last?.request !== request) last = { request, mark: markOf(request) };
    return last.mark;
  }

  return {
    of,
    /** The same browser after the answer, which may have given it another session. */
    after(request: RecordedRequest): BrowserMark {
      if (request.responseHeader('set-cookie') === undefined) return of(request);
      const set = request.cookiesSet;
      name ??= set.find(([each]) => sessionName.test(each))?.[0];
      const session = set.find(([each]) => each === name)?.[1];
      return session === undefined || session === '' ? of(request) : { ...of(request), session };
    },
  };
}

export function likenessOf(a: BrowserMark, b: BrowserMark): Likeness {
  if (a.session !== undefined && b.session !== undefined) return a.session === b.session ? 'same session' : 'other';
  if (a.ip !== b.ip || a.agent !== b.agent) return 'unknown';
  return a.cookies !== '' && a.cookies === b.cookies ? 'same cookies' : 'same caller';
}

/** The things that look most like it, whatever they are; none where a session rules all of them out. */
export function mostLike<T>(things: readonly T[], markOf: (thing: T) => BrowserMark, mark: BrowserMark) {
  const rated = things.map(thing => ({ thing, likeness: likenessOf(markOf(thing), mark) }));
  const best = Math.max(0, ...rated.map(({ likeness }) => order.indexOf(likeness)));
  const alike = rated.filter(({ likeness }) => order.indexOf(likeness) === best);
  const likeness = order[best] ?? 'other';
  return { likeness, alike: likeness === 'other' ? [] : alike.map(({ thing }) => thing) };
}
