import type { EventOf } from '../../base/events/event.ts';
import type { Pieces } from '../../base/turns.ts';

/** The kinds of flows. A flow is all requests of one login, token request or logout. */
export const flowKinds = [
  'authorization_code',
  'implicit',
  'hybrid',
  'client_credentials',
  'device',
  'ciba',
  'password',
  'token_exchange',
  'jwt_bearer',
  /** A refresh whose login is not in the history. */
  'refresh_token',
  'logout',
  'registration',
  /** Requests for metadata and keys, one flow for each caller. */
  'setup',
  /** Calls with a token whose login is not in the history. */
  'calls',
  'other',
] as const;
export type FlowKind = (typeof flowKinds)[number];

/** `open`: more requests may follow. `abandoned`: no request followed in time. `failed`: the last answer was a refusal. */
export type FlowStatus = 'open' | 'ok' | 'failed' | 'abandoned';

/** Why a request belongs to a flow: a value that the protocol passes on, or `inferred` (same client and redirect URI within 30 s). */
export const joinRules = [
  'first',
  'code',
  'state',
  'request_uri',
  'device_code',
  'auth_req_id',
  'refresh_token',
  'jti',
  'token',
  'session',
  /** Only for metadata and keys: the same IP address and User-Agent shortly before. */
  'caller',
  'inferred',
] as const;
export type JoinRule = (typeof joinRules)[number];

/** The sender of a request, guessed from the request. */
export type Actor = 'browser' | 'client' | 'api' | 'tool' | 'unknown';

/** A recorded request as a step of a flow. */
export interface FlowStep {
  readonly requestId: string;
  /** Unix seconds, at the end of the request. */
  readonly at: number;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** `browser`: a script in the browser sent it, or the browser sent its preflight, so there is no back channel. */
  readonly channel: 'front' | 'back' | 'browser';
  readonly actor: Actor;
  readonly joinedBy: JoinRule;
  /** Names of the injected faults; absent if there were none. */
  readonly faults?: readonly string[];
  /** The reason of a refusal; absent if the request was not refused. */
  readonly refusal?: Pick<EventOf<'error.returned'>, 'error' | 'reason' | 'description'>;
}

/** All requests of one login, token request, logout or other purpose. */
export interface Flow {
  /** `flow_…`, derived from the id of its first request. */
  readonly id: string;
  readonly kind: FlowKind;
  readonly client_id?: string;
  readonly sub?: string;
  readonly status: FlowStatus;
  /** Unix seconds, at the start of the first request. */
  readonly startedAt: number;
  /** Unix seconds, at the end of the last request. */
  readonly lastAt: number;
  /** Id of the event that ended its last request. */
  readonly lastEventId: number;
  /** In the order of their answers. */
  readonly steps: readonly FlowStep[];
  /** Ids (`tok_…`) of all issued codes and tokens, oldest first. */
  readonly tokenIds: readonly string[];
  readonly authorizationIds: readonly string[];
  readonly redirect_uri?: string;
  /** The requested resources (RFC 8707); absent if the client named none. */
  readonly resources?: readonly string[];
  /** The login session that the flow created or ended; several flows may share it. */
  readonly sid?: string;
  /** Unix seconds: expiry of the code, device code or `auth_req_id` that the flow waits with. */
  readonly waitsUntil?: number;
  /** True if the history no longer has all its requests. */
  readonly incomplete: boolean;
}

/** The flows of a log. Each query first reads the new events, so that recording a request costs nothing. */
export interface FlowIndex {
  /** Reads the new events in pieces. The other methods read them in one go. */
  catchUp(): Pieces<void>;
  /** The newest flows first, older than the flow with the id `before`. */
  latest(limit: number, before?: string): readonly Flow[];
  /** Like `latest` without a limit. Each flow is built only when it is read, because building all of them is slow. */
  newestFirst(before?: string): Iterable<Flow>;
  find(id: string): Flow | undefined;
  ofRequest(requestId: string): Flow | undefined;
  ofToken(tokenId: string): Flow | undefined;
  /** The flows of one login session, oldest first. */
  ofSession(sid: string): readonly Flow[];
  /** Number of flows since the start, including forgotten ones, without those of kind `setup`. */
  count(): number;
  /** Number of flows in the history. */
  kept(): number;
}

export const flowKindWords: Readonly<Record<FlowKind, string>> = {
  authorization_code: 'Sign-in with a code',
  implicit: 'Implicit sign-in',
  hybrid: 'Hybrid sign-in',
  client_credentials: 'Client credentials',
  device: 'Device sign-in',
  ciba: 'Backchannel sign-in',
  password: 'Password grant',
  token_exchange: 'Token exchange',
  jwt_bearer: 'JWT bearer',
  refresh_token: 'Refresh',
  logout: 'Logout',
  registration: 'Registration',
  setup: 'Metadata and keys',
  calls: 'API calls',
  other: 'Requests',
};

/** The title of a flow: `Sign-in with a code, frontend, alice`. */
export function flowTitle({ kind, client_id, sub }: Pick<Flow, 'kind' | 'client_id' | 'sub'>): string {
  return [flowKindWords[kind], client_id, sub].filter(part => part !== undefined).join(', ');
}
