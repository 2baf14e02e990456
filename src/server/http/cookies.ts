import type { IncomingMessage } from 'node:http';

/**
 * The cookies of one issuer. Browsers share cookies among the ports of a host, and `__Host-` cookies among its paths, so
 * each issuer has cookie names of its own.
 */
export interface Cookies {
  readonly session: string;
  /** Holds the `sub` of the user who signed in last. */
  readonly lastUser: string;
  /** Identifies a browser in which consents are remembered. */
  readonly browser: string;
  /** Cookie the `check_session_iframe` compares; it changes with each login and is deleted by a logout. */
  readonly browserState: string;
  /** `Set-Cookie` for a value with a lifetime in seconds. */
  set(name: string, value: string, lifetimeSeconds: number): string;
  /** Like `set`, for a value that scripts of this origin may read. */
  setReadable(name: string, value: string, lifetimeSeconds: number): string;
  /** `Set-Cookie` values that delete the session. */
  readonly loggedOut: readonly string[];
  read(req: IncomingMessage, name: string): string | undefined;
}

export function createCookies(issuer: string): Cookies {
  const { protocol } = new URL(issuer);
  const secure = protocol === 'https:';
  // __Host- requires Secure. With TLS, SameSite=None lets an application on another site renew its login silently.
  const prefix = secure ? '__Host-' : '';
  const suffix = cookieSuffix(issuer);
  const flags = secure ? 'Secure; SameSite=None' : 'SameSite=Lax';
  const session = `${prefix}grantbox_session${suffix}`;
  const browserState = `${prefix}grantbox_state${suffix}`;
  const setReadable: Cookies['setReadable'] = (name, value, seconds) =>
    `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; ${flags}`;
  const set: Cookies['set'] = (name, value, seconds) =>
    `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; HttpOnly; ${flags}`;
  return {
    session,
    lastUser: `${prefix}grantbox_last_user${suffix}`,
    browser: `${prefix}grantbox_browser${suffix}`,
    browserState,
    set,
    setReadable,
    loggedOut: [set(session, '', 0), setReadable(browserState, '', 0)],
    read: readCookie,
  };
}

/** Suffix that separates the cookies of issuers on the same host. */
export function cookieSuffix(issuer: string): string {
  const { port, pathname } = new URL(issuer);
  return (port === '' ? '' : `_${port}`) + pathname.replace(/\/$/, '').replaceAll('/', '!');
}

export function readCookie(req: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const header = req.headers.cookie;
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return decode(pair.slice(equals + 1).trim());
  }
  return undefined;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
