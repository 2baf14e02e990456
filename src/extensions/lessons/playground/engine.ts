import { headerOf } from '../../../base/events/exchange.ts';
import { decodeJwt } from '../../../base/text/jwt.ts';
import { recordIn } from '../../../base/text/record.ts';
import { certificateOf } from './certificate.ts';
import { clientOf } from './choices.ts';
import type { Grant, Step } from './grant.ts';
import { type Filled, type Prepared, prepare } from './request.ts';
import type { PlaygroundRoom } from './room.ts';
import type { AnswerKind, PlaygroundState } from './states.ts';

const mostBody = 32_000;

/** Counts from 0; `text` counts from 1. The first for a text that names no step. */
export function stepNumber({ steps }: Grant, text: string | null): number {
  const number = Number(text ?? 1) - 1;
  return Number.isInteger(number) && number >= 0 && number < steps.length ? number : 0;
}

/** The request of a step; undefined if this sandbox does not have the endpoint. */
export async function prepareStep(
  room: PlaygroundRoom,
  state: PlaygroundState,
  step: Step,
): Promise<Prepared | undefined> {
  const { desk } = room;
  const path = desk.endpoints.find(({ name }) => name === step.endpoint)?.path;
  if (path === undefined) return undefined;
  const url = new URL(desk.issuer).origin + path;
  const { issuer, reach } = desk;
  const isSecure = reach.scheme === 'https';
  return prepare(step, state, { client: clientOf(room, state.client_id), url, issuer, isSecure, now: desk.clock() });
}

/** Sends the request of the current step over HTTP, and keeps values of the answer for the next step. */
export async function sendStep(room: PlaygroundRoom, state: PlaygroundState): Promise<void> {
  const step = state.grant.steps[state.step];
  if (step?.by !== 'page') return;
  const prepared = await prepareStep(room, state, step);
  if (prepared === undefined) return;
  const { call, fields } = prepared;
  keepChallenge(state, fields);
  const { pathname, search, host } = new URL(call.url);
  const certificate = await shownCertificate(room, state, fields);
  const answer = await room.desk.send({
    method: call.method,
    path: pathname + search,
    headers: {
      ...Object.fromEntries(call.headers),
      Host: host,
      ...(call.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(call.body)) }),
      ...room.mark(),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
    certificate,
  });
  const outcome = outcomeOf(answer.status);
  if (outcome === 'accepted') readValues(step, state, recordIn(answer.body) ?? {});
  const verifier = fields.find(({ name, isRemoved }) => name === 'code_verifier' && !isRemoved)?.value;
  state.results.set(step.id, {
    outcome,
    firstLine: `HTTP ${answer.status}`,
    headers: shownHeaders(answer.headers),
    body: answer.body.slice(0, mostBody),
    requestId: answer.requestId,
    verifier,
  });
}

/** The address at the server to which the browser goes in this step; undefined if the page sends the request itself. */
export async function leave(room: PlaygroundRoom, state: PlaygroundState): Promise<string | undefined> {
  const step = state.grant.steps[state.step];
  const prepared = step && step.by !== 'page' ? await prepareStep(room, state, step) : undefined;
  if (step === undefined || prepared === undefined) return undefined;
  state.results.delete(step.id);
  state.left = prepared.call.url;
  keepChallenge(state, prepared.fields);
  return state.left;
}

/** The server keeps the challenge of the request, which the learner may have changed. */
function keepChallenge(state: PlaygroundState, fields: readonly Filled[]): void {
  const field = fields.find(({ name }) => name === 'code_challenge');
  if (field !== undefined) state.sentChallenge = field.isRemoved ? '' : field.value;
}

async function shownCertificate(room: PlaygroundRoom, state: PlaygroundState, fields: readonly Filled[]) {
  const client = clientOf(room, state.client_id);
  const field = fields.find(each => each.in === 'handshake' && !each.isRemoved);
  return client && field && certificateOf(room, state, { client, subject: field.value });
}

function outcomeOf(status: number): AnswerKind {
  if (status < 400) return 'accepted';
  return status === 401 || status === 403 ? 'caller' : 'request';
}

function readValues(
  { reads = {} }: Step,
  { values }: PlaygroundState,
  answer: Readonly<Record<string, unknown>>,
): void {
  for (const [name, member] of Object.entries(reads)) {
    const value = answer[member];
    if (typeof value === 'string') values.set(name, value);
  }
}

const shown: ReadonlySet<string> = new Set([
  'content-type',
  'cache-control',
  'www-authenticate',
  'dpop-nonce',
  'location',
]);

function shownHeaders(headers: Readonly<Record<string, string | readonly string[]>>) {
  return Object.entries(headers)
    .filter(([name]) => shown.has(name))
    .map(([name, value]) => [name, String(value)] as const);
}

/** Reads an answer that did not come to the callback from the record. */
export function follow(room: PlaygroundRoom, state: PlaygroundState): void {
  const step = state.grant.steps[state.step];
  if (step?.by !== 'return') return;
  followRedirect(room, state);
  if (!state.results.has(step.id)) followErrorPage(room, state, step);
}

/** The server refused the request, and had no trusted address for its answer (RFC 6749 §4.1.2.1). */
function followErrorPage({ desk }: PlaygroundRoom, state: PlaygroundState, step: Step): void {
  if (state.left === undefined) return;
  const { pathname, search } = new URL(state.left);
  const refused = desk.events
    .latest('request.completed', mostFollowed)
    .find(({ exchange, status }) => exchange.url === pathname + search && status >= 400);
  if (refused === undefined) return;
  state.results.set(step.id, {
    outcome: 'caller',
    firstLine: `HTTP ${refused.status}, an error page of the server`,
    headers: [],
    body: '',
    requestId: refused.requestId,
  });
}

/** The answer that the server sent to the app of the learner. */
function followRedirect(room: PlaygroundRoom, state: PlaygroundState): void {
  const redirect_uri = state.values.get('redirect_uri') ?? '';
  if (redirect_uri === room.callback) return;
  const arrived = room.desk.events
    .latest('request.completed', mostFollowed)
    .map(({ exchange }) => headerOf(exchange.responseHeaders, 'location') ?? '')
    .filter(location => location.startsWith(redirect_uri))
    .map(location => answerOf(new URL(location).searchParams))
    .find(parameters => parameters.get('state') === state.values.get('state'));
  if (arrived !== undefined) receive(room, state, arrived, redirect_uri);
}

/** Requests that may have come after the redirect. */
const mostFollowed = 100;

/** The parameters of an answer, with those of its JWT if it has one (JARM §2.1). The page does not check its signature. */
export function answerOf(arrived: URLSearchParams): URLSearchParams {
  const { claims = {} } = decodeJwt(arrived.get('response') ?? '') ?? {};
  const read = Object.entries(claims).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...arrived, ...read]);
}

/** Keeps the parameters at the callback, and compares `state` (RFC 6749 §10.12). */
export function receive(
  { desk }: PlaygroundRoom,
  state: PlaygroundState,
  arrived: URLSearchParams,
  at = 'The callback',
): void {
  const step = state.grant.steps[state.step];
  if (step === undefined) return;
  const answer = answerOf(arrived);
  const isError = answer.has('error');
  const stateMatches = answer.get('state') === state.values.get('state');
  const [newest] = desk.events.latest('error.returned', 1);
  if (!isError && stateMatches) readValues(step, state, Object.fromEntries(answer));
  state.results.set(step.id, {
    outcome: isError ? 'request' : 'accepted',
    firstLine: `${at} received`,
    headers: [...answer].map(([name, value]) => [name, value.slice(0, mostBody)] as const),
    body: '',
    requestId: isError && newest?.client_id === state.client_id ? newest.requestId : '',
    stateMatches,
  });
}
