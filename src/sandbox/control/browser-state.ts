import { decodeJwt } from '../../base/text/jwt.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { TokenResponse } from '../../protocol/tokens/issue-tokens.ts';
import type { Session } from '../../protocol/users/session.ts';
import { createCookies } from '../../server/http/cookies.ts';
import { sessionCookies } from '../../server/http/signin/start-login.ts';

/** A cookie as Playwright has it. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** -1: until the browser is closed. Never a time: the clock of the sandbox need not be the browser's. */
  readonly expires: -1;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Lax' | 'None';
}

/** An entry of a web storage. */
export interface StorageEntry {
  readonly name: string;
  readonly value: string;
}

/** Storage of a browser for one origin. */
export interface BrowserOrigin {
  readonly origin: string;
  /** For applications that keep the user there: oidc-client-ts with a `userStore` of `localStorage`. */
  readonly localStorage: StorageEntry[];
  /** The same, for where oidc-client-ts keeps it by default. Playwright takes no part of it: an init script must. */
  readonly sessionStorage: StorageEntry[];
}

/** Cookies and storage of a browser in which somebody has signed in: a `storageState` of Playwright, whose types want lists that can change. */
export interface BrowserState {
  readonly cookies: BrowserCookie[];
  readonly origins: BrowserOrigin[];
}

/** The browser, with the tokens its application received. */
export interface LoggedInBrowser {
  readonly client: RegisteredClient;
  readonly redirect_uri: string;
  readonly session: Session;
  readonly tokens: TokenResponse;
  /** Claims of UserInfo, where the app has asked for them. */
  readonly userInfo: ParsedObject;
  /** From the authorization response. */
  readonly session_state: string | null;
}

/** Storage of a browser after this sign-in: the cookies of the sandbox, and the stored user of oidc-client-ts. */
export function browserState(server: AuthorizationServer, loggedIn: LoggedInBrowser): BrowserState {
  const { hostname } = new URL(server.issuer);
  const lines = sessionCookies({ server, cookies: createCookies(server.issuer) }, loggedIn.session);
  const { origin } = new URL(loggedIn.redirect_uri);
  const user = [userEntry(server, loggedIn)];
  return {
    cookies: lines.map(line => cookieOf(line, hostname)),
    // an app's own scheme has no origin, and no storage
    origins: origin === 'null' ? [] : [{ origin, localStorage: user, sessionStorage: user }],
  };
}

/** From `Set-Cookie` as we write it. */
function cookieOf(line: string, domain: string): BrowserCookie {
  const [pair = '', ...attributes] = line.split('; ');
  const equals = pair.indexOf('=');
  return {
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    domain,
    path: '/',
    expires: -1,
    httpOnly: attributes.includes('HttpOnly'),
    secure: attributes.includes('Secure'),
    sameSite: attributes.includes('SameSite=None') ? 'None' : 'Lax',
  };
}

/** The key and the text of a `User` of oidc-client-ts 3, with the default prefix and the issuer as `authority`. */
function userEntry({ issuer, wallClock }: AuthorizationServer, loggedIn: LoggedInBrowser): StorageEntry {
  const { client, tokens, session_state, userInfo } = loggedIn;
  const { id_token, access_token, refresh_token, token_type, scope, expires_in } = tokens;
  const value = {
    id_token,
    session_state,
    access_token,
    refresh_token,
    token_type,
    scope,
    // no browser library reads the claims of an encrypted ID token
    profile: profileOf({ ...decodeJwt(id_token ?? '')?.claims, ...userInfo }),
    // by the real time, which the browser's clock shows too, wherever the sandbox's was moved
    expires_at: wallClock() + expires_in,
  };
  return { name: `oidc.user:${issuer}:${client.client_id}`, value: JSON.stringify(value) };
}

/** Claims that oidc-client-ts leaves out of `profile` by default. */
const ofTheProtocol = ['nbf', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash'];

function profileOf(claims: ParsedObject): ParsedObject {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !ofTheProtocol.includes(name)));
}
