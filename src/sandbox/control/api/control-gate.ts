import { hash, scrypt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalidToken, OAuthError } from '../../../protocol/errors.ts';
import { sameSecret } from '../../../protocol/random.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';

/** Guards the control API and the dashboard where `CONTROL_TOKEN` is set. Never reveals the token that was sent. */
export type ControlGate = ReturnType<typeof createControlGate>;

/** Lets in others than those who know the token. */
export interface Guard {
  readonly token: string;
  admits(req: IncomingMessage): boolean;
  /** The path to which a browser is sent that may not enter. Default: it gets a form for the token. */
  readonly elsewhere?: string;
  /** The page that a browser gets at the root, below the path of the issuer. Default: the dashboard. */
  readonly home?: string;
}

export interface ControlGateOptions extends Omit<Guard, 'admits'> {
  readonly issuer: string;
  readonly admits?: Guard['admits'];
  /** Milliseconds that only go forward. */
  readonly monotonic?: () => number;
}

const thirtyDays = 2_592_000;

export function createControlGate(options: ControlGateOptions) {
  const { token, issuer, admits = () => false, elsewhere, monotonic } = options;
  const { protocol, pathname } = new URL(issuer);
  const name = `grantbox_control${cookieSuffix(issuer)}`;
  // Lax and not Strict: the error_uri on a page of another site leads to the dashboard
  const flags = `Path=${pathname.replace(/\/$/, '')}/dashboard; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  const guesses = createGuesses(monotonic);
  let made: Promise<string> | undefined;
  const value = () => {
    made ??= derived(token, issuer);
    return made;
  };

  /** @throws invalid_token; temporarily_unavailable with 429 after too many different wrong ones of an address */
  function check(req: IncomingMessage, sent: string): void {
    const address = req.socket.remoteAddress ?? '';
    guesses.refuseTooMany(address);
    if (sameSecret(sent, token)) return;
    guesses.count(address, sent);
    throw wrongToken(req);
  }

  return {
    /**
     * Lets in who sends `Authorization: Bearer` with the token.
     * @throws as `check`
     */
    requireToken(req: IncomingMessage): void {
      if (admits(req)) return;
      const sent = /^bearer +(.+)$/i.exec(req.headers.authorization?.trim() ?? '')?.[1];
      if (sent === undefined) throw noToken(req);
      check(req, sent);
    },
    /** Accepts only the token, for a program that sends it as a password. */
    requireTyped: check,
    /** True if the browser has the cookie of `signIn`. */
    async isSignedIn(req: IncomingMessage): Promise<boolean> {
      if (admits(req)) return true;
      const sent = readCookie(req, name);
      return sent !== undefined && sameSecret(sent, await value());
    },
    /** The `Set-Cookie` for a browser in which somebody typed the token. */
    async signIn(req: IncomingMessage, typed: string): Promise<string> {
      check(req, typed);
      return `${name}=${await value()}; Max-Age=${thirtyDays}; ${flags}`;
    },
    /** The `Set-Cookie` that takes it back. */
    signOut: `${name}=; Max-Age=0; ${flags}`,
    /** The path to which a browser is sent that may not enter. */
    elsewhere,
  };
}

/**
 * Derives the cookie from the token, so that it ends with the token and outlives a restart. Slow on purpose: browsers
 * send a cookie to every port of a host, and somebody who gets hold of one must not be able to guess tokens quickly.
 */
function derived(token: string, issuer: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(token, `grantbox dashboard ${issuer}`, 32, (error, key) => {
      if (error === null) resolve(key.toString('base64url'));
      else reject(error);
    });
  });
}

const expected = 'Authorization: Bearer, and the value of CONTROL_TOKEN';
const realm = 'Bearer realm="grantbox control"';

function noToken({ headers }: IncomingMessage) {
  return invalidToken('control_token_missing', 'CONTROL_TOKEN is set, but no token was sent', {
    sent: headers.authorization === undefined ? 'no Authorization header' : 'a header with a different value',
    expected,
    headers: { 'WWW-Authenticate': realm },
  });
}

function wrongToken({ headers }: IncomingMessage) {
  return invalidToken('control_token_wrong', 'this is not the CONTROL_TOKEN', {
    sent: headers.authorization === undefined ? 'a form with a different value' : 'a header with a different value',
    expected,
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token"` },
  });
}

const mostWrong = 20;
/** Most networks whose wrong tokens are remembered for the rest of the minute. */
const mostNetworks = 10_000;
const aMinute = 60_000;

/**
 * Wrong tokens by address. The same one again is no guess: a script with an old token locks nobody out. `monotonic`: milliseconds
 * that only go forward, so that no clock that is set back or frozen makes a minute longer.
 */
function createGuesses(monotonic: () => number = () => performance.now()) {
  const wrong = new Map<string, Set<string>>();
  let end = 0;

  function ofMinute(address: string): Set<string> {
    if (monotonic() >= end) {
      wrong.clear();
      end = monotonic() + aMinute;
    }
    return wrong.get(networkOf(address)) ?? new Set();
  }
  return {
    /** @throws temporarily_unavailable with 429 until the minute is over, even for the right token */
    refuseTooMany(address: string): void {
      if (ofMinute(address).size < mostWrong) return;
      throw new OAuthError('temporarily_unavailable', 'rate_limited', 'too many wrong tokens from this address', {
        status: 429,
        sent: `${mostWrong} different wrong tokens in this minute`,
        expected: `at most ${mostWrong} a minute`,
        headers: { 'Retry-After': String(Math.ceil((end - monotonic()) / 1000)) },
      });
    },
    count(address: string, sent: string): void {
      const known = ofMinute(address);
      const network = networkOf(address);
      const [oldest] = wrong.size >= mostNetworks && !wrong.has(network) ? wrong.keys() : [];
      if (oldest !== undefined) wrong.delete(oldest);
      wrong.set(network, known.add(hash('sha256', sent)));
    },
  };
}

/** One machine has all addresses of an IPv6 network to itself. */
function networkOf(address: string): string {
  return address.includes('.') ? address : address.split(':').slice(0, 4).join(':');
}
