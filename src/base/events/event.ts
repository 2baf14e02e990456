import type { ClockChanged } from '../clock.ts';
import type { ConfigurationEvent } from './configuration-events.ts';
import type { Exchange } from './exchange.ts';
import type { ConsentEvent, DecisionEvent, LoginEvent } from './login-events.ts';
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
  /** The page of the sandbox that sent the request for somebody who learns. */
  readonly by?: string;
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
/** An event of the core before the log adds its id and time. */
export type CoreEvent =
  | RequestCompleted
  | PageServed
  | ClientAuthenticated
  | TokenRequested
  | AuthorizationRequested
  | AuthorizationPushed
  | LoginEvent
  | DecisionEvent
  | ConsentEvent
  | TokenEvent
  | SessionEnded
  | LogoutNotified
  | ErrorReturned
  | KeyCreated
  | KeyRotated
  | ClientKeysFetched
  | ClientRegistered
  | ClientUpdated
  | ClientDeleted
  | ClientDocumentFetched
  | ClientDocumentRefused
  | ConfigurationEvent
  | ClockChanged
  | ResponseHeld
  | ResponseContinued
  | FaultApplied
  | FaultArmed
  | FaultDisarmed;

/** The events that extensions add, a member for each extension (`declare module '…/base/events/event.ts'`). */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add members
export interface ExtensionEvents {}

/** An event before the log adds its id and time. */
export type EventFact = CoreEvent | ExtensionEvents[keyof ExtensionEvents];

/** The `type` of an event, such as `token.issued`. */
export type EventType = EventFact['type'];

/** An event of the log: the facts of its type, with its id, time and request. */
export type SandboxEvent = EventFact & EventStamp;

/** The event of one type: `EventOf<'token.issued'>`. */
export type EventOf<T extends EventType> = Extract<EventFact, { type: T }> & EventStamp;

/** Adds an event to the log. Each request carries one that is bound to its id. */
export type Emit = (fact: EventFact) => void;

/** A signing key was created. */
interface KeyCreated {
  readonly type: 'key.created';
  readonly kid: string;
  readonly alg: string;
}

/** A new key of an algorithm replaced the signing one. */
interface KeyRotated {
  readonly type: 'key.rotated';
  readonly alg: string;
  /** `kid` of the key that signs from now on. */
  readonly kid: string;
  /** `kid` of the previous key. */
  readonly replaced: string;
  /** Unix seconds: until then the key before it is in the JWK Set. */
  readonly publishedUntil: number;
}

// Clients: registered by themselves, identified by a document, and their keys.

interface ClientKeysFetched {
  readonly type: 'client_keys.fetched';
  readonly client_id: string;
  readonly jwks_uri: string;
  readonly kids: readonly string[];
}
interface ClientRegistered {
  readonly type: 'client.registered';
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly scope: string;
}
interface ClientUpdated extends Omit<ClientRegistered, 'type'> {
  readonly type: 'client.updated';
}
interface ClientDeleted {
  readonly type: 'client.deleted';
  readonly client_id: string;
}
interface ClientDocumentFetched {
  readonly type: 'client_document.fetched';
  /** The address of the document. */
  readonly client_id: string;
  /** Seconds it is kept. */
  readonly keptFor: number;
  readonly milliseconds: number;
}
interface ClientDocumentRefused {
  readonly type: 'client_document.refused';
  readonly client_id: string;
  /** Problem of the document, or of fetching it. */
  readonly description: string;
}

/** A breakpoint holds a finished response back. */
interface ResponseHeld {
  readonly type: 'response.held';
  /** `brk_…` */
  readonly breakpointId: string;
  readonly endpoint: string;
  readonly status: number;
  /** The address that a redirect leads to. */
  readonly location?: string;
}

/** A held response went on its way. */
export interface ResponseContinued {
  readonly type: 'response.continued';
  readonly endpoint: string;
  /** `breakpoint`: the breakpoint was removed; `time`: its time was over; `gone`: the client closed the connection. */
  readonly by: 'call' | 'breakpoint' | 'time' | 'gone';
}

/** The kind of effect, as in the catalogue: it delays, replaces or changes the answer, changes a token, … */
type FaultEffectName =
  | 'wait'
  | 'hold'
  | 'rotate'
  | 'demand_nonce'
  | 'race'
  | 'answer'
  | 'bend'
  | 'respond'
  | 'replace'
  | 'forge'
  | 'cut';

/** An injected fault was applied: errors of this request are not reported as problems. */
interface FaultApplied {
  readonly type: 'fault.applied';
  /** Name in the catalogue: `token_error`. */
  readonly fault: string;
  /** Kind of its effect: only some change later requests of the client. */
  readonly effect: FaultEffectName;
  /** `flt_…`; absent for a setting of the client, the name of a user, and the request's own header. */
  readonly faultId?: string;
  readonly endpoint: string;
  readonly client_id?: string;
  readonly sub?: string;
}

/** A fault was armed. */
interface FaultArmed {
  readonly type: 'fault.armed';
  readonly faultId: string;
  readonly fault: string;
  readonly endpoint: string;
  readonly client_id?: string;
  readonly sub?: string;
  /** Number of requests it will affect. */
  readonly times: number | 'always';
  readonly by: 'api' | 'dashboard' | 'library';
}

/** A fault ended: it was disarmed, used up, or its time was over. */
interface FaultDisarmed {
  readonly type: 'fault.disarmed';
  readonly faultId: string;
  readonly fault: string;
  /** Number of requests it has affected. */
  readonly met: number;
}
