import { CommandFailure } from '../../../client/cli/command.ts';
import { oneLine } from '../../../dashboard/snippets/snippets.ts';
import type { FileRequest } from '../session-schema.ts';
import type { ChosenPart } from './choose.ts';
import { secretOf } from './issuer-config.ts';
import {
  createMadeValues,
  expressionOf,
  isSecretWrong,
  literalFor,
  type MadeValues,
  refusalOf,
  type SentParameters,
} from './parameters.ts';

/** Endpoints by the member of the metadata with their address. */
const metadata: Readonly<Record<string, string>> = {
  authorize: 'authorization_endpoint',
  token: 'token_endpoint',
  userinfo: 'userinfo_endpoint',
  jwks: 'jwks_uri',
  par: 'pushed_authorization_request_endpoint',
  introspect: 'introspection_endpoint',
  revoke: 'revocation_endpoint',
  end_session: 'end_session_endpoint',
};

/** Pages of the sandbox that its user saw, which the test leaves out: `nextLogin` answers for the user. */
const ofUser: ReadonlySet<string> = new Set(['login', 'consent', 'logout', 'assets', 'dashboard']);

const unrepeated: Readonly<Record<string, string>> = {
  device_authorization: 'a device flow waits for its user on a page',
  device_verification: 'a device flow waits for its user on a page',
  backchannel_authentication: 'a CIBA flow waits for its user on a page',
  approvals: 'a CIBA flow waits for its user on a page',
  registration: 'a client that registered itself is not in the file',
  client_configuration: 'a client that registered itself is not in the file',
};

/** The body of a generated test, a line each. */
export interface Steps {
  readonly lines: readonly string[];
  /** Names that the test uses, so that it declares no other ones. */
  readonly uses: ReadonlySet<'wrongVerifier' | 's256' | 'basic' | 'randomBytes'>;
  /** The last refusal that is repeated, in words. */
  readonly refusal: string;
}

interface Writing {
  readonly issuer: string;
  readonly made: MadeValues;
  readonly literal: (text: string) => string;
  readonly chosen: ChosenPart;
  readonly user: string;
  /** The time that the clock of the test shows. */
  at: number;
  number: number;
  /** The variable with the verifier of the login; before a login there is none that could be right. */
  verifier: string;
  /** The browser was sent to the authorization endpoint, and is not back. */
  isLoggingIn: boolean;
}

/**
 * The client's requests as code. The user's part is left out.
 * @throws CommandFailure for a flow that needs a key, a page or a person
 */
export function stepsOf(
  chosen: ChosenPart,
  { issuer, user }: { readonly issuer: string; readonly user: string },
): Steps {
  const base = issuer.replace(/\/$/, '');
  const writing = {
    issuer: base,
    made: createMadeValues(),
    literal: literalFor(base),
    chosen,
    user,
    at: 0,
    number: 0,
    verifier: 'wrongVerifier',
    isLoggingIn: false,
  };
  const blocks = chosen.requests.flatMap(request => blockOf(request, writing));
  if (blocks.length === 0) throw new CommandFailure('the file has no request of a client in it');
  const text = blocks.join('\n');
  const words = ['wrongVerifier', 's256', 'basic', 'randomBytes'] as const;
  const refused = chosen.requests.flatMap(request => refusalOf(request) ?? []).at(-1);
  return {
    lines: blocks.flatMap((block, index) => (index === 0 ? block.split('\n') : ['', ...block.split('\n')])),
    uses: new Set(words.filter(word => new RegExp(`\\b${word}\\b`).test(text))),
    refusal: refused === undefined ? '' : `${refused.status} ${refused.error} (${refused.reason})`,
  };
}

function blockOf(request: FileRequest, writing: Writing): string[] {
  const { endpoint, method } = request;
  if (Object.hasOwn(unrepeated, endpoint)) throw new CommandFailure(`${unrepeated[endpoint]}`);
  if (method === 'OPTIONS' || isOfUser(request, writing)) return learn(request, writing);
  writing.number++;
  const verifier = verifierLines(request, writing);
  const lines = endpoint === 'authorize' ? loginLines(request, writing) : callLines(request, writing);
  return [[...clockLines(request, writing), ...verifier, ...lines].join('\n')];
}

/** A login page, or the authorization request that a browser repeats after it. */
function isOfUser({ endpoint }: FileRequest, { isLoggingIn }: Writing): boolean {
  return ofUser.has(endpoint) || (endpoint === 'authorize' && isLoggingIn);
}

/** The code that the login ends with comes from the one authorization request of the test. */
function learn(request: FileRequest, writing: Writing): string[] {
  noteIssued(request, writing, `login${writing.number}.answer`);
  if (hasAnswer(request)) writing.isLoggingIn = false;
  return [];
}

function hasAnswer({ events }: FileRequest): boolean {
  return events.some(event => event?.type === 'code.issued' || event?.type === 'token.issued');
}

/** The clock of the session at the beginning of a request. */
function clockLines({ at, milliseconds }: FileRequest, writing: Writing): string[] {
  const begun = Math.floor(at - milliseconds / 1000);
  if (begun === writing.at) return [];
  writing.at = begun;
  return [`await issuer.clock.set(${begun}); // ${new Date(begun * 1000).toISOString()}`];
}

/** Each login has its own verifier (RFC 7636 §4.1). */
function verifierLines(request: FileRequest, writing: Writing): string[] {
  const challenge = [...queryOf(request), ...formOf(request)].find(([name]) => name === 'code_challenge')?.[1] ?? '';
  if (challenge === '') return [];
  writing.verifier = `verifier${writing.number}`;
  return [`const ${writing.verifier} = randomBytes(32).toString('base64url');`];
}

function loginLines(request: FileRequest, writing: Writing): string[] {
  const { literal, number, user } = writing;
  const refused = refusalOf(request);
  writing.isLoggingIn = !hasAnswer(request) && refused === undefined;
  noteIssued(request, writing, `login${number}.answer`);
  const query = objectOf([...queryOf(request), ...formOf(request)], sentBy(request, writing));
  return [
    `await issuer.nextLogin({ sub: ${literal(user)}, action: 'approve' }); // the user's part`,
    `const login${number} = await visit(${addressOf(request, writing)}, ${query});`,
    `expect(login${number}.refusal).toBe('');${mark(request)}`,
  ];
}

function callLines(request: FileRequest, writing: Writing): string[] {
  const { number, literal } = writing;
  const sent = sentBy(request, writing);
  const query = request.method === 'GET' || !isForm(request) ? queryOf(request) : [];
  const headers = headersOf(request, sent);
  const parts = [
    ...(request.method === 'GET' ? [] : [`method: ${literal(request.method)}`]),
    ...(query.length === 0 ? [] : [`query: ${objectOf(query, sent)}`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...bodyOf(request, sent),
  ];
  noteIssued(request, writing, `answer${number}.json`);
  const options = parts.length === 0 ? '' : `, {\n${parts.map(part => `  ${part},`).join('\n')}\n}`;
  return [
    `const answer${number} = await call(${addressOf(request, writing)}${options});`,
    `expect(answer${number}.refusal).toBe('');${mark(request)}`,
    ...corsLines(request, writing),
  ];
}

/** A page reads an answer only if the answer names its origin. */
function corsLines(request: FileRequest, { number, literal }: Writing): string[] {
  const isHidden = request.events.some(event => event?.type === 'error.returned' && event.form === 'cors');
  const origin = headersIn(request).get('origin');
  if (!isHidden || origin === undefined) return [];
  return [
    `expect(answer${number}.allowedOrigin).toBe(${literal(origin)}); // as in the session, the browser hid the response`,
  ];
}

function mark(request: FileRequest): string {
  const refused = refusalOf(request);
  return refused === undefined || refused.form === 'cors'
    ? ''
    : ` // in the session: ${refused.status} ${oneLine(`${refused.error}, ${refused.reason}`)}`; // a line break would end the comment
}

function sentBy(request: FileRequest, { made, literal, chosen, verifier }: Writing): SentParameters {
  const named = request.events.flatMap(event =>
    event !== undefined && 'client_id' in event ? (event.client_id ?? []) : [],
  );
  const client =
    formOf(request).find(([name]) => name === 'client_id')?.[1] ?? named[0] ?? chosen.flow?.client_id ?? '';
  return { request, client, made, literal, verifier };
}

function formOf(request: FileRequest): readonly (readonly [string, string])[] {
  return isForm(request) ? [...new URLSearchParams(request.request.body?.text ?? '')] : [];
}

/** Pairs, because a parameter may be sent twice. */
function objectOf(pairs: readonly (readonly [string, string])[], sent: SentParameters): string {
  const lines = pairs.map(([name, value]) => `  [${sent.literal(name)}, ${expressionOf(name, value, sent)}],`);
  return pairs.length === 0 ? '[]' : `[\n${lines.join('\n')}\n]`;
}

function bodyOf(request: FileRequest, sent: SentParameters): string[] {
  const { body } = request.request;
  if (body === undefined || body.text === '') return [];
  if (isForm(request)) return [`form: ${objectOf(formOf(request), sent).replaceAll('\n', '\n  ')}`];
  return [`body: ${sent.literal(body.text)}`];
}

/** Headers that change the answer. Others are of the program that sent them. */
function headersOf(request: FileRequest, sent: SentParameters): string[] {
  const headers = headersIn(request);
  const { literal, client, made } = sent;
  if (headers.has('dpop'))
    throw new CommandFailure('the client signed its DPoP proofs with a key that the file does not have');
  const [scheme = '', credentials = ''] = (headers.get('authorization') ?? '').split(/ +(.*)/s);
  const reason = refusalOf(request)?.reason ?? '';
  const basic = `basic(${literal(client)}, ${literal(isSecretWrong(reason) ? 'a wrong secret' : secretOf(client))})`;
  const token = made.of('access', credentials, request) ?? literal('a token that nobody issued');
  const authorization = /^basic$/i.test(scheme) ? basic : `${literal(`${scheme} `)} + ${token}`;
  const origin = headers.get('origin');
  const type = isForm(request) ? undefined : headers.get('content-type');
  return [
    ...(scheme === '' ? [] : [`Authorization: ${authorization}`]),
    ...(origin === undefined ? [] : [`Origin: ${literal(origin)}`]),
    ...(type === undefined ? [] : [`'Content-Type': ${literal(type)}`]),
  ];
}

function addressOf(request: FileRequest, { issuer, literal }: Writing): string {
  const member = Object.hasOwn(metadata, request.endpoint) ? metadata[request.endpoint] : undefined;
  return member === undefined ? `issuer.issuer + ${literal(pathBelow(request, issuer))}` : `metadata.${member}`;
}

const names = { code: 'code', access: 'access_token', refresh: 'refresh_token', id: 'id_token' } as const;

function noteIssued({ events }: FileRequest, { made }: Writing, variable: string): void {
  for (const event of events) {
    if (event?.type === 'authorization.pushed')
      made.add({ tokenId: '', token: event.request_uri, type: 'code', expression: `${variable}.request_uri` });
    if (event?.type !== 'code.issued' && event?.type !== 'token.issued') continue;
    const type = event.type === 'code.issued' ? 'code' : event.tokenType;
    const { tokenId, token } = event;
    made.add({ tokenId, token, type, expression: `${variable}.${names[type]}` });
  }
}

/** The request headers; names in lower case, the first of each. */
function headersIn({ request }: FileRequest): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of request.headers)
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  return headers;
}

function isForm(request: FileRequest): boolean {
  return /x-www-form-urlencoded/i.test(headersIn(request).get('content-type') ?? '');
}

function queryOf({ url }: FileRequest): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(url.split('?').slice(1).join('?'))];
}

function pathBelow({ path, url }: FileRequest, issuer: string): string {
  const base = new URL(issuer).pathname.replace(/\/$/, '');
  const whole = url.split('?', 1)[0] || path;
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : whole;
}
