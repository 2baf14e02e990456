import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { refusalOf } from '../correlation/flow-status.ts';
import type { Flow, FlowStep } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import type { ParameterGroup } from './parts.ts';

/** The participants of a sequence, from left to right. */
export type LaneId = 'browser' | 'device' | 'client' | 'idp' | 'api';

/** A column of the sequence. */
export interface Lane {
  readonly id: LaneId;
  readonly name: string;
}

/**
 * `recorded`: this server received or sent it. `inferred`: it happens where this server sees nothing. `never-reached`: the flow
 * stopped before this step.
 */
export type StepCertainty = 'recorded' | 'inferred' | 'never-reached';

/** An arrow of the picture, before it is numbered. */
export interface Arrow {
  readonly from: LaneId;
  readonly to: LaneId;
  /** The lane a redirect leads to: the redirect is an answer to the browser, meant for this lane. */
  readonly onwardTo?: LaneId;
  /** Set for an answer; absent for a request. */
  readonly isResponse?: true;
  /** `POST /oauth2/token`, `302 /callback?code&state`. */
  readonly title: string;
  /** A few words, without a subject: `requests new tokens`. */
  readonly words: string;
  /** The purpose of the step, in one or more sentences. */
  readonly why: string;
  /** `RFC 6749 §4.1.1`; empty if no standard defines the step. */
  readonly reference: string;
  /** The part of the exchange it shows; `event` for an action of this server beside the exchange. Absent if not recorded. */
  readonly part?: 'request' | 'response' | 'both' | 'event';
  /** The event it shows, for `part: 'event'`. */
  readonly fact?: SandboxEvent;
}

/** Why a request was refused, with the sent and the expected value. */
export interface StepRefusal
  extends Pick<EventOf<'error.returned'>, 'error' | 'reason' | 'description' | 'sent' | 'expected'> {
  /** True if the refusal is a normal part of the flow and the sender tries again, such as `authorization_pending`. */
  readonly isPassing: boolean;
}

/** One numbered arrow of a sequence. */
export interface SequenceStep extends Omit<Arrow, 'part' | 'fact'> {
  /** Counted from 1. */
  readonly number: number;
  readonly certainty: StepCertainty;
  /** Present only for `recorded` steps. */
  readonly record?: StepRecord;
}

export interface StepRecord extends Pick<FlowStep, 'requestId' | 'at' | 'channel' | 'actor' | 'joinedBy' | 'status'> {
  readonly milliseconds: number;
  readonly refusal?: StepRefusal;
  /** Names of the faults that were injected, listed with the answer. */
  readonly faults: readonly string[];
  /** Other events of the request. Each belongs to one arrow: issued tokens to the answer, the rest to the request. */
  readonly facts: readonly SandboxEvent[];
  /** Ids of consecutive requests of the same kind with the same answer, this one included, oldest first. */
  readonly requestIds: readonly string[];
  /** Its parameters with their explanation; computed on first access. */
  readonly groups: readonly ParameterGroup[];
}

/** A flow as a sequence diagram. */
export interface Sequence {
  /** Only lanes that a step uses. */
  readonly lanes: readonly Lane[];
  readonly steps: readonly SequenceStep[];
  /** How many steps were reached. */
  readonly reached: number;
  /** Number of requests that are not drawn because the flow has too many, and the number of the step before them. */
  readonly omitted?: { readonly after: number; readonly count: number };
}

export interface Drawing {
  readonly flow: Flow;
  /** The lane that calls the token endpoint: the device in the device grant. */
  readonly client: 'client' | 'device';
  readonly seen: Set<Milestone>;
}

/** Steps that later arrows depend on. */
export type Milestone =
  | 'opened'
  | 'redirected'
  | 'authorize'
  | 'login'
  | 'answered'
  | 'asked'
  | 'page'
  | 'decided'
  | 'tokens'
  | 'used'
  | 'logged out';

export type Draw = (request: RecordedRequest, drawing: Drawing) => readonly Arrow[];

export type Told = Pick<Arrow, 'words' | 'why' | 'reference'>;

/** An arrow without a recorded request: `part` is absent. */
export function arrow(from: LaneId, to: LaneId, title: string, told: Told): Arrow {
  return { from, to, title, ...told };
}

/** A request to this server, together with its answer. */
export function asks({ event }: RecordedRequest, from: LaneId, told: Told): Arrow {
  return { ...arrow(from, 'idp', `${event.method} ${event.path}`, told), part: 'both' };
}

/** An answer as a separate arrow; `what` names its content, such as `access_token, id_token`. */
export function answers({ event }: RecordedRequest, to: LaneId, what: string, told: Told): Arrow {
  return { ...arrow('idp', to, `${event.status} ${what}`, told), isResponse: true, part: 'response' };
}

/** A request arrow and its answer arrow; only one arrow if the request was refused. */
export function asksAndGets(request: RecordedRequest, from: LaneId, told: Told, answer: Arrow): readonly Arrow[] {
  const asked = asks(request, from, told);
  return refusalOf(request) === undefined ? [{ ...asked, part: 'request' }, answer] : [asked];
}

const order: readonly LaneId[] = ['browser', 'device', 'client', 'idp', 'api'];

const names: Readonly<Record<LaneId, string>> = {
  browser: 'Browser',
  device: 'Device',
  client: 'Client',
  idp: 'Server',
  api: 'API',
};

/** The lanes that the steps use, from left to right. The client lane is named after the kind of client. */
export function lanesOf(flow: Flow, steps: readonly Pick<SequenceStep, 'from' | 'to' | 'onwardTo'>[]): Lane[] {
  const used = new Set(
    steps.flatMap(({ from, to, onwardTo }) => [from, to, ...(onwardTo === undefined ? [] : [onwardTo])]),
  );
  return order.filter(id => used.has(id)).map(id => ({ id, name: nameOf(id, flow) }));
}

function nameOf(id: LaneId, flow: Flow): string {
  const { kind, resources = [] } = flow;
  if (id === 'client' && kind === 'setup') return 'Caller';
  if (id === 'client' && isBrowserApp(flow)) return 'Browser app';
  return id === 'api' && resources.some(isMcp) ? 'MCP server' : names[id];
}

/** Whether a script in the browser sent the requests, so that the application has no back channel. */
export function isBrowserApp({ steps }: Pick<Flow, 'steps'>): boolean {
  return steps.some(({ channel, method }) => channel === 'browser' && method !== 'OPTIONS');
}

/** Guesses an MCP server from the resource URI: the Model Context Protocol gives no other sign. */
function isMcp(resource: string): boolean {
  return /[/.-]mcp(?:[/.:-]|$)|^[a-z]+:\/\/mcp\b/i.test(resource);
}
