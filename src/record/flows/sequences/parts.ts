import { unescaped } from '../../../base/text/html.ts';
import { isRecord } from '../../../base/text/record.ts';
import { insteadOf } from '../../../protocol/ignored-parameters.ts';
import { basicOf } from '../correlation/handles.ts';
import { type ParameterMeaning, type ParameterPlace, parameterMeaning } from '../parameters.ts';
import { objectIn, type RecordedRequest } from '../recorded-request.ts';

/** A sent parameter and its meaning. */
export interface ShownParameter {
  readonly name: string;
  readonly value: string;
  /** Absent if the endpoint does not define the parameter. */
  readonly meaning?: ParameterMeaning;
  /** A remark on this value, such as `ignored here`; usually empty. */
  readonly note: string;
}

/** Parameters from one part of a message. */
export interface ParameterGroup {
  /** `Query`, `Form`, `Headers`, `Answer`. */
  readonly title: string;
  readonly parameters: readonly ShownParameter[];
}

type Pairs = readonly (readonly [name: string, value: string])[];

const longest = 4000;

/** The parameters and headers of a request, without empty groups. The body of an API call is left out. */
export function requestGroups(request: RecordedRequest): ParameterGroup[] {
  const { endpoint, exchange } = request.event;
  const isJson = exchange.requestBody?.text.trimStart().startsWith('{') ?? false;
  const body = endpoint === 'api' ? [] : isJson ? membersOf(exchange.requestBody?.text ?? '') : [...request.form];
  return [
    group('Query', [...request.query], 'request', request),
    group(isJson ? 'JSON body' : 'Form', body, 'request', request),
    headerGroup(request),
  ].filter(({ parameters }) => parameters.length > 0);
}

/** The parameters and headers of an answer, without empty groups. Secrets stay in: the caller masks the exchange first. */
export function responseGroups(request: RecordedRequest): ParameterGroup[] {
  const { endpoint, exchange } = request.event;
  const told = isSilent(endpoint)
    ? []
    : [...(redirectOf(request)?.parameters ?? []), ...membersOf(exchange.responseBody?.text ?? '')];
  return [
    group('Response', told, 'response', request),
    group('Headers of the response', answerHeaders(request), 'response header', request),
  ].filter(({ parameters }) => parameters.length > 0);
}

/** An API answer is not part of the protocol, and a metadata document is easier to read as a whole. */
function isSilent(endpoint: string): boolean {
  return ['api', 'discovery', 'jwks', 'resource_metadata'].includes(endpoint);
}

function membersOf(json: string): Pairs {
  return Object.entries(objectIn(json)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

function group(title: string, pairs: Pairs, place: ParameterPlace, request: RecordedRequest): ParameterGroup {
  return { title, parameters: pairs.map(([name, value]) => shown(name, value, place, request)) };
}

function shown(name: string, value: string, place: ParameterPlace, request: RecordedRequest): ShownParameter {
  const meaning = parameterMeaning(name, place, request.event.endpoint);
  return {
    name,
    value: value.length > longest ? `${value.slice(0, longest)}… (${value.length} characters)` : value,
    meaning,
    note: noteOn(name, value, request),
  };
}

function noteOn(name: string, value: string, { facts }: RecordedRequest): string {
  if (value === '') return 'empty, treated as absent';
  const isIgnored = facts.some(fact => 'ignored' in fact && fact.ignored.includes(name));
  if (!isIgnored) return '';
  const hint = insteadOf(name);
  return hint === undefined ? 'ignored here' : `ignored here: ${hint}`;
}

/** The scheme of `Authorization` selects its explanation. */
function headerGroup(request: RecordedRequest): ParameterGroup {
  const authorization = request.header('authorization');
  const proof = request.header('dpop');
  const parameters = [
    ...(authorization === undefined ? [] : [authorizationShown(authorization, request)]),
    ...(proof === undefined ? [] : [shown('DPoP', proof, 'request header', request)]),
  ];
  return { title: 'Headers', parameters };
}

function authorizationShown(value: string, request: RecordedRequest): ShownParameter {
  const [scheme = ''] = value.split(' ', 1);
  const { endpoint } = request.event;
  const name = `authorization ${scheme.toLowerCase()}`;
  const meaning =
    parameterMeaning(`${endpoint} ${scheme.toLowerCase()}`, 'request header', '') ??
    parameterMeaning(name, 'request header', '');
  const basic = basicOf(request);
  return {
    name: 'Authorization',
    value,
    meaning,
    note: basic === undefined ? '' : decodedNote(basic),
  };
}

/** Written as a form, so that an export finds the secret by its name even if it is short. */
function decodedNote({ id, secret }: { readonly id: string; readonly secret: string }): string {
  return `decoded: client_id=${encodeURIComponent(id)}, client_secret=${encodeURIComponent(secret)}`;
}

function answerHeaders(request: RecordedRequest): Pairs {
  const names = ['WWW-Authenticate', 'DPoP-Nonce', 'Retry-After'];
  return names.flatMap(name => {
    const value = request.responseHeader(name.toLowerCase());
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** An answer that the browser passes on to the application: a redirect, a form that submits itself, or a message to its page. */
export interface Redirect {
  readonly uri: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly mode: 'query' | 'fragment' | 'form_post' | 'message';
}

/** Reads the redirect or form post of an answer; undefined for an answer that stays at this server. */
export function redirectOf(request: RecordedRequest): Redirect | undefined {
  const location = request.responseHeader('location');
  if (location === undefined) return pageOf(request);
  if (location.startsWith('/') || !URL.canParse(location)) return undefined;
  const [address = '', fragment] = location.split(/#(.*)/s);
  const [uri = '', query = ''] = address.split(/\?(.*)/s);
  const mode = fragment === undefined ? 'query' : 'fragment';
  return { uri, mode, parameters: [...new URLSearchParams(fragment ?? query)] };
}

function pageOf({ event }: RecordedRequest): Redirect | undefined {
  if (event.endpoint !== 'authorize' && event.endpoint !== 'login' && event.endpoint !== 'consent') return undefined;
  const html = event.exchange.responseBody?.text ?? '';
  return formPostOf(html) ?? messageOf(html);
}

/** The page of the response mode `form_post`, as `templates/form-post.ejs` writes it. */
function formPostOf(html: string): Redirect | undefined {
  const uri = /<form[^>]* id="form-post"[^>]* action="([^"]*)"/.exec(html)?.[1];
  if (uri === undefined) return undefined;
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const parameters = fields.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)] as const);
  return { uri: unescaped(uri), mode: 'form_post', parameters };
}

/** The page that posts a message, as `templates/message.ejs` writes it. The parameters are the message or one member of it. */
function messageOf(html: string): Redirect | undefined {
  const [, uri, text] = /<p id="message"[^>]* data-origin="([^"]*)" data-message="([^"]*)"/.exec(html) ?? [];
  if (uri === undefined || text === undefined) return undefined;
  const message: unknown = JSON.parse(unescaped(text));
  const inner = isRecord(message) ? (Object.values(message).find(isRecord) ?? message) : {};
  const parameters = Object.entries(inner).map(([name, value]) => [name, String(value)] as const);
  return { uri: unescaped(uri), mode: 'message', parameters };
}

/** Parameters that are left out of the title of a redirect. */
const beside = ['iss', 'session_state', 'error_description', 'error_uri', 'scope', 'token_type', 'expires_in'];

/** `/callback?code&state`: the path and the parameter names, without the values. */
export function redirectTitle({ uri, parameters, mode }: Redirect): string {
  const place = URL.canParse(uri) ? placeOf(new URL(uri)) : uri; // a client may have asked for anything
  const names = parameters.map(([name]) => name).filter(name => !beside.includes(name));
  if (names.length === 0 || mode === 'form_post') return place;
  if (mode === 'message') return `postMessage ${names.join('&')}`;
  return `${place}${mode === 'query' ? '?' : '#'}${names.join('&')}`;
}

/** The path alone, or the host if the path is `/`; a custom scheme is kept. */
function placeOf({ protocol, host, pathname }: URL): string {
  if (!protocol.startsWith('http')) return `${protocol}${host === '' ? '' : `//${host}`}${pathname}`;
  return pathname === '/' ? `${host}/` : pathname;
}
