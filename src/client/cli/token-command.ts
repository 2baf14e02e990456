import { createHash, randomBytes } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import { type CookieJar, cookieHeader, keepCookies } from '../../server/wire/cookie-jar.ts';
import { type Answered, controlRefusal, jsonPost, redirectedRefusal, refusalOf } from './ask.ts';
import { asJsonText, type Command, CommandFailure, done, type Given, isOn, textOf, type World } from './command.ts';
import { type Connection, connectIssuer, connectionFlags, controlFlag, discover, type Metadata } from './connection.ts';

const defaultRedirectUri = 'http://localhost:3000/callback';

/** `grantbox token`. */
export const command: Command = {
  usage: '--client <client_id> [--secret <secret>] [--user <user>] [--scope <scope>]',
  about: [
    'Asks a running sandbox for a token and prints the token, for use in a command line. Without --user, the client gets a token for itself (client credentials). With --user, that user signs in to the client without a browser: the command sends an authorization request with PKCE, keeps the cookies, and redeems the code.',
    'The requests are real: the dashboard shows them like those of an app.',
  ],
  flags: [
    ...connectionFlags,
    { name: 'client', value: '<client_id>', about: 'Client that requests the token' },
    { name: 'secret', value: '<secret>', about: 'Secret of the client; leave it out for a public client' },
    {
      name: 'auth',
      value: '<method>',
      choices: ['basic', 'post'],
      about: 'Place of the secret: the Authorization header (basic) or the form (post)',
      fallback: 'basic',
    },
    { name: 'user', value: '<user>', about: 'User who signs in: sub, username or e-mail' },
    {
      name: 'scope',
      value: '<scope>',
      isList: true,
      about: 'Requested scopes, separated by spaces, or one flag per scope',
      fallback: 'openid with --user, otherwise the scopes of the client',
    },
    { name: 'resource', value: '<url>', about: 'API that the token is for (RFC 8707)' },
    {
      name: 'redirect-uri',
      value: '<url>',
      about: 'With --user: a registered redirect URI of the client. The command does not call it',
      fallback: 'the first registered one, if the control API lists it',
    },
    controlFlag,
    { name: 'json', about: 'Print the whole token response' },
    { name: 'claims', about: 'Print the claims of the access token' },
  ],
  examples: [
    ['grantbox token --client sensor --secret sensor-secret --scope telemetry:write', 'print a token of a service'],
    [
      'curl http://localhost:9000/api/bikes \\\n  -H "Authorization: Bearer $(grantbox token --client frontend --user alice --scope bikes:read)"',
      "an API, called with a user's token",
    ],
    [
      'grantbox token --client frontend --user bob --scope "openid profile offline_access" --json',
      'print all tokens of a sign-in',
    ],
    ['grantbox token --client frontend --user alice --claims', 'print the claims of the token'],
  ],
  async run(given, world) {
    if (isOn(given, 'json') && isOn(given, 'claims'))
      throw new CommandFailure(
        '--json and --claims cannot be used together: --json prints the whole response, --claims only the claims of the access token',
      );
    const tokens = await requestedTokens(given, world);
    if (isOn(given, 'json')) return done(asJsonText(tokens));
    if (isOn(given, 'claims')) return done(asJsonText(claimsIn(tokens.access_token)));
    return done(tokens.access_token);
  },
};

async function requestedTokens(given: Given, world: World): Promise<TokenAnswer> {
  const client = readClient(given);
  const user = textOf(given, 'user');
  const givenUri = readRedirectUri(given, user);
  const connection = await connectIssuer(given, world);
  const metadata = await discover(connection);
  const scope = given.flags.scope?.join(' ') ?? (user === undefined ? undefined : 'openid');
  const resource = textOf(given, 'resource');
  const asked = { ...defined({ scope, resource }) };
  if (user === undefined)
    return requestTokens(connection, metadata, client, { grant_type: 'client_credentials', ...asked });
  const { client_id } = client;
  const redirect_uri = givenUri ?? (await registeredUri(connection, client_id)) ?? defaultRedirectUri;
  const redeemable = await loginWithoutBrowser(connection, metadata, {
    client_id,
    user,
    redirect_uri,
    parameters: asked,
  });
  return requestTokens(connection, metadata, client, { grant_type: 'authorization_code', ...redeemable });
}

function readClient(given: Given): AskingClient {
  const client_id = textOf(given, 'client');
  if (client_id === undefined)
    throw new CommandFailure('--client is missing: give the client_id of a client, such as --client frontend');
  const client_secret = textOf(given, 'secret');
  if (client_secret === undefined && isOn(given, 'auth'))
    throw new CommandFailure('--auth needs a secret: give it with --secret');
  const method = textOf(given, 'auth') === 'post' ? 'post' : 'basic';
  return { client_id, method, client_secret };
}

/** The first redirect URI of a client; undefined if the control API refuses to tell. Then the sign-in reports the error. */
async function registeredUri({ ask, controlHeaders }: Connection, client_id: string): Promise<string | undefined> {
  const answered = await ask(`/_sandbox/clients/${encodeURIComponent(client_id)}`, { headers: controlHeaders });
  const entry = answered.status === 200 ? recordIn(answered.text)?.entry : undefined;
  const uris = isRecord(entry) ? entry.redirect_uris : undefined;
  const [first] = Array.isArray(uris) ? uris : [];
  return typeof first === 'string' && URL.canParse(first) ? first : undefined;
}

function readRedirectUri(given: Given, user: string | undefined): string | undefined {
  const uri = textOf(given, 'redirect-uri');
  if (uri === undefined) return undefined;
  if (user === undefined) throw new CommandFailure('--redirect-uri is only for a sign-in: add --user');
  if (URL.canParse(uri)) return uri;
  throw new CommandFailure(`--redirect-uri expects a URI such as ${defaultRedirectUri}, not ${JSON.stringify(uri)}`);
}

/** Decodes the claims for display. It does not check the signature. */
function claimsIn(token: string): unknown {
  const jwt = decodeJwt(token);
  if (jwt !== undefined) return jwt.claims;
  const advice = `Ask the introspection endpoint, or set access_token_format: 'jwt' for the client.`;
  throw new CommandFailure('the access token is opaque, so it has no readable claims', 1, advice);
}

/** The client and its credentials. */
export interface AskingClient {
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  readonly method: 'basic' | 'post';
}

/** A token response (RFC 6749 §5.1), unchanged. */
export type TokenAnswer = Readonly<Record<string, unknown>> & { readonly access_token: string };

/**
 * Posts a form to the token endpoint.
 * @throws CommandFailure with the error of the sandbox
 */
export async function requestTokens(
  connection: Connection,
  metadata: Metadata,
  client: AskingClient,
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const { client_id, client_secret, method } = client;
  const isBasic = client_secret !== undefined && method === 'basic';
  const named = isBasic ? {} : { client_id, ...defined({ client_secret }) };
  const answered = await connection.ask(endpointIn(connection, metadata, 'token_endpoint'), {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { Authorization: basic(client_id, client_secret) } : {}),
    },
    body: new URLSearchParams({ ...form, ...named }).toString(),
  });
  const body = recordIn(answered.text);
  if (answered.status === 200 && typeof body?.access_token === 'string')
    return { ...body, access_token: body.access_token };
  throw refusalOf('the token endpoint', answered, adviceFor(client));
}

/**
 * The URL of an endpoint for this machine. Endpoints below the issuer are moved below the given address, because the sandbox may
 * have a different address in a container.
 */
function endpointIn(connection: Connection, metadata: Metadata, name: string): URL {
  const value = metadata.members[name];
  if (typeof value !== 'string' || !URL.canParse(value))
    throw new CommandFailure(`the metadata of ${connection.base} has no ${name}`);
  return reachable(connection, metadata, new URL(value));
}

/** Moves a URL from the origin of the issuer to the origin of the given address. */
export function reachable({ base }: Connection, { origin }: Metadata, url: URL): URL {
  return url.origin === origin ? new URL(url.pathname + url.search, new URL(base).origin) : url;
}

/** Both are form-encoded first (RFC 6749 §2.3.1). */
function basic(client_id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(secret)}`).toString('base64')}`;
}

function adviceFor({ client_id, client_secret, method }: AskingClient): Readonly<Record<string, string>> {
  const other = method === 'basic' ? 'post' : 'basic';
  return {
    invalid_client:
      client_secret === undefined
        ? `Check --client against the clients in the dashboard; if ${client_id} has a secret, give it with --secret.`
        : `Check --secret against the dashboard. If it is right, ${client_id} may use a different method: try --auth ${other}.`,
    unauthorized_client: 'If the client signs users in, name a user, such as --user alice.',
  };
}

/** The sign-in of a user at a client, without a browser. */
export interface UserLogin {
  readonly client_id: string;
  /** `sub`, username or e-mail. */
  readonly user: string;
  readonly redirect_uri: string;
  /** Further parameters of the authorization request, such as `scope`. */
  readonly parameters: Readonly<Record<string, string>>;
}

const mostRedirects = 10;

const advice: Readonly<Record<string, string>> = {
  invalid_redirect_uri: 'Use --redirect-uri with a registered redirect URI of the client.',
  unauthorized_client: 'A client with a secret can get a token for itself without --user.',
};

/**
 * Signs the user in at the authorization endpoint with a cookie jar and PKCE, as a browser would, and reads the code from the
 * redirect to the redirect URI, which it never calls. `sandbox_login` applies to this one request only, so two sign-ins at the
 * same time do not mix up their users. If the client asks for consent, `POST /_sandbox/next-login` gives it.
 * @throws CommandFailure with the error of the sandbox
 */
async function loginWithoutBrowser(connection: Connection, metadata: Metadata, login: UserLogin) {
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
  if (code === null) throw new CommandFailure(`the sign-in came back to ${login.redirect_uri} without a code`);
  if (parameters.get('state') !== sent.state)
    throw new CommandFailure('the sign-in returned a different state than the one sent, so the code was not redeemed');
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
      throw new CommandFailure(`the sign-in leads to ${url.origin}, not back to ${redirectUri}`);
  }
  throw new CommandFailure(`the sign-in did not end within ${mostRedirects} redirects`);
}

function locationOf({ status, headers }: Answered, from: URL): URL | undefined {
  return status < 300 || status >= 400 || headers.location === undefined ? undefined : new URL(headers.location, from);
}

/** Compares scheme, host and path. The answer is appended to a registered query (RFC 6749 §3.1.2). */
function isBackAt(url: URL, redirectUri: string): boolean {
  const expected = new URL(redirectUri);
  return url.protocol === expected.protocol && url.host === expected.host && url.pathname === expected.pathname;
}

/** Makes `POST /_sandbox/next-login` answer the consent screen of the next sign-in of this client. */
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
    `the sign-in of ${client_id} shows a page (${page.status}) that needs a person; see Requests in the dashboard`,
  );
}
