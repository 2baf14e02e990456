import { defined } from '../../../base/defined.ts';
import { isIssued } from '../../../base/events/event-memory.ts';
import type { Flow, FlowKind, FlowStep, JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { actorOf, channelOf, kindOfResponse } from './flow-kind.ts';
import { advance, notBegun, type Progress, refusalOf, statusOf } from './flow-status.ts';
import { clientNamed, type Handle } from './handles.ts';
import type { WaitingLogin } from './waiting-logins.ts';

interface RecordedStep {
  readonly step: FlowStep;
  readonly eventId: number;
  readonly tokenIds: readonly string[];
}

/** A flow under construction. */
export interface FlowRecord {
  readonly id: string;
  /** Sequence number. */
  readonly number: number;
  readonly startedAt: number;
  kind: FlowKind;
  client_id?: string;
  sub?: string;
  redirect_uri?: string;
  resources?: readonly string[];
  sid?: string;
  progress: Progress;
  /** Sorted by event id. */
  readonly steps: RecordedStep[];
  readonly authorizationIds: Set<string>;
  /** The handles that each request left, by request id. */
  readonly handles: Map<string, readonly Handle[]>;
  /** The pending login; absent for a flow without one. */
  login?: WaitingLogin<FlowRecord>;
  /** Content of a request that was refused only because of a missing nonce and will be repeated. */
  triedWith?: string;
  isIncomplete: boolean;
  isForgotten: boolean;
  /** The last result of `shownFlow`; cleared by a change. */
  shown?: Flow;
}

/** Starts a flow with its first request, which is not added as a step yet. */
export function newRecord(number: number, kind: FlowKind, request: RecordedRequest): FlowRecord {
  const { event } = request;
  return {
    id: event.requestId.replace(/^req_/, 'flow_'),
    number,
    kind,
    startedAt: event.at - event.milliseconds / 1000,
    progress: notBegun,
    steps: [],
    authorizationIds: new Set(),
    handles: new Map(),
    isIncomplete: isBegunBefore(kind, request),
    isForgotten: false,
  };
}

/** Kinds that use an earlier code or token. If that was valid, the requests that issued it are no longer in the history. */
const needy: ReadonlySet<FlowKind> = new Set(['authorization_code', 'refresh_token', 'device', 'ciba', 'calls']);

function isBegunBefore(kind: FlowKind, request: RecordedRequest): boolean {
  const isGood = request.fact('token.used') !== undefined || request.fact('token.issued') !== undefined;
  return isGood && needy.has(kind) && request.event.endpoint !== 'authorize';
}

const mostAuthorizations = 200;

/** Adds a request as a step, in the order of the answers, and updates the facts about the whole flow. */
export function addStep(record: FlowRecord, request: RecordedRequest, rule: JoinRule): void {
  const { event, facts } = request;
  const issued = facts.filter(isIssued);
  const added = { step: stepOf(request, rule), eventId: event.id, tokenIds: issued.map(each => each.tokenId) };
  let place = record.steps.length;
  while (place > 0 && (record.steps[place - 1]?.eventId ?? 0) > event.id) place--;
  record.steps.splice(place, 0, added);
  for (const { authorizationId } of issued) {
    if (record.authorizationIds.size < mostAuthorizations) record.authorizationIds.add(authorizationId);
  }
  // The kind of a pushed or signed request is known only after the server has read it.
  if (isAuthorization(record.kind) && request.fact('authorization.requested') !== undefined)
    record.kind = kindOfResponse(request);
  record.progress = advance(record.progress, record.kind, request);
  learn(record, request);
  record.shown = undefined;
}

function isAuthorization(kind: FlowKind): boolean {
  return kind === 'authorization_code' || kind === 'implicit' || kind === 'hybrid';
}

function learn(record: FlowRecord, request: RecordedRequest): void {
  const client = request.event.endpoint === 'api' ? usedFor(request) : clientNamed(request);
  if (client !== undefined) record.client_id ??= client;
  const redirect = request.fact('authorization.requested')?.redirect_uri ?? request.value('redirect_uri');
  if (redirect !== undefined && request.event.endpoint !== 'api') record.redirect_uri ??= redirect;
  const resources = [...request.query.getAll('resource'), ...request.form.getAll('resource')];
  if (resources.length > 0 && request.event.endpoint !== 'api') record.resources ??= resources;
  const sub = subjectIn(request);
  if (sub !== undefined) record.sub = sub;
  const session = request.fact('login.succeeded') ?? request.fact('session.ended');
  if (session !== undefined) record.sid = session.sid;
}

function usedFor(request: RecordedRequest): string | undefined {
  return request.fact('token.used')?.client_id ?? request.fact('error.returned')?.client_id;
}

function subjectIn({ facts }: RecordedRequest): string | undefined {
  const issued = facts.findLast(fact => isIssued(fact) && fact.sub !== undefined);
  const about = issued ?? facts.findLast(fact => 'sub' in fact && fact.sub !== undefined);
  return about !== undefined && 'sub' in about ? about.sub : undefined;
}

function stepOf(request: RecordedRequest, joinedBy: JoinRule): FlowStep {
  const { requestId, at, endpoint, method, path, status, milliseconds, faults } = request.event;
  const refused = refusalOf(request);
  const refusal = refused && { error: refused.error, reason: refused.reason, description: refused.description };
  return {
    requestId,
    at,
    endpoint,
    method,
    path,
    status,
    milliseconds,
    channel: channelOf(request),
    actor: actorOf(request),
    joinedBy,
    ...defined({ faults, refusal }),
  };
}

/** Removes a step, usually the first one, and marks the flow as incomplete. */
export function forgetStep(record: FlowRecord, requestId: string): void {
  const index = record.steps.findIndex(({ step }) => step.requestId === requestId);
  if (index !== -1) record.steps.splice(index, 1);
  record.isIncomplete = true;
  record.shown = undefined;
}

/** The public form of a flow with its current status; `now` in Unix seconds. */
export function shownFlow(record: FlowRecord, now: number): Flow {
  const { id, kind, startedAt, progress, steps, client_id, sub, redirect_uri, resources, sid } = record;
  const status = statusOf(kind, progress, now);
  if (record.shown?.status === status) return record.shown;
  record.shown = {
    id,
    kind,
    status,
    startedAt,
    lastAt: progress.lastAt,
    lastEventId: steps.at(-1)?.eventId ?? 0,
    ...defined({ client_id, sub, redirect_uri, resources, sid, waitsUntil: progress.waitsUntil }),
    steps: steps.map(({ step }) => step),
    tokenIds: steps.flatMap(({ tokenIds }) => tokenIds),
    authorizationIds: [...record.authorizationIds],
    incomplete: record.isIncomplete,
  };
  return record.shown;
}
