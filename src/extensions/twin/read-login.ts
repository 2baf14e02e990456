import { isRecord } from '../../base/text/record.ts';
import { readJson } from '../import/read-text.ts';
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
    metadata,
    userinfo,
    callback,
    answer: answer?.body,
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
      origin,
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

interface RecordedExchange {
  readonly method: string;
  readonly url: URL;
  /** The parameters of the query and of a form. */
  readonly parameters: URLSearchParams;
  readonly headers: ReadonlyMap<string, string>;
  readonly status: number;
  readonly answered: ReadonlyMap<string, string>;
  /** The body of the answer, if it is a JSON object or a form. */
  readonly body: SampleMembers | undefined;
}

/** Bounds for hostile recordings. */
const mostEntries = 5000;
const mostBody = 1024 * 1024;
const mostParameters = 200;

/** The exchanges of a HAR file (http://www.softwareishard.com/blog/har-12-spec/); undefined for any other file. */
export function readHar(value: unknown): readonly RecordedExchange[] | undefined {
  const log = isRecord(value) && isRecord(value.log) ? value.log : undefined;
  if (!Array.isArray(log?.entries)) return undefined;
  return log.entries.slice(0, mostEntries).flatMap(entry => exchangeOf(entry) ?? []);
}

function exchangeOf(entry: unknown): RecordedExchange | undefined {
  const request = isRecord(entry) && isRecord(entry.request) ? entry.request : {};
  const response = isRecord(entry) && isRecord(entry.response) ? entry.response : {};
  const { url } = request;
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const target = new URL(url);
  const answered = headersOf(response.headers);
  return {
    method: String(request.method ?? 'GET').toUpperCase(),
    url: target,
    parameters: parametersOf(target, request.postData),
    headers: headersOf(request.headers),
    status: Number(response.status ?? 0),
    answered,
    body: bodyOf(response.content, answered),
  };
}

function headersOf(list: unknown): ReadonlyMap<string, string> {
  const pairs = Array.isArray(list) ? list.slice(0, mostParameters) : [];
  return new Map(
    pairs.flatMap(pair =>
      isRecord(pair) && typeof pair.name === 'string' ? [[pair.name.toLowerCase(), String(pair.value ?? '')]] : [],
    ),
  );
}

/** `params` of a form, or its text; Auth0 sends JSON. */
function parametersOf(url: URL, sent: unknown): URLSearchParams {
  const all = new URLSearchParams([...url.searchParams].slice(0, mostParameters));
  if (!isRecord(sent)) return all;
  const text = typeof sent.text === 'string' ? sent.text.slice(0, mostBody) : '';
  const json = text.trimStart().startsWith('{') ? objectIn(text) : undefined;
  const params = Array.isArray(sent.params) ? sent.params.slice(0, mostParameters) : [];
  const pairs: (readonly [string, string])[] = [
    ...params.flatMap(each =>
      isRecord(each) ? [[String(each.name), decoded(String(each.value ?? ''))] as const] : [],
    ),
    ...(params.length === 0 && json === undefined ? new URLSearchParams(text) : []),
    ...Object.entries(json ?? {}).map(([name, value]) => [name, String(value)] as const),
  ];
  for (const [name, value] of pairs.slice(0, mostParameters)) all.append(name, value);
  return all;
}

/** Some browsers record parameters encoded. */
function decoded(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('v') ?? text;
}

function bodyOf(content: unknown, headers: ReadonlyMap<string, string>): SampleMembers | undefined {
  if (!isRecord(content) || typeof content.text !== 'string' || content.text.length > mostBody) return undefined;
  const text = content.encoding === 'base64' ? Buffer.from(content.text, 'base64').toString('utf8') : content.text;
  const type = String(content.mimeType ?? headers.get('content-type') ?? '');
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  return objectIn(text);
}

function objectIn(text: string): SampleMembers | undefined {
  const read = readJson(text);
  return 'value' in read && isRecord(read.value) ? read.value : undefined;
}
