import type { Duration } from '../../base/text/duration.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { JwtDraft, TokenOfServer } from '../../protocol/tokens/signing-key.ts';
import type { Session } from '../../protocol/users/session.ts';
import type { ForgedJwt } from './forge-jwt.ts';

/** The place where a fault appears, a group of the catalogue. */
export type FaultPlace = 'transport' | 'metadata' | 'keys' | 'authorize' | 'token' | 'jwt' | 'userinfo' | 'api';

/** Optional parameters of a fault; each has a default. */
export interface FaultParameters {
  /** Seconds to wait, or the value of `Retry-After`. */
  readonly seconds?: number;
  /** The OAuth error code it answers with. */
  readonly error?: string;
  /** The member or claim it leaves out. */
  readonly member?: string;
  /** The HTTP status it answers with, 400 to 599. */
  readonly status?: number;
  /** Members, claims or parameters that it adds or replaces; `null` removes one. */
  readonly change?: ParsedObject;
  /** Members of the JOSE header, in the same way. */
  readonly header?: ParsedObject;
}

/** An answer as a value; `http/` writes it. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A session that began with the replaced answer. */
  readonly signedIn?: Session;
}

/** Effects on an answer on its way out. */
export type Fate = 'drop' | 'truncate' | 'no_cors' | 'challenge_case';

/** Input for changing an answer. */
export interface FaultContext {
  readonly parameters: Required<FaultParameters>;
  readonly issuer: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Implementation of a fault. */
export type FaultEffect =
  /** Waits, and then continues normally. */
  | { readonly does: 'wait'; seconds(context: FaultContext): number }
  /** Waits until the client hangs up; continues normally once the fault is disarmed. */
  | { readonly does: 'hold' }
  /** New keys sign from now on, and the old ones are published no longer. */
  | { readonly does: 'rotate' }
  /** Demands a nonce in each DPoP proof (RFC 9449 §8). */
  | { readonly does: 'demand_nonce' }
  /** Asks the endpoint twice with the same request and gives the second answer; the first went to another tab. */
  | { readonly does: 'race' }
  /** Answers, and the endpoint is never asked: nothing is used up, and a second try can succeed. */
  | { readonly does: 'answer'; answer(context: FaultContext): FaultAnswer }
  /** Changes the JSON of a good answer. */
  | { readonly does: 'bend'; bend(body: ParsedObject, context: FaultContext): ParsedObject }
  /** Changes the parameters of an authorization response. */
  | { readonly does: 'respond'; respond(parameters: TextObject, context: FaultContext): TextObject }
  /** Answers in place of an authorization response that sends the browser on. */
  | { readonly does: 'replace'; replace(location: string, context: FaultContext): FaultAnswer }
  /** Changes what an access token (or ID token) says, or how it is signed. */
  | { readonly does: 'forge'; forge(draft: JwtDraft, context: FaultContext): Promise<ForgedJwt> }
  | { readonly does: 'cut'; readonly fate: Fate };

export type Effect = FaultEffect['does'];

export type TextObject = Readonly<Record<string, string>>;

/** One entry of the catalogue. */
export interface FaultKind {
  /** The name, such as `token_error`. */
  readonly name: string;
  readonly place: FaultPlace;
  /** A few words, for a button. */
  readonly title: string;
  /** One sentence: what the client sees. */
  readonly about: string;
  /** The endpoints it can be armed for, by their names in events. Empty: any. */
  readonly endpoints: readonly string[];
  /** The default endpoint. */
  readonly endpoint: string;
  /** Parameters with their defaults. */
  readonly parameters: FaultParameters;
  /** The kinds of token that a token fault can change. */
  readonly tokens?: readonly TokenOfServer[];
  /** The default kind; absent for the first of `tokens`. */
  readonly token?: 'both';
  readonly effect: FaultEffect;
}

/** A request to arm a fault: the requests it affects, and their number. Durations may be text: `90s`, `5m`. */
export interface AskedFault extends Omit<FaultOrder, 'seconds' | 'for'> {
  /** Time to wait, or the value of `Retry-After`. */
  readonly seconds?: Duration;
  /** The time until the fault ends. */
  readonly for?: Duration;
}

/** The same with durations in seconds. */
export interface FaultOrder extends FaultParameters {
  /** Name in the catalogue. */
  readonly fault: string;
  /** The endpoint, as events call it: `token`, `jwks`, `api`; `any` for all. */
  readonly endpoint?: string;
  /** `client_id`; absent: any. */
  readonly client?: string;
  /** `sub`; absent: any. */
  readonly user?: string;
  /** The kind of token that a token fault changes; `both`: access tokens and ID tokens. Default: `access`, if the fault can change it. */
  readonly token?: TokenOfServer | 'both';
  /** Number of requests to affect, 1 to a million; `always` for no end. Default: 1. */
  readonly times?: number | 'always';
  /** Probability to affect a request, more than 0, up to 1. Default: 1. */
  readonly probability?: number;
  /** Seconds from now until the fault ends. */
  readonly for?: number;
}

/** The caller that armed the fault. */
export type ArmedBy = 'api' | 'dashboard' | 'library';

/** An armed fault. */
export interface ArmedFault extends FaultOrder {
  /** `flt_…` */
  readonly id: string;
  /** Name of the endpoint it applies to, such as `token`. */
  readonly endpoint: string;
  /** Number of requests affected so far. */
  readonly met: number;
  /** Number of requests still to affect. */
  readonly times: number | 'always';
  /** Number of requests it holds back now; absent for none. */
  readonly holds?: number;
  /** Unix seconds. */
  readonly armedAt: number;
  /** Unix seconds of real time at which it ends; absent if only requests use it up. */
  readonly until?: number;
  /** The caller that armed it. */
  readonly by: ArmedBy;
}

/** The client and user of a request, as far as they are known. */
export interface FaultTarget {
  readonly endpoint: string;
  readonly client_id?: string | undefined;
  readonly sub?: string | undefined;
}

/** Charges a fault whose budget all replicas share; undefined for one that is over. */
export type SharedCharge = (fault: ArmedFault, stays: boolean) => Promise<ArmedFault | undefined>;
