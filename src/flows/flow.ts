import type { EventOf } from '../events/event.ts';
import type { Pieces } from '../turns/in-turns.ts';

/** What somebody tried to do, from the first request to the last. */
export type FlowKind =
  | 'authorization_code'
  | 'implicit'
  | 'hybrid'
  | 'client_credentials'
  | 'device'
  | 'ciba'
  | 'password'
  | 'token_exchange'
  | 'jwt_bearer'
  /** A refresh token whose beginning was not seen, or is forgotten. */
  | 'refresh_token'
  | 'logout'
  | 'registration'
  /** Metadata and keys, by caller. */
  | 'setup'
  /** Calls with a token whose beginning was not seen, or is forgotten. */
  | 'calls'
  | 'other';

/** `open`: may still go on; `abandoned`: did not go on for a while; `failed`: its last word was a refusal. */
export type FlowStatus = 'open' | 'ok' | 'failed' | 'abandoned';

/** Why a request belongs to a flow: by what the protocol hands on, or, for want of that, `inferred` (same client and redirect URI within 30 s). */
export type JoinRule =
  | 'first'
  | 'code'
  | 'state'
  | 'request_uri'
  | 'device_code'
  | 'auth_req_id'
  | 'refresh_token'
  | 'jti'
  | 'token'
  | 'session'
  /** Metadata and keys, which nothing but their caller joins: the same address and User-Agent a moment ago. */
  | 'caller'
  | 'inferred';

/** Who asked, as far as the request shows. */
export type Actor = 'browser' | 'client' | 'api' | 'tool' | 'unknown';

/** A request that was recorded, as a step of a flow. */
export interface FlowStep {
  readonly requestId: string;
  /** Seconds, of the end of the request. */
  readonly at: number;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** `browser`: a script in the browser asked, or the browser before it, so that there is no back channel. */
  readonly channel: 'front' | 'back' | 'browser';
  readonly actor: Actor;
  readonly joinedBy: JoinRule;
  /** What went wrong on purpose; absent where nothing did. */
  readonly faults?: readonly string[];
  /** Why it was refused, if it was. */
  readonly refusal?: Pick<EventOf<'error.returned'>, 'error' | 'reason' | 'description'>;
}

export interface Flow {
  /** `flow_…`, from the id of its first request. */
  readonly id: string;
  readonly kind: FlowKind;
  readonly client_id?: string;
  readonly sub?: string;
  readonly status: FlowStatus;
  /** Seconds. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** Of the log: the end of its last request. */
  readonly lastEventId: number;
  /** In the order they were answered. */
  readonly steps: readonly FlowStep[];
  /** `tok_…` of all that was issued in it, oldest first. */
  readonly tokenIds: readonly string[];
  readonly authorizationIds: readonly string[];
  readonly redirect_uri?: string;
  /** What tokens were asked for (RFC 8707); absent where nothing was said. */
  readonly resources?: readonly string[];
  /** Of the login it made or ended; several flows may share it. */
  readonly sid?: string;
  /** Seconds: until then the code, the device code or the `auth_req_id` it waits with is good. */
  readonly waitsUntil?: number;
  /** Whether requests of it are forgotten already. */
  readonly incomplete: boolean;
}

/** The flows of the log. It catches up with the log when it is asked, so that recording costs a request nothing. */
export interface FlowIndex {
  /** Reads what is new in the log, which everything else does at once. */
  catchUp(): Pieces<void>;
  /** Newest first. */
  latest(limit: number, before?: string): readonly Flow[];
  /** The same without a limit, each of them made when it is asked for: to make all takes a while. */
  newestFirst(before?: string): Iterable<Flow>;
  find(id: string): Flow | undefined;
  ofRequest(requestId: string): Flow | undefined;
  ofToken(tokenId: string): Flow | undefined;
  /** All that happened in one login at this server, oldest first. */
  ofSession(sid: string): readonly Flow[];
  /** Flows since the start, the forgotten ones included, without those of kind `setup`. */
  count(): number;
  /** Flows that are kept. */
  kept(): number;
}
