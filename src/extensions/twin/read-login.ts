import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import type { RecordedExchange } from './read-har.ts';
import {
  kindOf,
  type SampleClient,
  type SampleMembers,
  type SampleReading,
  type Samples,
  sampleOf,
  type TokenKind,
  type TokenSample,
} from './samples.ts';

/** Reads a recorded login: the clients with their addresses, the answers and the tokens. */
export function readLogin(exchanges: readonly RecordedExchange[]): SampleReading {
  const clients = clientsIn(exchanges);
  const asked = exchanges.filter(isTokenRequest);
  const answers = asked.flatMap(each => (each.body !== undefined && 'access_token' in each.body ? [each] : []));
  const answer = answers.find(({ parameters }) => parameters.get('grant_type') === 'authorization_code') ?? answers[0];
  const metadata = bodyAt(exchanges, ({ url }) =>
    /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/.test(url.pathname),
  );
  const keys = bodyAt(exchanges, ({ body }) => Array.isArray(body?.keys))?.keys;
  const userinfo = bodyAt(exchanges, each => isUserInfo(each, metadata));
  const callback = callbackIn(exchanges, clients);
  const samples: Samples = {
    tokens: tokensIn(answers),
    ...defined({ metadata, userinfo, callback, answer: answer?.body }),
    ...(Array.isArray(keys) && { keys: keys.filter(isRecord) }),
  };
  return { samples, clients, secrets: secretsIn(exchanges) };
}

function isTokenRequest({ method, parameters, status }: RecordedExchange): boolean {
  return method === 'POST' && status === 200 && (parameters.has('grant_type') || parameters.has('code'));
}

function isAuthorizationRequest({ parameters }: RecordedExchange): boolean {
  return parameters.has('client_id') && parameters.has('redirect_uri') && !parameters.has('grant_type');
}

function isUserInfo({ url, headers, status, body }: RecordedExchange, metadata: SampleMembers = {}): boolean {
  const isEndpoint = url.href === metadata.userinfo_endpoint || /\/user-?info$/i.test(url.pathname);
  return isEndpoint && status === 200 && headers.has('authorization') && typeof body?.sub === 'string';
}

function bodyAt(
  exchanges: readonly RecordedExchange[],
  isIt: (each: RecordedExchange) => boolean,
): SampleMembers | undefined {
  return exchanges.find(each => each.status === 200 && each.body !== undefined && isIt(each))?.body;
}

/** The first token of each kind. */
function tokensIn(answers: readonly RecordedExchange[]): Samples['tokens'] {
  const found: Partial<Record<TokenKind, TokenSample>> = {};
  for (const { body = {}, parameters } of answers) {
    for (const name of ['access_token', 'id_token', 'refresh_token']) {
      const text = body[name];
      if (typeof text !== 'string') continue;
      const sample = sampleOf(text);
      const isOfClient = parameters.get('grant_type') === 'client_credentials' && name === 'access_token';
      const kind = isOfClient ? 'client_token' : kindOf(name, sample);
      if (kind !== undefined) found[kind] ??= sample;
    }
  }
  return found;
}

/** By the requests of the browser and those to the token endpoint. */
function clientsIn(exchanges: readonly RecordedExchange[]): readonly SampleClient[] {
  const ids = exchanges.filter(each => isAuthorizationRequest(each) || isTokenRequest(each)).map(clientIdIn);
  const different = [...new Set(ids.filter(id => id !== undefined))].slice(0, 20);
  return different.map(client_id => {
    const own = exchanges.filter(each => clientIdIn(each) === client_id);
    const tokens = own.filter(isTokenRequest);
    const browser = own.filter(isAuthorizationRequest);
    const origin = tokens.map(({ headers }) => headers.get('origin')).find(text => text !== undefined);
    const values = (names: readonly string[], among: readonly RecordedExchange[]) =>
      [...new Set(among.flatMap(({ parameters }) => names.flatMap(name => parameters.getAll(name))))].slice(0, 50);
    const logouts = exchanges.filter(
      ({ parameters }) => !parameters.has('client_id') || parameters.get('client_id') === client_id,
    );
    return {
      client_id,
      redirect_uris: values(['redirect_uri'], [...browser, ...tokens]),
      post_logout_redirect_uris: values(['post_logout_redirect_uri', 'returnTo', 'logout_uri'], logouts),
      grant_types: values(['grant_type'], tokens),
      scope: values(['scope'], browser.length > 0 ? browser : tokens)
        .join(' ')
        .slice(0, 2000),
      auth: authOf(tokens),
      ...defined({ origin }),
    };
  });
}

/** In a parameter, or in the name of HTTP Basic (RFC 6749 §2.3.1). */
function clientIdIn({ parameters, headers }: RecordedExchange): string | undefined {
  const [, basic] = /^Basic ([\w+/=-]{1,2000})$/i.exec(headers.get('authorization') ?? '') ?? [];
  const [name] = basic === undefined ? [] : Buffer.from(basic, 'base64').toString('utf8').split(':');
  const id = parameters.get('client_id') ?? (name === undefined ? undefined : decodedName(name));
  return id !== undefined && /^[\x20-\x7e]{1,300}$/.test(id) ? id : undefined;
}

function decodedName(name: string): string {
  return new URLSearchParams(`v=${name}`).get('v') ?? name;
}

function authOf(tokens: readonly RecordedExchange[]): SampleClient['auth'] {
  if (tokens.length === 0) return 'unknown';
  if (tokens.some(({ headers }) => /^basic /i.test(headers.get('authorization') ?? ''))) return 'basic';
  if (tokens.some(({ parameters }) => parameters.has('client_secret'))) return 'post';
  return tokens.some(({ parameters }) => parameters.has('client_assertion')) ? 'key' : 'none';
}

/** The names of the parameters that came back to a redirect URI: in a query, a fragment or a form. */
function callbackIn(
  exchanges: readonly RecordedExchange[],
  clients: readonly SampleClient[],
): readonly string[] | undefined {
  const uris = clients.flatMap(({ redirect_uris }) => redirect_uris.filter(uri => URL.canParse(uri)));
  const targets = uris.map(uri => new URL(uri));
  const found = exchanges
    .map(exchange => [...parametersSent(exchange, targets)].map(([name]) => name))
    .find(names => names.some(name => ['code', 'access_token', 'id_token'].includes(name)));
  return found && [...new Set(found)].sort();
}

/** Of the redirect, if the answer has its address, otherwise of the request that followed it. */
function parametersSent(
  { url, parameters, answered }: RecordedExchange,
  targets: readonly URL[],
): readonly [string, string][] {
  const location = answered.get('location') ?? '';
  const next = URL.canParse(location) ? new URL(location) : undefined;
  if (next !== undefined && targets.some(target => sameAddress(target, next)))
    return [...next.searchParams, ...new URLSearchParams(next.hash.slice(1))];
  return targets.some(target => sameAddress(target, url)) ? [...parameters] : [];
}

function sameAddress(a: URL, b: URL): boolean {
  return a.origin === b.origin && a.pathname === b.pathname;
}

/** Counted for the list of what nothing was made of. */
function secretsIn(exchanges: readonly RecordedExchange[]): Readonly<Record<string, number>> {
  const count = (names: readonly string[]) =>
    new Set(exchanges.flatMap(({ parameters }) => names.flatMap(name => parameters.getAll(name)))).size;
  const cookies = exchanges.flatMap(({ headers, answered }) => [headers.get('cookie'), answered.get('set-cookie')]);
  return {
    cookies: new Set(cookies.filter(text => text !== undefined)).size,
    passwords: count(['password', 'passwd', 'Passwd']),
    codes: count(['code', 'code_verifier', 'user_code']),
    tokens: count(['access_token', 'id_token', 'refresh_token', 'id_token_hint', 'token', 'SAMLResponse']),
    'client secrets': count(['client_secret', 'client_assertion']),
  };
}
