import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import type { SandboxClock } from '../base/clock.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import type { RegisteredClient } from '../protocol/clients/client.ts';
import type { KnownApis } from '../protocol/judge-claims.ts';
import type { ScopeDefinition } from '../protocol/scope.ts';
import type { SignatureCheck } from '../protocol/tokens/verify-signature.ts';
import type { TestUser } from '../protocol/users/user.ts';
import type { FlowIndex } from '../record/flows/flow.ts';
import type { ProblemIndex } from '../record/problems/problem.ts';
import type { Views } from '../server/http/views.ts';
import type { ControlGate } from './control/api/control-gate.ts';
import type { Control } from './control/create-control.ts';
import type { FaultControl } from './control/faults.ts';
import type { MintDesk } from './control/mint-desk.ts';
import type { RunInTurn } from './control/replica-turn.ts';
import type { ShortLivedIssuers } from './control/short-lived.ts';
import type { SelfAnswer, SelfRequest } from './self-request.ts';

type FieldType = 'string' | 'number' | 'integer' | 'boolean';

/** The parts of a collection of the sample backend that pages show. */
export interface SampleCollection {
  readonly name: string;
  readonly readScope?: string;
  readonly writeScope?: string;
  /** Step-up authentication (RFC 9470): the required `acr`, and the maximal age of the login in seconds. */
  readonly readAcrValues?: readonly string[];
  readonly readMaxAge?: number;
  readonly writeAcrValues?: readonly string[];
  readonly writeMaxAge?: number;
  /** Fields without `id`. The example body of a POST is made from them if there is no seed. */
  readonly fields: Readonly<Record<string, { readonly type: FieldType; readonly required: boolean }>>;
  /** The first row, without its `id`, is the example body of a POST. */
  readonly seed?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The address of an endpoint, to show: `{ name: 'token', method: 'POST', path: '/oauth2/token' }`. The path includes the
 * issuer's path.
 */
export interface EndpointFact {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

export type { SignatureCheck } from '../protocol/tokens/verify-signature.ts';

/** The checks that the sample backend makes of a token. */
export interface ApiRules extends KnownApis {
  /** One of these must be in `aud`. Empty: `aud` is compared only if the request had a `resource`. */
  readonly audience: readonly string[];
  /** `local` verifies the signature and does not notice revocations. */
  readonly tokenCheck: 'local' | 'introspection';
}

/** A setting with its value and its source. */
interface SettingFact {
  readonly group: string;
  /** The environment variable: `CORS_ORIGINS`. */
  readonly name: string;
  readonly help: string;
  readonly value: string;
  /** `environment PORT`, `default`. */
  readonly from: string;
}

/** Something that the sandbox accumulates up to a limit. */
export interface LimitFact {
  readonly name: string;
  readonly what: string;
  /** The consequence of one more. */
  readonly whenFull: string;
  readonly used: number;
  readonly most: number;
  /** The variable that sets the limit; absent if it is fixed. */
  readonly setting?: string;
}

/** A provider whose wire the issuer speaks. */
export interface ProviderFacts {
  /** Such as `keycloak`. */
  readonly name: string;
  /** Such as `{ realm: 'demo' }`. */
  readonly options: Readonly<Record<string, string>>;
  /** The address below which the issuer is, without a slash at the end. */
  readonly address: string;
  /** The header `typ` of access tokens; empty: they have none. */
  readonly accessTokenType: string;
}

/** The addresses of the sandbox, and its start options that pages show. */
export interface Reach {
  /** An origin. */
  readonly backchannelUrl?: string;
  readonly allowedHosts: readonly string[];
  /** The protocol of the sandbox itself; a proxy in front of it may use a different one. */
  readonly scheme: 'http' | 'https';
  /** The server certificate is from a CA that was generated at the start. */
  readonly hasOwnCa: boolean;
  readonly configFile?: string;
  readonly loginMode: 'picker' | 'password';
  readonly canRegister: boolean;
  /** The provider whose wire the issuer speaks; absent: the standards as they are. */
  readonly provider?: ProviderFacts;
}

/** A recorded session that the dashboard shows read-only. */
export interface OpenedRecord {
  /** The name of the file, as typed. */
  readonly file: string;
  /** Unix seconds. */
  readonly recordedAt: number;
  readonly flows: FlowIndex;
  readonly problems: ProblemIndex;
}

/** The facts that the server gives to the dashboard; it reads everything else in the event log. */
export interface DashboardOptions {
  readonly events: EventLog;
  readonly views: Views;
  /** The address of the issuer. */
  readonly issuer: string;
  /** The issuer identifier, as in `iss` of tokens. */
  readonly iss: string;
  /** The version of Grantbox. */
  readonly version: string;
  /** Distinguishes several running sandboxes; empty for none. */
  readonly label: string;
  /** The path of the issuer, a prefix of all its paths; mostly empty. */
  readonly base: string;
  readonly clients: readonly RegisteredClient[];
  /** All current clients: configured ones, and those that registered themselves. */
  readonly registered: () => Iterable<RegisteredClient>;
  readonly users: readonly TestUser[];
  /** All current users: configured ones, and those added later. */
  readonly accounts: () => Iterable<TestUser>;
  /** Whether requests are recorded with headers and bodies. */
  readonly recording: boolean;
  /** Sentences about the drop-in relaxations that are on; absent for none. */
  readonly relaxed?: () => readonly string[];
  /** `readonly` shows everything and changes nothing. */
  readonly access: 'on' | 'readonly';
  /** Other origins that may read the event stream and the JSON. */
  readonly allowedOrigins: readonly string[];
  /** The parts of the configuration that can be changed while the sandbox runs. */
  readonly control: Control;
  readonly inTurn: RunInTurn;
  /** The check of who may see the dashboard; absent if every visitor may. */
  readonly gate?: ControlGate | undefined;
  /** Absent if this issuer mints no tokens. */
  readonly mint?: MintDesk;
  /** Short-lived issuers; absent if this issuer cannot create them. */
  readonly issuers?: (() => Promise<ShortLivedIssuers>) | undefined;
  /** The recorded session that is shown; absent for the history of a running sandbox. */
  readonly opened?: OpenedRecord | undefined;
  /** The address of the flow that the trainer of a workshop shows; empty for none, absent outside a seat. */
  readonly shown?: (() => string) | undefined;
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly SampleCollection[];
  readonly api: ApiRules;
  /** The routes of the server; `authorize`, `token`, `userinfo` and `discovery` are looked up by name. */
  readonly endpoints: readonly EndpointFact[];
  readonly reach: Reach;
  /** Settings in effect; secrets are masked. */
  readonly settings: () => Promise<readonly SettingFact[]>;
  /** The limits of what is accumulated, for this number of kept flows; absent if nobody counts. */
  readonly limits?: (flows: number) => Promise<readonly LimitFact[]>;
  /** The configuration file; absent for the built-in configuration. */
  readonly configFile?: string;
  /** Valid entries of the configuration that do nothing, with the line to add. */
  readonly withoutEffect: () => Promise<readonly string[]>;
  /** The result of the last reload of the configuration file. */
  readonly fileState: () => FileState;
  /** The most bytes of address and headers of a request. */
  readonly maxHeaderSize?: number;
  /** Unix seconds. */
  readonly clock: () => number;
  /** The clock, with the functions that move it. */
  readonly time: SandboxClock;
  /** The armed faults. Counting them loads no module, because every page shows the count. */
  readonly faults: { readonly control: () => Promise<FaultControl>; readonly armedCount: () => number };
  /** Unix seconds. */
  readonly startedAt: number;
  readonly verify: (jwt: string) => Promise<SignatureCheck>;
  /** Sends a request to this sandbox over HTTP, as a client would. The demo login, replay and Sample API use it. */
  readonly send: (request: SelfRequest) => Promise<SelfAnswer>;
}

/** A recorded session that a sandbox shows in place of its own history. */
export interface OpenedSession {
  /** Puts the recorded session in the place of the history of the sandbox. */
  show(options: DashboardOptions): DashboardOptions;
  /** Lets only pages through: the sandbox of a recorded session issues no tokens. */
  guard(listener: RequestListener): RequestListener;
}

/** The pages of one issuer. */
export interface Dashboard {
  /** The pages below `/dashboard`, and those of extensions, by path. */
  readonly routers: ReadonlyMap<string, RequestHandler>;
  /** Ends all live streams, because a stop must not wait for browsers. */
  close(): void;
}
