import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import type { Exchange } from '../../base/events/exchange.ts';
import { isPassing, refusalOf } from './correlation/flow-status.ts';
import { purposeOf } from './correlation/waiting-logins.ts';
import type { Flow, FlowStep } from './flow.ts';
import { RecordedRequest, requestIn } from './recorded-request.ts';
import { drawAuthorize, drawConsent, drawLogin, drawPushed } from './sequences/authorization.ts';
import { drawApprovals, drawBackchannel, drawDevice, drawPageLogin, drawVerification } from './sequences/decisions.ts';
import { drawConfirm, drawEndSession } from './sequences/logout.ts';
import {
  type Arrow,
  type Draw,
  type Drawing,
  lanesOf,
  type Sequence,
  type SequenceStep,
  type StepRecord,
  type StepRefusal,
} from './sequences/model.ts';
import { type ParameterGroup, requestGroups, responseGroups } from './sequences/parts.ts';
import {
  drawApi,
  drawDocument,
  drawIntrospect,
  drawPreflight,
  drawRegistration,
  drawRevoke,
  drawToken,
  drawUserinfo,
} from './sequences/tokens.ts';
import { nextArrows, openingArrows } from './sequences/unseen.ts';

export type {
  Lane,
  LaneId,
  Sequence,
  SequenceStep,
  StepCertainty,
  StepRecord,
  StepRefusal,
} from './sequences/model.ts';
export type { ParameterGroup, ShownParameter } from './sequences/parts.ts';

type Drawn = Omit<SequenceStep, 'number'>;

/** Number of requests drawn at the start and at the end of a flow that has more than twice as many. */
const mostDrawn = 60;

type Mask = (exchange: Exchange) => Exchange;

/**
 * Draws a flow as a sequence: recorded requests, inferred steps between them, and steps the flow did not reach. `mask` applies to
 * parameter values only; names of users and clients are always shown.
 */
export function sequenceOf(flow: Flow, events: EventLog, mask: Mask = exchange => exchange): Sequence {
  const recorded = new Map(flow.steps.map(step => [step.requestId, step]));
  const runs = runsOf(flow.steps.flatMap(({ requestId }) => requestIn(events.ofRequest(requestId)) ?? []));
  const drawing: Drawing & { readonly mask: Mask } = {
    flow,
    client: flow.kind === 'device' ? 'device' : 'client',
    seen: new Set(),
    mask,
  };
  const cut = runs.length > 2 * mostDrawn ? runs.length - mostDrawn : mostDrawn;
  const opening = openingArrows(drawing).map(inferred);
  const first = runs.slice(0, mostDrawn).flatMap(run => draw(run, recorded, drawing));
  const last = runs.slice(cut).flatMap(run => draw(run, recorded, drawing));
  const next = nextArrows(drawing).map((arrow): Drawn => ({ ...arrow, certainty: 'never-reached' }));
  const steps = [...opening, ...first, ...last, ...next].map((step, index) => ({ ...step, number: index + 1 }));
  const count = runs.slice(mostDrawn, cut).reduce((sum, { requestIds }) => sum + requestIds.length, 0);
  return {
    lanes: lanesOf(flow, steps),
    steps,
    reached: steps.length - next.length,
    ...(count === 0 ? {} : { omitted: { after: opening.length + first.length, count } }),
  };
}

function inferred(arrow: Arrow): Drawn {
  return { ...arrow, certainty: 'inferred' };
}

function draw(run: Run, steps: ReadonlyMap<string, FlowStep>, drawing: Drawing & { readonly mask: Mask }): Drawn[] {
  const step = steps.get(run.request.event.requestId);
  const arrows = drawerOf(run.request)(run.request, drawing);
  const recorded = arrows.filter(({ part }) => part !== undefined && part !== 'event');
  return arrows.map(arrow => {
    const { part, fact, ...plain } = arrow;
    if (part === undefined || step === undefined) return inferred(plain);
    const facts = fact === undefined ? factsFor(arrow, recorded, run.request) : [fact];
    return { ...plain, certainty: 'recorded', record: recordOf(run, step, drawing.mask, { part, facts }) };
  });
}

/** Events for issued tokens belong to the answer arrow, all others to the request arrow. */
function factsFor(arrow: Arrow, recorded: readonly Arrow[], { facts }: RecordedRequest): SandboxEvent[] {
  const told = facts.filter(({ type }) => type !== 'request.completed' && type !== 'error.returned');
  if (recorded.length === 1) return told;
  if (arrow === recorded[0]) return told.filter(fact => !isIssued(fact));
  return arrow === recorded[1] ? told.filter(isIssued) : [];
}

interface Shown {
  readonly part: Arrow['part'];
  readonly facts: readonly SandboxEvent[];
}

function recordOf({ request, requestIds }: Run, step: FlowStep, mask: Mask, { part, facts }: Shown): StepRecord {
  const { requestId, at, channel, actor, joinedBy, status, milliseconds } = step;
  const refusal = part === 'request' || part === 'event' ? undefined : refusalShown(request);
  return {
    requestId,
    at,
    channel,
    actor,
    joinedBy,
    status,
    milliseconds,
    requestIds,
    facts,
    faults: part === 'request' || part === 'event' ? [] : (request.event.faults ?? []),
    refusal,
    get groups() {
      return part === 'event' ? [] : groupsOf(request, mask, part);
    },
  };
}

function groupsOf({ event, facts }: RecordedRequest, mask: Mask, part: Arrow['part']): ParameterGroup[] {
  const masked = new RecordedRequest({ ...event, exchange: mask(event.exchange) }, facts);
  return [...(part === 'response' ? [] : requestGroups(masked)), ...(part === 'request' ? [] : responseGroups(masked))];
}

function refusalShown(request: RecordedRequest): StepRefusal | undefined {
  const refused = refusalOf(request);
  if (refused === undefined) return undefined;
  const { error, reason, description, sent, expected } = refused;
  return { error, reason, description, isPassing: isPassing(refused), sent, expected };
}

interface Run {
  readonly request: RecordedRequest;
  readonly requestIds: readonly string[];
}

const alike: ReadonlySet<string> = new Set(['api', 'userinfo', 'introspect', 'jwks', 'discovery', 'resource_metadata']);

/** Groups consecutive polls and calls with the same answer; every other request is a run of its own. */
function runsOf(requests: readonly RecordedRequest[]): Run[] {
  const runs: { request: RecordedRequest; readonly requestIds: string[] }[] = [];
  let lastKey: string | undefined;
  for (const request of requests) {
    const last = runs.at(-1);
    const { requestId } = request.event;
    const key = keyOf(request);
    if (last !== undefined && key !== undefined && key === lastKey) {
      last.request = request;
      last.requestIds.push(requestId);
    } else runs.push({ request, requestIds: [requestId] });
    lastKey = key;
  }
  return runs;
}

/** Requests with the same key form a run; undefined for a request that is always drawn alone. */
function keyOf(request: RecordedRequest): string | undefined {
  const { endpoint, method, path, status } = request.event;
  const refusal = refusalOf(request);
  const isPoll =
    endpoint === 'token' && refusal !== undefined && isPassing(refusal) && refusal.error !== 'use_dpop_nonce';
  if (!isPoll && !alike.has(endpoint)) return undefined;
  return [endpoint, method, path, status, refusal?.reason].join(' ');
}

const drawers: Readonly<Record<string, Draw>> = {
  par: drawPushed,
  authorize: drawAuthorize,
  login: drawLogin,
  consent: drawConsent,
  token: drawToken,
  device_authorization: drawDevice,
  device_verification: drawVerification,
  backchannel_authentication: drawBackchannel,
  approvals: drawApprovals,
  end_session: drawEndSession,
  logout: drawConfirm,
  api: drawApi,
  userinfo: drawUserinfo,
  introspect: drawIntrospect,
  revoke: drawRevoke,
  discovery: drawDocument,
  jwks: drawDocument,
  resource_metadata: drawDocument,
  registration: drawRegistration,
  client_configuration: drawRegistration,
};

function drawerOf(request: RecordedRequest): Draw {
  const { endpoint, method } = request.event;
  if (method === 'OPTIONS') return drawPreflight;
  if (endpoint === 'login' && purposeOf(request) !== undefined) return drawPageLogin;
  return drawers[endpoint] ?? (() => []);
}
