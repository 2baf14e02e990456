import type { EventOf, SandboxEvent } from '../../events/event.ts';
import type { Flow, FlowStep } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import type { ParameterGroup } from './parts.ts';

/** Who takes part, from left to right. */
export type LaneId = 'browser' | 'device' | 'client' | 'idp' | 'api';

export interface Lane {
  readonly id: LaneId;
  readonly name: string;
}

/**
 * `recorded`: it came over our wire. `inferred`: it happens where this server sees nothing. `never-reached`: what would have
 * come next.
 */
export type StepCertainty = 'recorded' | 'inferred' | 'never-reached';

/** An arrow of the picture, before it is numbered. */
export interface Arrow {
  readonly from: LaneId;
  readonly to: LaneId;
  /** A redirect is an answer to the browser, and meant for somebody else. */
  readonly onwardTo?: LaneId;
  /** An answer, and not a request. */
  readonly isResponse?: true;
  /** `POST /oauth2/token`, `302 /callback?code&state`. */
  readonly title: string;
  /** What is done by it, in few words. */
  readonly words: string;
  /** What it is for. */
  readonly why: string;
  /** `RFC 6749 §4.1.1`; empty where no standard has a word for it. */
  readonly reference: string;
  /** How much of the exchange it stands for, `event` for what this server did besides; absent for what was not recorded. */
  readonly part?: 'request' | 'response' | 'both' | 'event';
  /** What it is the picture of, where that is no part of the exchange. */
  readonly fact?: SandboxEvent;
}

/** Why a request was refused, with both values. */
export interface StepRefusal
  extends Pick<EventOf<'error.returned'>, 'error' | 'reason' | 'description' | 'sent' | 'expected'> {
  /** Part of how it goes: whoever asked will ask again. */
  readonly isPassing: boolean;
}

/** One numbered line of the picture. */
export interface SequenceStep extends Omit<Arrow, 'part' | 'fact'> {
  /** From 1. */
  readonly number: number;
  readonly certainty: StepCertainty;
  /** Of what was recorded. */
  readonly record?: StepRecord;
}

/** What was recorded of a step. */
export interface StepRecord extends Pick<FlowStep, 'requestId' | 'at' | 'channel' | 'actor' | 'joinedBy' | 'status'> {
  readonly milliseconds: number;
  readonly refusal?: StepRefusal;
  /** What went wrong on purpose; told with the answer. */
  readonly faults: readonly string[];
  /** What happened in the request besides, each with one of its arrows: what was issued with the answer. */
  readonly facts: readonly SandboxEvent[];
  /** Requests of the same kind with the same answer, this one included, oldest first; one where there are no others. */
  readonly requestIds: readonly string[];
  /** Its parameters, explained; read when they are asked for. */
  readonly groups: readonly ParameterGroup[];
}

/** A flow as a picture. */
export interface Sequence {
  /** Only those who took part. */
  readonly lanes: readonly Lane[];
  readonly steps: readonly SequenceStep[];
  /** How many steps were reached. */
  readonly reached: number;
  /** Requests in the middle that are not drawn, because there are too many, and the number of the step before them. */
  readonly omitted?: { readonly after: number; readonly count: number };
}

/** What a drawing may look at. */
export interface Drawing {
  readonly flow: Flow;
  /** Who asks the token endpoint: a device in the device grant. */
  readonly client: 'client' | 'device';
  /** What was drawn before. */
  readonly seen: Set<Milestone>;
}

/** How far it has come. */
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

/** Draws one request. */
export type Draw = (request: RecordedRequest, drawing: Drawing) => readonly Arrow[];
