import type { IncomingMessage } from 'node:http';

/** The cookies of one sandbox. Browsers do not keep ports apart, so the names do. */
export interface Cookies {
  readonly session: string;
  /** The `sub` of who signed in last. */
  readonly lastUser: string;
  /** `Set-Cookie` for a value that lives so many seconds. */
  set(name: string, value: string, lifetimeSeconds: number): string;
  read(req: IncomingMessage, name: string): string | undefined;
}

export function createCookies(issuer: string): Cookies {
  const { protocol, port } = new URL(issuer);
  const secure = protocol === 'https:';
  // __Host- needs Secure, and SameSite=None lets a silent renew of another site work where there is TLS
  const prefix = secure ? '__Host-' : '';
  const suffix = port === '' ? '' : `_${port}`;
  const flags = secure ? 'Secure; SameSite=None' : 'SameSite=Lax';
  return {
    session: `${prefix}grantbox_session${suffix}`,
    lastUser: `${prefix}grantbox_last_user${suffix}`,
    set: (name, value, seconds) =>
      `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; HttpOnly; ${flags}`,
    read: readCookie,
  };
}

function readCookie(req: IncomingMessage, name: string): string | undefined {
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
