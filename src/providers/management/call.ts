import type { IncomingMessage } from 'node:http';
import { defined } from '../../base/defined.ts';
import type { ChangeProblem } from '../../base/events/change.ts';
import type { Confirmation } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import { insufficientScope, invalidRequest, type OAuthError } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import { bearerToken, noAccessToken } from '../../protocol/proofs/bearer-token.ts';
import { checkBinding } from '../../protocol/proofs/sender-constraint.ts';
import { type Answer, jsonAnswer } from '../../server/http/answer.ts';
import type { CallAt } from '../../server/http/path-table.ts';

/** One call of the management API of a provider: a row of its table. `Place` has all that its rows work on. */
export interface ManagementCall<Place> extends CallAt {
  /** One line for the documentation, such as `creates a user`. */
  readonly about: string;
  /** Rights of which the caller needs one; absent: the call needs no credential. */
  readonly needs?: readonly string[];
  /** Type of the body; default: JSON. */
  readonly form?: true;
  /** Bytes that the body may have; default: 64 KiB. */
  readonly mostBytes?: number;
  /** Without an answer, the call is answered as done. */
  run(call: CallInput, place: Place): Answer | void | Promise<Answer> | Promise<void>;
}

/** A call that was sent, by a caller who may send it. */
export interface CallInput {
  /** Values of the names in braces. */
  readonly names: Readonly<Record<string, string>>;
  /** Of a name that comes several times, the first value counts. */
  readonly query: URLSearchParams;
  /** JSON, or the `URLSearchParams` of a form; an empty body is `{}`. */
  readonly body: unknown;
  readonly request: EndpointRequest;
  readonly req: IncomingMessage;
  readonly caller: ManagementCaller;
}

/** The program or person behind a credential. */
export interface ManagementCaller {
  /** For texts, such as `admin`. */
  readonly name: string;
  has(right: string): boolean;
}

/** A row of a table. `what` is the method and the path: `GET /users/{user}`. */
export function call<Place>(
  what: string,
  about: string,
  needs: readonly string[] | undefined,
  run: ManagementCall<Place>['run'],
  rules: Pick<ManagementCall<Place>, 'form' | 'mostBytes'> = {},
): ManagementCall<Place> {
  const [method = '', path = ''] = what.split(' ');
  return { method, path, about, ...(needs && { needs }), ...rules, run };
}

/** JSON with status 200. */
export function json(body: object | number): Answer {
  return jsonAnswer(200, Object(body)); // a number becomes an object that JSON writes as a number
}

/** 201 with the address of the new entry (RFC 9110 §15.3.2). */
export function created(address: string, body?: object): Answer {
  const headers = { Location: address };
  if (body !== undefined) return jsonAnswer(201, body, headers);
  return { status: 201, headers: { 'Cache-Control': 'no-store', ...headers }, body: '' };
}

/** 204: the change was made, and there is nothing to say. */
export const done: Answer = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: '' };

/** A part of a list. `offset` and `limit` are the names of the parameters; a limit below 0 means no limit. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { offset, limit, usual }: { readonly offset: string; readonly limit: string; readonly usual: number },
): readonly T[] {
  const first = Math.max(0, wholeIn(query, offset) ?? 0);
  const most = wholeIn(query, limit) ?? usual;
  return all.slice(first, most < 0 ? undefined : first + most);
}

function wholeIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** 404, in the words of the provider. */
export function entryUnknown(description: string, sent?: string): OAuthError {
  const details = { status: 404, ...(sent === undefined ? {} : { sent: shorten(sent, 200) }) };
  return invalidRequest('management_entry_unknown', description, details);
}

/** Refuses like that an entry that was looked for: `found ?? missing('User not found', id)`. */
export function missing(description: string, sent?: string): never {
  throw entryUnknown(description, sent);
}

/** 409, in the words of the provider. */
export function entryTaken(description: string): OAuthError {
  return invalidRequest('management_entry_taken', description, { status: 409 });
}

/** 400, in the words of the provider. */
export function inputInvalid(description: string, problems?: readonly ChangeProblem[]): OAuthError {
  return invalidRequest('management_input_invalid', description, problems === undefined ? {} : { problems });
}

/** 403. Of the rights one would have been enough. */
export function rightMissing(caller: string, needs: readonly string[]): OAuthError {
  return insufficientScope('management_right_missing', `${shorten(caller, 100)} may not send this call`, {
    sent: `none of the rights ${needs.join(', ')}`,
    expected: needs.join(' or '),
  });
}

/** 501, with the call that may have been meant, if there is one. */
export function notServed(title: string, sent: string, nearest: string | undefined): OAuthError {
  return invalidRequest('not_offered', `this sandbox speaks like ${title}, but does not serve this call`, {
    status: 501,
    sent: shorten(sent, 200),
    ...defined({ expected: nearest }),
  });
}

/** Refuses what the rules of the configuration refuse: 409 for a name that is taken, otherwise 400. */
export function refusedChange(problems: readonly ChangeProblem[], taken: string | undefined): OAuthError {
  if (taken !== undefined) return entryTaken(taken);
  const [first] = problems;
  const said = first === undefined ? 'the entry is not as expected' : `${first.member}: expected ${first.expected}`;
  return inputInvalid(shorten(said, 300), problems);
}

/** @throws invalid_token for a request without a bearer token */
export function requireBearer(
  { authorization }: EndpointRequest,
  wanted?: Parameters<typeof noAccessToken>[1],
): string {
  const token = bearerToken(authorization);
  if (token === undefined) throw noAccessToken(authorization, wanted);
  return token;
}

/** The claims of an access token of ours that came as a bearer token, with what it is bound to. @throws invalid_token */
export async function bearerClaims(server: AuthorizationServer, token: string, request: EndpointRequest) {
  const { verifyAccessToken } = await import('../../protocol/tokens/verify-access-token.ts'); // loads jose
  const claims = await verifyAccessToken(server, token);
  // the token is ours, so its cnf can be trusted
  await checkBinding(server, { token, scheme: 'Bearer', method: request.method }, claims.cnf as Confirmation, request);
  return claims;
}
