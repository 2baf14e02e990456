import type { ClientCatalogue } from '../catalogue/catalogue.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { ControlGate } from '../control/api/control-gate.ts';
import type { Control } from '../control/control.ts';
import type { FaultControl } from '../control/faults.ts';
import type { MintDesk } from '../control/mint-desk.ts';
import type { ShortLivedIssuers } from '../control/short-lived.ts';
import type { EventLog } from '../events/event-log.ts';
import type { FileState } from '../events/file-state.ts';
import type { Views } from '../http/views.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { SignatureCheck } from '../oauth/tokens/verify-signature.ts';
import type { TestUser } from '../oauth/users/user.ts';

type FieldType = 'string' | 'number' | 'integer' | 'boolean';

/** A collection of the sample backend, as far as a page shows it. */
export interface SampleCollection {
  readonly name: string;
  readonly readScope?: string;
  readonly writeScope?: string;
  /** RFC 9470: what the login behind a token must have been; ages in seconds. */
  readonly readAcrValues?: readonly string[];
  readonly readMaxAge?: number;
  readonly writeAcrValues?: readonly string[];
  readonly writeMaxAge?: number;
  /** Fields besides `id`: the example body of a POST where there is no seed. */
  readonly fields: Readonly<Record<string, { readonly type: FieldType; readonly required: boolean }>>;
  /** The first row, without its `id`, is the example body of a POST. */
  readonly seed?: readonly Readonly<Record<string, unknown>>[];
}

/** An address to show: `{ name: 'token', method: 'POST', path: '/oauth2/token' }`, with the path of the issuer. */
export interface EndpointFact {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

export type { SignatureCheck } from '../oauth/tokens/verify-signature.ts';

/** The checks that the sample backend makes of a token. */
export interface ApiRules {
  /** One of these must be in `aud`; empty: `aud` is compared only where it was asked for by `resource`. */
  readonly audience: readonly string[];
  /** `local` verifies the token and knows nothing of revocations. */
  readonly tokenCheck: 'local' | 'introspection';
  /** Whether `aud` lets a token in at this collection. */
  readonly fits: (claims: Readonly<Record<string, unknown>>, collection: string) => boolean;
}

/** A setting with its value and the place it is from. */
export interface SettingFact {
  readonly group: string;
  /** The environment variable: `CORS_ORIGINS`. */
  readonly name: string;
  readonly help: string;
  readonly value: string;
  /** `environment PORT`, `default`. */
  readonly from: string;
}

/** A request to this sandbox itself. */
export interface SelfRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer to a request to this sandbox. */
export interface SelfAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** `X-Request-Id`: how it is called in the log. */
  readonly requestId: string;
}

/** How the sandbox is reached, and how it was started. */
export interface Reach {
  /** An origin. */
  readonly backchannelUrl?: string;
  readonly allowedHosts: readonly string[];
  /** The protocol of the sandbox itself; a proxy in front of it may use a different one. */
  readonly scheme: 'http' | 'https';
  /** The server certificate is by a CA made on start. */
  readonly hasOwnCa: boolean;
  readonly configFile?: string;
  readonly loginMode: 'picker' | 'password';
  readonly canRegister: boolean;
}

/** The facts that the server gives to the dashboard; it reads everything else in the event log. */
export interface DashboardOptions {
  readonly events: EventLog;
  readonly views: Views;
  readonly issuer: string;
  /** Of Grantbox. */
  readonly version: string;
  /** Tells two running sandboxes apart; empty for none. */
  readonly label: string;
  /** The path of the issuer, before every path of its own; mostly empty. */
  readonly base: string;
  readonly clients: readonly RegisteredClient[];
  /** All there are now: those of the configuration, and those that registered themselves. */
  readonly registered: () => Iterable<RegisteredClient>;
  readonly users: readonly TestUser[];
  /** All there are now: those of the configuration, and those that were added since. */
  readonly accounts: () => Iterable<TestUser>;
  /** Whether requests are recorded with headers and bodies. */
  readonly recording: boolean;
  /** `readonly` shows everything and changes nothing. */
  readonly access: 'on' | 'readonly';
  /** Origins besides its own that may read the event stream and the JSON. */
  readonly allowedOrigins: readonly string[];
  /** The parts of the configuration that can be changed while the sandbox runs. */
  readonly control: Control;
  /** The check of who may see the dashboard; absent if everybody who can connect may. */
  readonly gate?: ControlGate | undefined;
  /** Absent where no tokens are minted. */
  readonly mint?: MintDesk;
  /** Issuers that come and go; absent where none are made. */
  readonly issuers?: (() => Promise<ShortLivedIssuers>) | undefined;
  /** The ready clients, which are read when their page is opened. */
  readonly catalogue: {
    /** Whether this issuer has them. */
    readonly isOn: () => boolean;
    /** The ids for which the user has a client of their own. */
    readonly replaced: () => readonly string[];
    readonly read: () => Promise<ClientCatalogue>;
  };
  /** Whether there are lessons, at `/lessons`. */
  readonly hasLessons?: boolean;
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly SampleCollection[];
  readonly api: ApiRules;
  /** The routes of the server; `authorize`, `token`, `userinfo` and `discovery` are looked up by name. */
  readonly endpoints: readonly EndpointFact[];
  readonly reach: Reach;
  /** Settings in effect; secrets are masked. */
  readonly settings: () => Promise<readonly SettingFact[]>;
  /** The file that was read; absent: the built-in one. */
  readonly configFile?: string;
  /** The result of the last reload of the configuration file. */
  readonly fileState: () => FileState;
  /** Unix seconds. */
  readonly clock: () => number;
  /** The same, and how it is moved. */
  readonly time: SandboxClock;
  /** The armed faults. Counting them loads no module, because every page shows the count. */
  readonly faults: { readonly control: () => Promise<FaultControl>; readonly armedCount: () => number };
  /** Unix seconds. */
  readonly startedAt: number;
  readonly verify: (jwt: string) => Promise<SignatureCheck>;
  /** Sends a request to this very sandbox over HTTP, as a client would: demo login, replay, try-it. */
  readonly send: (request: SelfRequest) => Promise<SelfAnswer>;
}
