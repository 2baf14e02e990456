import { createHash, randomBytes } from 'node:crypto';
import { recordIn } from '../../base/text/record.ts';
import { type CookieJar, cookieHeader, keepCookies } from '../../server/wire/cookie-jar.ts';
import { type Answered, jsonPost } from './ask.ts';
import { CommandFailure } from './command.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discovery.ts';
import { controlRefusal, redirectedRefusal, refusalOf } from './refused.ts';
import { endpointIn, reachable } from './token-request.ts';

/** The login of a user at a client, without a browser. */
export interface UserLogin {
  readonly client_id: string;
  /** `sub`, username or e-mail. */
  readonly user: string;
  readonly redirect_uri: string;
  /** Further parameters of the authorization request, such as `scope`. */
  readonly parameters: Readonly<Record<string, string>>;
}

const mostRedirects = 10;

/** Advice by error code. */
const advice: Readonly<Record<string, string>> = {
  invalid_redirect_uri: 'Use --redirect-uri with a registered redirect URI of the client.',
  unauthorized_client: 'A client with a secret can get a token for itself without --user.',
};

/**
 * Signs the user in at the authorization endpoint with a cookie jar and PKCE, as a browser would, and reads the code from the
 * redirect to the redirect URI, which it never calls. `sandbox_login` applies to this one request only, so two logins at the
 * same time do not mix up their users. If the client asks for consent, `POST /_sandbox/next-login` gives it.
 * @throws CommandFailure with the error of the sandbox
 */
export async function loginWithoutBrowser(connection: Connection, metadata: Metadata, login: UserLogin) {
  const sent = { code_verifier: randomBytes(32).toString('base64url'), state: randomBytes(16).toString('base64url') };
  const url = authorizationUrl(connection, metadata, login, sent);
  let arrived = await visit(connection, metadata, url, login.redirect_uri);
  if (arrived.back === undefined && arrived.page.status === 200) {
    await approveNext(connection, login);
    // without the first cookies, because that session is already on the consent page of this request
    arrived = await visit(connection, metadata, url, login.redirect_uri);
  }
  if (arrived.back === undefined) throw notBack(login, arrived.page);
  const parameters = arrived.back.searchParams;
  if (parameters.has('error')) {
    const invalid_request = `Check --user: it takes the sub, username or e-mail of a user, and its value was ${JSON.stringify(login.user)}.`;
    throw redirectedRefusal('the authorization endpoint', parameters, { ...advice, invalid_request });
  }
  const code = parameters.get('code');
  if (code === null) throw new CommandFailure(`the login came back to ${login.redirect_uri} without a code`);
  if (parameters.get('state') !== sent.state)
    throw new CommandFailure('the login returned a different state than the one sent, so the code was not redeemed');
  return { code, code_verifier: sent.code_verifier, redirect_uri: login.redirect_uri };
}

function authorizationUrl(
  connection: Connection,
  metadata: Metadata,
  { client_id, redirect_uri, user, parameters }: UserLogin,
  { code_verifier, state }: { readonly code_verifier: string; readonly state: string },
): URL {
  const url = endpointIn(connection, metadata, 'authorization_endpoint');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const request = {
    response_type: 'code',
    client_id,
    redirect_uri,
    state,
    ...parameters,
    code_challenge,
    code_challenge_method: 'S256',
    sandbox_login: user,
  };
  for (const [name, value] of Object.entries(request)) url.searchParams.set(name, value);
  return url;
}

/** The end of a visit: the redirect URI, or a page or an error of the sandbox. */
type Arrival =
  | { readonly back: URL; readonly page?: undefined }
  | { readonly back?: undefined; readonly page: Answered };

/** Follows redirects up to the redirect URI. The cookie jar lives for one visit only. */
async function visit(connection: Connection, metadata: Metadata, start: URL, redirectUri: string): Promise<Arrival> {
  const jar: CookieJar = new Map();
  let url = start;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    // JSON instead of the HTML error page
    const headers = { Accept: 'application/json', ...cookieHeader(jar) };
    const answered = await connection.ask(url, { headers });
    keepCookies(jar, answered.headers['set-cookie']);
    const next = locationOf(answered, url);
    if (next === undefined) return { page: answered };
    if (isBackAt(next, redirectUri)) return { back: next };
    url = reachable(connection, metadata, next);
    // a redirect to a different server must not get the cookies
    if (url.origin !== start.origin)
      throw new CommandFailure(`the login leads to ${url.origin}, not back to ${redirectUri}`);
  }
  throw new CommandFailure(`the login did not end within ${mostRedirects} redirects`);
}

/** The target of a redirect; undefined for other answers. */
function locationOf({ status, headers }: Answered, from: URL): URL | undefined {
  return status < 300 || status >= 400 || headers.location === undefined ? undefined : new URL(headers.location, from);
}

/** Compares scheme, host and path. The answer is appended to a registered query (RFC 6749 §3.1.2). */
function isBackAt(url: URL, redirectUri: string): boolean {
  const expected = new URL(redirectUri);
  return url.protocol === expected.protocol && url.host === expected.host && url.pathname === expected.pathname;
}

/** Makes `POST /_sandbox/next-login` answer the consent screen of the next login of this client. */
async function approveNext(connection: Connection, { client_id, user }: UserLogin): Promise<void> {
  const sent = jsonPost({ sub: user, client: client_id, action: 'approve' }, connection.controlHeaders);
  const answered = await connection.ask('/_sandbox/next-login', sent);
  if (answered.status !== 201) throw controlRefusal('/_sandbox/next-login', answered);
}

function notBack({ client_id, redirect_uri }: UserLogin, page: Answered): CommandFailure {
  if (page.status !== 200 && recordIn(page.text) !== undefined)
    return refusalOf('the authorization endpoint', page, {
      ...advice,
      invalid_request: `Check the redirect URI: ${redirect_uri} was sent; use --redirect-uri with a registered one of ${client_id}.`,
    });
  return new CommandFailure(
    `the login of ${client_id} shows a page (${page.status}) that needs a person; see Requests in the dashboard`,
  );
}
