import { defined } from '../../base/defined.ts';
import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import type { Exchange } from '../../base/events/exchange.ts';
import { isPassing, refusalOf } from './correlation/refusals.ts';
import type { Flow, FlowStep } from './flow.ts';
import { RecordedRequest, requestIn } from './recorded-request.ts';
import { drawerOf } from './sequences/drawers.ts';
import { lanesOf } from './sequences/lanes.ts';
import type { Arrow, Drawing, Sequence, SequenceStep, StepRecord, StepRefusal } from './sequences/model.ts';
import { nextArrows } from './sequences/next.ts';
import { type ParameterGroup, requestGroups, responseGroups } from './sequences/parts.ts';
import { type Run, runsOf } from './sequences/runs.ts';
import { openingArrows } from './sequences/unseen.ts';

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

/** Removes secrets from an exchange. */
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
    ...defined({ refusal }),
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
  return { error, reason, description, isPassing: isPassing(refused), ...defined({ sent, expected }) };
}
