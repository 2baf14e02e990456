import { defined } from '../../../base/defined.ts';
import type { RecordedRequest } from '../recorded-request.ts';

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

/** The weakest likeness first. */
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
      ...defined({ session }),
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

export function likenessOf(a: BrowserMark, b: BrowserMark): Likeness {
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
