import type { ClockChanged } from '../clock/clock-events.ts';
import type { AppEvent } from './app-events.ts';
import type { BreakpointEvent } from './breakpoint-events.ts';
import type { ClientEvent } from './client-events.ts';
import type { ConfigurationEvent } from './configuration-events.ts';
import type { ConsentEvent } from './consent-events.ts';
import type { DecisionEvent } from './decision-events.ts';
import type { Exchange } from './exchange.ts';
import type { FaultEvent } from './fault-events.ts';
import type { KeyEvent } from './key-events.ts';
import type { LessonEvent } from './lesson-events.ts';
import type { LoginEvent } from './login-events.ts';
import type { TokenEvent } from './token-events.ts';

export type { LoginRule } from './login-events.ts';
export type { CodeIssued, TokenIssued, TokenType } from './token-events.ts';

/** Members of every event. `id` counts up from 1 in one sandbox; `at` is in Unix seconds with a fraction. */
export interface EventStamp {
  readonly id: number;
  readonly at: number;
  /** The request that caused it, `req_…`, or the call of the library, `call_…`; events of the sandbox itself carry `sandbox`. */
  readonly requestId: string;
}

/** The status of a request whose client hung up before the answer, as nginx counts it; never on the wire. */
export const clientClosedRequest = 499;

/** The status of a request whose connection a fault closed instead of an answer, as nginx counts it; never on the wire. */
export const connectionDropped = 444;

/** A finished answer of any endpoint. */
interface Served {
  /** The route's name: `token`, `authorize`, `discovery`, `jwks`, `userinfo`, `api`, `dashboard`, … */
  readonly endpoint: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Status of the answer, or `clientClosedRequest`, or `connectionDropped`; 500 for an answer that an error of the sandbox broke off. */
  readonly status: number;
  readonly milliseconds: number;
}
export interface RequestCompleted extends Served {
  readonly type: 'request.completed';
  /** Names of the injected faults; absent where there were none. */
  readonly faults?: readonly string[];
  /** Set if a page of the sandbox sent the request for a learner. */
  readonly by?: 'playground';
  /** The recorded request and answer. */
  readonly exchange: Exchange;
}
/** A view of the dashboard, its assets or the health check: a separate type keeps these views out of the lists. */
export interface PageServed extends Served {
  readonly type: 'page.served';
}
export interface ClientAuthenticated {
  readonly type: 'client.authenticated';
  readonly client_id: string;
  readonly method: string;
}
export interface TokenRequested {
  readonly type: 'token.requested';
  readonly client_id: string;
  readonly grant_type: string;
  readonly scope?: string;
  /** Parameters that were sent and are ignored. */
  readonly ignored: readonly string[];
}

/** A browser arrived at the authorization endpoint with the request of a client. */
export interface AuthorizationRequested {
  readonly type: 'authorization.requested';
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly response_type: string;
  readonly response_mode: string;
  /** Absent for plain parameters. */
  readonly source?: 'pushed' | 'request_object';
  readonly scope?: string;
  readonly prompt?: string;
  readonly code_challenge_method?: string;
  readonly ignored: readonly string[];
}

/** A client pushed an authorization request (RFC 9126). */
export interface AuthorizationPushed {
  readonly type: 'authorization.pushed';
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly request_uri: string;
  readonly scope?: string;
  /** True if the parameters came in a signed request object. */
  readonly isSigned: boolean;
  readonly ignored: readonly string[];
}
export interface SessionEnded {
  readonly type: 'session.ended';
  readonly sub: string;
  readonly sid: string;
  readonly client_id?: string;
  /** The `sub` of the user who logged in after it in the same browser; absent after a logout. */
  readonly replacedBy?: string;
  /** In the dashboard or by a call; absent after a logout. */
  readonly endedBy?: 'owner';
}
/** A client was notified, or could not be notified, that a session ended. */
export interface LogoutNotified {
  readonly type: 'logout.notified';
  readonly client_id: string;
  readonly sid: string;
  /** `front`: by an iframe of our page, and only the browser knows what came of it. */
  readonly channel: 'back' | 'front';
  readonly url: string;
  /** Status of the client's answer. */
  readonly status?: number;
  readonly milliseconds?: number;
  /** Why there was no answer, or no notice. */
  readonly failure?: string;
}

/** A request was refused with an error. */
export interface ErrorReturned {
  readonly type: 'error.returned';
  readonly endpoint: string;
  readonly status: number;
  /** The registered code, `invalid_grant`. */
  readonly error: string;
  /** Exact cause, from our closed vocabulary: `pkce_mismatch`. */
  readonly reason: string;
  readonly description: string;
  readonly sent?: string;
  readonly expected?: string;
  readonly client_id?: string;
  /** The `tok_…` of the refused token or code, and its authorization, if they are certain. */
  readonly about?: string;
  readonly authorizationId?: string;
  /** Form in which it reached the caller; `cors`: by missing headers, so that the browser hides the answer. */
  readonly form: 'json' | 'page' | 'redirect' | 'challenge' | 'problem' | 'cors';
}
/** An event before the log adds its id and time. */
export type EventFact =
  | RequestCompleted
  | PageServed
  | ClientAuthenticated
  | TokenRequested
  | AuthorizationRequested
  | AuthorizationPushed
  | LoginEvent
  | AppEvent
  | DecisionEvent
  | ConsentEvent
  | TokenEvent
  | SessionEnded
  | LogoutNotified
  | ErrorReturned
  | KeyEvent
  | ClientEvent
  | ConfigurationEvent
  | LessonEvent
  | ClockChanged
  | BreakpointEvent
  | FaultEvent;

/** The `type` of an event, such as `token.issued`. */
export type EventType = EventFact['type'];

/** An event of the log: the facts of its type, with its id, time and request. */
export type SandboxEvent = EventFact & EventStamp;

/** The event of one type: `EventOf<'token.issued'>`. */
export type EventOf<T extends EventType> = Extract<EventFact, { type: T }> & EventStamp;

/** Adds an event to the log. Each request carries one that is bound to its id. */
export type Emit = (fact: EventFact) => void;
