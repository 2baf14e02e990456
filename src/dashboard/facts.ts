import type { SandboxClock } from '../base/clock.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import { version } from '../package.ts';
import type { RegisteredClient } from '../protocol/clients/client.ts';
import { dropInSentences } from '../protocol/relaxation.ts';
import type { ScopeDefinition } from '../protocol/scope.ts';
import { type SignatureCheck, verifySignature } from '../protocol/tokens/verify-signature.ts';
import type { TestUser } from '../protocol/users/user.ts';
import type { FlowIndex } from '../record/flows/flow.ts';
import type { ProblemIndex } from '../record/problems/problem.ts';
import type { Describe } from '../record/words/event-words.ts';
import { describerOf } from '../sandbox/added-events.ts';
import type { CollectionConfig } from '../sandbox/config/config.ts';
import type { EffectiveSetting } from '../sandbox/config/effective-settings.ts';
import type { ControlGate } from '../sandbox/control/api/control-gate.ts';
import { clockOf } from '../sandbox/control/clock-of.ts';
import type { Control } from '../sandbox/control/create-control.ts';
import type { FaultControl } from '../sandbox/control/faults.ts';
import { createMintDesk, type MintDesk } from '../sandbox/control/mint-desk.ts';
import type { RunInTurn } from '../sandbox/control/replica-turn.ts';
import type { ShortLivedIssuers } from '../sandbox/control/short-lived.ts';
import type { DashboardTools, Issuer, OwnerNotices } from '../sandbox/extension.ts';
import { type ApiRules, apiRulesOf } from '../sandbox/front/sample-backend/sample-backend.ts';
import { type LimitFact, limitsOf } from '../sandbox/limits.ts';
import { type SelfAnswer, type SelfRequest, sendToSelf } from '../sandbox/self-request.ts';
import type { Views } from '../server/http/views.ts';

/** The parts of a collection of the sample backend that pages show. */
export type SampleCollection = Omit<CollectionConfig, 'seed'> & Partial<Pick<CollectionConfig, 'seed'>>;

/**
 * The address of an endpoint, to show: `{ name: 'token', method: 'POST', path: '/oauth2/token' }`. The path includes the
 * issuer's path.
 */
export interface EndpointFact {
  readonly name: string;
  readonly method: string;
  readonly path: string;
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
  /** Told to somebody who tries to change something: a record stays as it is, and this sentence says what to do instead. */
  readonly advice: string;
  /** Unix seconds. */
  readonly recordedAt: number;
  readonly flows: FlowIndex;
  readonly problems: ProblemIndex;
}

/** The facts that the server gives to the dashboard; it reads everything else in the event log. */
export interface DashboardFacts {
  readonly events: EventLog;
  readonly describe: Describe;
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
  /** The ids of the clients that extensions added to those of the configuration; absent for none. */
  readonly readyClients?: () => readonly string[];
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
  /** Lines above each page, of the extension that made the issuer. */
  readonly ownerNotices?: OwnerNotices | undefined;
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly SampleCollection[];
  readonly api: ApiRules;
  /** The routes of the server; `authorize`, `token`, `userinfo` and `discovery` are looked up by name. */
  readonly endpoints: readonly EndpointFact[];
  readonly reach: Reach;
  /** Settings in effect; secrets are masked. */
  readonly settings: () => Promise<readonly EffectiveSetting[]>;
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

/** The facts of a running issuer. */
export function factsOf(issuer: Issuer, tools: DashboardTools): DashboardFacts {
  const { config, server, events, first } = issuer;
  return {
    ...tools,
    events,
    describe: describerOf(issuer.extensions.all),
    issuer: server.issuer,
    iss: server.iss,
    version,
    label: config.label,
    base: new URL(server.issuer).pathname.replace(/\/$/, ''),
    clients: config.clients,
    registered: () => server.clients.values(),
    readyClients: () => config.readyClients.added,
    users: config.users,
    accounts: () => server.users.values(),
    recording: config.recording,
    relaxed: () => dropInSentences(server),
    access: config.dashboard === 'readonly' ? 'readonly' : 'on',
    allowedOrigins: config.dashboardAllowedOrigins,
    inTurn: issuer.state.inTurn,
    mint: createMintDesk({ server, events }),
    settings: () => config.settings(),
    withoutEffect: async () => (await config.withoutEffect?.()) ?? [],
    async limits(flows) {
      const issuers = (await first?.issuers())?.list().length;
      return limitsOf(issuer, { flows, issuers, createdRows: await tools.createdRows() });
    },
    configFile: config.configFile,
    ownerNotices: issuer.owner?.notices,
    scopes: config.scopes,
    collections: issuer.collections.all,
    api: apiRulesOf(issuer),
    reach: reachOf(issuer),
    fileState: issuer.fileState,
    clock: server.clock,
    time: clockOf(issuer, 'dashboard'),
    faults: issuer.faults,
    issuers: first?.issuers,
    maxHeaderSize: config.maxHeaderSize,
    verify: jwt => verifySignature(server, jwt),
    send: request => sendToSelf(issuer, request),
  };
}

/** How this sandbox is reached, for the pages that tell it. */
function reachOf(issuer: Issuer): Reach {
  const { config, server, sandbox } = issuer;
  const { backchannelUrl, allowedHosts, configFile, loginMode, registration } = config;
  return {
    backchannelUrl,
    configFile,
    provider: providerOf(issuer),
    allowedHosts,
    loginMode,
    scheme: sandbox.tls === undefined ? 'http' : 'https',
    hasOwnCa: sandbox.tls?.ca !== undefined,
    canRegister: registration === 'open' && server.features.has('registration'),
  };
}

function providerOf({ config, server, preset }: Issuer): ProviderFacts | undefined {
  if (config.preset === undefined || preset === undefined) return undefined;
  const { accessTokenType } = preset.dialect;
  return { ...config.preset, accessTokenType, address: preset.addressOf(server.issuer) };
}
