import { recordIn } from '../text/record.ts';
import { clientOf } from './choices.ts';
import type { Grant, Step } from './grant.ts';
import { type Prepared, prepare } from './request.ts';
import type { PlaygroundRoom } from './room.ts';
import type { AnswerKind, PlaygroundState } from './states.ts';

const mostBody = 32_000;

/** Counts from 0; `text` counts from 1. The first for a text that names no step. */
export function stepNumber({ steps }: Grant, text: string | null): number {
  const number = Number(text ?? 1) - 1;
  return Number.isInteger(number) && number >= 0 && number < steps.length ? number : 0;
}

/** The request of a step; undefined where this sandbox does not offer the endpoint. */
export async function prepareStep(
  room: PlaygroundRoom,
  state: PlaygroundState,
  step: Step,
): Promise<Prepared | undefined> {
  const { desk } = room;
  const path = desk.endpoints.find(({ name }) => name === step.endpoint)?.path;
  if (path === undefined) return undefined;
  const url = new URL(desk.issuer).origin + path;
  return prepare(step, state, { client: clientOf(room, state.client_id), url, now: desk.clock() });
}

/** Sends the request of the current step over HTTP, and keeps what the answer gives for the next step. */
export async function sendStep(room: PlaygroundRoom, state: PlaygroundState): Promise<void> {
  const step = state.grant.steps[state.step];
  if (step?.by !== 'page') return;
  const prepared = await prepareStep(room, state, step);
  if (prepared === undefined) return;
  const { call, fields } = prepared;
  const { pathname, search, host } = new URL(call.url);
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
    ...(verifier === undefined ? {} : { verifier }),
  });
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

/** Keeps what arrived at the callback, and compares `state` (RFC 6749 §10.12). */
export function receive({ desk }: PlaygroundRoom, state: PlaygroundState, arrived: URLSearchParams): void {
  const step = state.grant.steps[state.step];
  if (step === undefined) return;
  const isError = arrived.has('error');
  const stateMatches = arrived.get('state') === state.values.get('state');
  const [newest] = desk.events.latest('error.returned', 1);
  if (!isError && stateMatches) readValues(step, state, Object.fromEntries(arrived));
  state.results.set(step.id, {
    outcome: isError ? 'request' : 'accepted',
    firstLine: 'The callback received',
    headers: [...arrived].map(([name, value]) => [name, value.slice(0, mostBody)] as const),
    body: '',
    requestId: isError && newest?.client_id === state.client_id ? newest.requestId : '',
    stateMatches,
  });
}
