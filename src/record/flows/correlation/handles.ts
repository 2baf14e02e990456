import { hash } from 'node:crypto';
import { isIssued, usedToken } from '../../../base/events/event-memory.ts';
import { lineageOf } from '../../../protocol/kept-authorizations.ts';
import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** A value that the protocol passes from one request to the next, such as a code, prefixed with its kind. */
export type Handle = string;

type Lookup = readonly [handle: Handle, rule: JoinRule];

/** A short hash, because an index has thousands of handles. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

const secret = (value: string): Handle => `secret ${digest(value)}`;

/** The handle of a token or code, by its public id. */
export const tokenHandle = (tokenId: string): Handle => `token ${tokenId}`;

/** The handle of a login session, by the value of its cookie. */
export const sessionHandle = (cookie: string): Handle => `session ${digest(cookie)}`;
const authorization = (id: string): Handle => `authorization ${id}`;
const pushed = (requestUri: string): Handle => `pushed ${requestUri}`;
const userCode = (typed: string): Handle => `user_code ${typed.replace(/[^a-z0-9]/gi, '').toUpperCase()}`;
const registered = (client_id: string): Handle => `client ${client_id}`;

const tokenBound: ReadonlySet<string> = new Set([
  'token',
  'userinfo',
  'api',
  'introspect',
  'revoke',
  'device_authorization',
  'device_verification',
  'approvals',
  'backchannel_authentication',
]);

/** The handles in a request, the most reliable first. */
export function lookupsOf(request: RecordedRequest): readonly Lookup[] {
  const { endpoint, path } = request.event;
  if (endpoint === 'authorize' || endpoint === 'login' || endpoint === 'consent') return [...pushedIn(request)];
  if (endpoint === 'client_configuration') return [[registered(path.slice(path.lastIndexOf('/') + 1)), 'token']];
  if (!tokenBound.has(endpoint)) return [];
  return [...(endpoint === 'api' ? [] : handlesSent(request)), ...factHandles(request), ...bearerOf(request)];
}

function* pushedIn(request: RecordedRequest): Generator<Lookup> {
  const uri = request.query.get('request_uri') ?? request.form.get('request_uri');
  if (uri !== null) yield [pushed(uri), 'request_uri'];
  const typed = request.query.get('user_code');
  if (typed !== null && request.event.endpoint === 'login') yield [userCode(typed), 'device_code'];
}

const sentAs: readonly (readonly [name: string, handle: (value: string) => Handle, rule: JoinRule])[] = [
  ['code', secret, 'code'],
  ['device_code', secret, 'device_code'],
  ['user_code', userCode, 'device_code'],
  ['auth_req_id', secret, 'auth_req_id'],
  ['refresh_token', secret, 'refresh_token'],
  ['token', secret, 'token'],
  ['access_token', secret, 'token'],
  ['subject_token', secret, 'token'],
  ['assertion', secret, 'token'],
  ['request', authorization, 'auth_req_id'],
];

function* handlesSent(request: RecordedRequest): Generator<Lookup> {
  for (const [name, handle, rule] of sentAs) {
    const value = request.value(name);
    if (value !== undefined) yield [handle(value), rule];
  }
}

function* factHandles({ facts }: RecordedRequest): Generator<Lookup> {
  for (const fact of facts) {
    const tokenId = usedToken(fact);
    if (tokenId !== undefined) yield [tokenHandle(tokenId), 'jti'];
    if ('authorizationId' in fact && fact.authorizationId !== undefined) yield* lineageHandles(fact.authorizationId);
  }
}

function lineageHandles(id: string): Lookup[] {
  return lineageOf(id)
    .toReversed()
    .map(each => [authorization(each), 'jti']);
}

function* bearerOf(request: RecordedRequest): Generator<Lookup> {
  const token = bearerIn(request);
  if (token !== undefined) yield [secret(token), 'token'];
}

/** The token in the `Authorization` header (RFC 6750 §2.1, RFC 9449 §7.1). */
function bearerIn(request: RecordedRequest): string | undefined {
  return /^(?:Bearer|DPoP) +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
}

/** The handles that a request and its answer leave for later requests. */
export function handlesLeftBy(request: RecordedRequest): Handle[] {
  return [...request.facts.flatMap(fact => handlesOf(fact)), ...answeredWith(request), ...codeSent(request)];
}

function handlesOf(fact: RecordedRequest['facts'][number]): Handle[] {
  if (isIssued(fact)) {
    const own = lineageOf(fact.authorizationId).length > 1 ? [] : [authorization(fact.authorizationId)];
    return [secret(fact.token), tokenHandle(fact.tokenId), ...own];
  }
  if (fact.type === 'authorization.pushed') return [pushed(fact.request_uri)];
  if (fact.type === 'device.requested') return [userCode(fact.user_code), authorization(fact.authorizationId)];
  if (fact.type === 'ciba.requested') return [authorization(fact.authorizationId)];
  return fact.type === 'client.registered' ? [registered(fact.client_id)] : [];
}

function answeredWith(request: RecordedRequest): Handle[] {
  const name = pollHandles[request.event.endpoint];
  const value = name === undefined ? undefined : request.answer[name];
  return typeof value === 'string' ? [secret(value)] : [];
}

/** The code in a redirect, even an invalid one that a fault made up for the client to reject (RFC 6749 §10.12). */
function codeSent(request: RecordedRequest): Handle[] {
  if (!channelsBack.has(request.event.endpoint)) return [];
  const [, carried = ''] = /[?#](.*)$/s.exec(request.responseHeader('location') ?? '') ?? [];
  const code = new URLSearchParams(carried).get('code');
  return code === null ? [] : [secret(code)];
}

const channelsBack: ReadonlySet<string> = new Set(['authorize', 'login', 'consent']);
const pollHandles: Readonly<Record<string, string>> = {
  device_authorization: 'device_code',
  backchannel_authentication: 'auth_req_id',
};

/** The handles that calls with a token from outside the history share: the token and its authorization. */
export function handlesOfStranger(request: RecordedRequest): Handle[] {
  const sent = request.event.endpoint === 'api' ? undefined : (request.value('token') ?? request.value('access_token'));
  const token = bearerIn(request) ?? sent;
  const ids = request.facts.flatMap(fact => (fact.type === 'token.used' ? [authorization(fact.authorizationId)] : []));
  return [...(token === undefined ? [] : [secret(token)]), ...ids];
}

/** The client_id of a request: as identified by the server, or as sent (RFC 6749 §2.3.1). */
export function clientNamed(request: RecordedRequest): string | undefined {
  for (const fact of request.facts) {
    if (!isAboutOthers(fact) && 'client_id' in fact && fact.client_id !== undefined) return fact.client_id;
  }
  return request.value('client_id') ?? basicOf(request)?.id;
}

/** Events that name other clients of the session as well. */
function isAboutOthers({ type }: RecordedRequest['facts'][number]): boolean {
  return type === 'token.revoked' || type === 'logout.notified';
}

/** The decoded user and password of `Authorization: Basic`; undefined for other schemes. */
export function basicOf(request: Pick<RecordedRequest, 'header'>): { id: string; secret: string } | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return { id: decoded(id), secret: decoded(secret) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The codes and tokens in a request. */
export function sentHandles(request: RecordedRequest): readonly string[] {
  const bearer = request.header('authorization')?.trim().split(/\s+/);
  const token = bearer?.length === 2 && !/^basic$/i.test(bearer[0] ?? '') ? bearer[1] : undefined;
  const sent = [request.value('code'), request.value('refresh_token'), request.value('access_token'), token];
  return sent.filter(each => each !== undefined);
}

/** The code and the access token in an answer, even if a fault made them up. */
export function toldHandles(request: RecordedRequest): readonly string[] {
  return [codeIn(request), request.answer.access_token].filter(each => typeof each === 'string');
}

/** The code in the query or fragment of a redirect (RFC 6749 §4.1.2). */
export function codeIn(request: RecordedRequest): string | undefined {
  const location = request.responseHeader('location') ?? '';
  const code = /[?&#]code=([^&#]+)/.exec(location)?.[1];
  return code === undefined ? undefined : (new URLSearchParams(`v=${code}`).get('v') ?? undefined);
}
