import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import type { ClockChanged, SandboxClock } from '../base/clock.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import type { Lazy } from '../base/lazily.ts';
import type { AuthorizationServer } from '../protocol/authorization-server.ts';
import type { Outbound } from '../protocol/outbound.ts';
import type { Relaxations } from '../protocol/relaxation.ts';
import type { UserDirectory } from '../protocol/users/user.ts';
import type { Adapter } from '../server/http/adapter.ts';
import type { Correlation } from '../server/http/log/correlation.ts';
import type { RequestLog } from '../server/http/log/request-log.ts';
import type { CallCounts } from '../server/http/rate-limit.ts';
import type { Readiness } from '../server/http/readiness.ts';
import type { SenderMark } from '../server/http/request-context.ts';
import type { Route } from '../server/http/route.ts';
import type { Views } from '../server/http/views.ts';
import type { RowsFactory } from '../server/resources/index.ts';
import type { AddedDocuments, WrittenDocuments } from './config/added-documents.ts';
import type { Config, IssuerConfig } from './config/config.ts';
import type { ConfigProblem } from './config/problem.ts';
import type { AddedEntries, RegistrationEntries } from './config/registration.ts';
import type { SettingSources } from './config/setting-values.ts';
import type { SettingTables, SettingValues } from './config/settings.ts';
import type { Guard } from './control/api/control-gate.ts';
import type { Controlled } from './control/api/controlled.ts';
import type { Operation } from './control/api/operation.ts';
import type { Collections } from './control/collections.ts';
import type { ControlParts } from './control/control-parts.ts';
import type { Control } from './control/create-control.ts';
import type { RunInTurn } from './control/replica-turn.ts';
import type { ShortLived, ShortLivedIssuers, ShortLivedOptions } from './control/short-lived.ts';
import type { Dashboard, DashboardOptions, OpenedSession } from './dashboard.ts';
import type { IssuerBreakpoints } from './issuer/breakpoints.ts';
import type { IssuerFaults } from './issuer/faults.ts';
import type { SandboxIssuer } from './library/sandbox-issuer.ts';
import type { LoadedPreset } from './presets.ts';
import type { Tls } from './process/tls.ts';
import type { Provider } from './provider.ts';
import type { SandboxMembers } from './sandbox-members.ts';

/**
 * A capability that can be left out: a folder of `extensions/`, and a line of `extensions/all.ts`. The core asks an extension for
 * what it adds, and knows none by its name. What it adds is there from the first request on; its code is loaded by `load`, when the
 * configuration asks for it, or with the first call of one of its operations or pages.
 */
export interface Extension<Running = unknown> {
  /** The name of its folder. */
  readonly name: string;
  readonly settings?: SettingTables;
  /** What is wrong with the values of its settings, beyond their format. */
  problems?(sources: SettingSources): Promise<readonly ConfigProblem[]>;
  /** The same of settings of the whole sandbox, which are read once. */
  wholeProblems?(sources: SettingSources): Promise<readonly ConfigProblem[]>;
  /** More documents of a configuration, such as those that a setting names; undefined for none. */
  documents?(written: WrittenDocuments): Promise<AddedDocuments | undefined>;
  /** Entries that it adds to those of a configuration; undefined for none. */
  entries?(own: RegistrationEntries, values: SettingValues): Promise<AddedEntries | undefined>;
  /** What runs once for the whole sandbox; undefined where the configuration does not ask for it. */
  whole?(sandbox: WholeSandbox): Promise<WholePart | undefined> | undefined;
  /** Whether an issuer loads it at its start, and not with the first use. Default: no. */
  isAsked?(config: IssuerConfig): boolean;
  /** Makes what runs beside an issuer. Called once for each issuer, at the most. Absent: nothing does. */
  load?(issuer: Core): Promise<Running>;
  /** Who may enter an issuer, besides those who know CONTROL_TOKEN. Default: nobody. */
  guard?(issuer: Core, running: Lazy<Running>): Promise<Guard | undefined>;
  /** What the sandbox tells a program of this extension. */
  members?(first: Core, running: Lazy<Running>): Promise<SandboxMembers>;
  /** Ends streams that are open, because a stop must not wait for browsers; called if it was loaded. */
  endStreams?(running: Running): void;
  /** Called when the issuer has ended, if it was loaded. */
  end?(running: Running): Promise<void>;
  /** Whether an issuer has the operations. Default: yes. */
  isOffered?(issuer: Core): boolean;
  /** Operations of the control API. */
  operations?(): Promise<readonly Operation<Running>[]>;
  /** What it answers to everybody, outside of the dashboard and the control API. */
  readonly routes?: readonly PublicRoutes[];
  /** Scripts and styles of its pages: names of files in `templates/assets/`. */
  readonly assets?: readonly string[];
  /** Entries that all replicas of an issuer have. */
  shared?(running: Lazy<Running>): SharedEntries;
}

/** A sandbox before it has issuers. */
export interface WholeSandbox {
  readonly config: Config;
  readonly log: RequestLog;
  readonly readiness: Readiness;
  /** Absent where a program starts it as a library. */
  readonly program?: OwnProcess | undefined;
}

/** The process that is a sandbox and nothing else. */
export interface OwnProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where packages are looked for that are not a part of Grantbox: the working directory, then the folder of Grantbox. */
  readonly folders: readonly string[];
}

/** Runs once for the whole sandbox. Each member is called at its time, in the order of `extensions/all.ts`. */
export interface WholePart {
  /** Sees the log of each issuer at its beginning. */
  watch?(events: EventLog): void;
  /** Stands before all issuers. */
  before?(next: RequestListener, first: Core): RequestListener;
  /** Stands before one issuer. */
  around?(next: RequestListener, issuer: Core): RequestListener;
  /** Stands before the calls to other servers. */
  outbound?(outbound: Outbound): Outbound;
  /** The ids that the request of this moment has in other programs, for the log. */
  correlation?(): Correlation | undefined;
  /**
   * The configured issuers are there, and no request has come.
   * @throws ConfigError
   */
  begin?(issuers: readonly Core[]): Promise<void>;
  /** An issuer has ended. `path` is that of the issuer without its first slash, empty for the first. */
  ended?(issuer: Core, path: string): void;
  /** All issuers have ended. A stop does not wait any longer when `signal` is aborted. */
  close?(signal: AbortSignal): Promise<void>;
}

/** All of them as one. */
export type Whole = Required<Omit<WholePart, 'correlation'>> & Pick<WholePart, 'correlation'>;

/** What answers below a public path. Without methods it is in no list of endpoints. */
export interface PublicRoutes extends Route {
  /** Whether an issuer has it. Default: yes. */
  isOffered?(issuer: Core): boolean;
  /** Called with the first request. */
  load(issuer: Core, tools: RouteTools): Promise<RequestHandler>;
}

/** The tools of public paths. */
export interface RouteTools {
  /** The path of the issuer. */
  readonly base: string;
  readonly adapter: Adapter;
  readonly views: Views;
  readonly control: () => Promise<Control>;
}

/** The extensions, the providers and the dashboard: everything of a sandbox besides its core. */
export interface Modules {
  readonly extensions: readonly Extension[];
  readonly providers: readonly Provider[];
  /** Absent: there are no pages. */
  readonly dashboard?: {
    /** Where the pages of an issuer are, with those of extensions; the first that fits counts. */
    paths(issuer: Core): readonly string[];
    /** Called with the first visit of a page. */
    load(): Promise<(options: DashboardOptions, issuer: Core) => Dashboard>;
  };
}

/** Entries that are listed, where a change is found by comparing the list with the one before. Replicas take them over as JSON. */
export interface SharedEntries<Entry = object> {
  /** The entries as they are now; a list that is often empty costs nothing. */
  list(): readonly Entry[];
  idOf(entry: Entry): string;
  /** The members whose change is told from here. Default: all. */
  told?(entry: Entry): object;
  /** Resolves to what takes over an entry of another replica; undefined for one that is gone. */
  taker(): Promise<{ put(id: string, entry: Entry | undefined): void }>;
}

/** The extensions of one issuer. */
export interface RunningExtensions {
  readonly all: readonly Extension[];
  /** What an extension makes of the issuer, loaded once. */
  of<Running>(extension: Extension<Running>): Lazy<Running>;
  /** Loads those that the configuration asks for; also after a reload. */
  start(): Promise<void>;
  /** Ends the open streams of those that were loaded. */
  endStreams(): void;
  /** Ends those that were loaded. */
  end(): Promise<void>;
}

/** Issuers that an extension makes in this process, for itself. */
export interface OwnIssuers extends ShortLivedIssuers {
  /**
   * `create` for a caller in this process.
   * @throws TypeError with all problems in one sentence
   */
  createHere(
    config: unknown,
    options: ShortLivedOptions,
    extras?: OwnExtras,
  ): Promise<{ readonly told: ShortLived; readonly issuer: OwnIssuer; stop(): void }>;
  /** The address of the issuer with this id, which may not exist. */
  addressOf(id: string): string;
}

/** An issuer with the members that a program calls, and its parts. */
export interface OwnIssuer extends Omit<SandboxIssuer, 'report'> {
  readonly breakpoints: IssuerBreakpoints;
  readonly core: Core;
}

/** What an extension gives an issuer that it makes, besides a configuration. */
export interface OwnExtras extends Pick<Core, 'guard' | 'shown' | 'kept'> {
  /** Checks that its server leaves out. */
  readonly relaxations?: Relaxations | undefined;
  /** Nothing that is set for the first issuer is in effect. */
  readonly isAlone?: boolean;
  /** The issuer whose keys it has, in place of the first one. */
  readonly keysOf?: () => OwnIssuer;
  /** The way to other servers, in place of that of the sandbox. */
  readonly outbound?: Outbound;
}

/** The parts of an issuer, independent of the socket. */
export interface Core {
  readonly config: IssuerConfig;
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly collections: Collections;
  /** Counts of calls that replicas share; absent: in this process. */
  readonly counts?: CallCounts | undefined;
  /** Rows of the sample backend that replicas share; absent: in this process. */
  readonly rows?: RowsFactory | undefined;
  readonly users: UserDirectory;
  readonly log: RequestLog;
  /** Marks the requests that our own pages send for a learner. */
  readonly mark: SenderMark;
  readonly explanationOf: (requestId: string) => string | undefined;
  /** Operations on the running issuer. */
  readonly operations: Pick<ControlParts, 'rotateKeys' | 'reset'>;
  /** The clock that callers can move. The log names the caller. */
  readonly clockFor: (by: ClockChanged['by']) => SandboxClock;
  /** Faults injected into this issuer's answers. */
  readonly faults: IssuerFaults;
  /** Breakpoints that hold this issuer's answers; loaded on first use. */
  readonly breakpoints: IssuerBreakpoints;
  /** The time of the sample backend, in whole Unix seconds. */
  readonly apiClock: () => number;
  /** Issuers created at run time; absent for an issuer that cannot create any. */
  readonly issuers?: (() => Promise<OwnIssuers>) | undefined;
  /** The configuration of the whole sandbox; absent for an issuer that is not the first. */
  readonly sandboxConfig?: Config | undefined;
  /** Who may enter, besides those who know CONTROL_TOKEN, as who made the issuer decides. */
  readonly guard?: Guard | undefined;
  /** The address of a flow that its pages lead to, empty for none. */
  readonly shown?: (() => string) | undefined;
  /** What the extension that made the issuer keeps for it. */
  readonly kept?: object | undefined;
  /** The recorded session in place of the history; absent for a sandbox that serves clients. */
  readonly opened?: OpenedSession | undefined;
  /** Reads the configuration of the whole sandbox again; absent for an issuer that is not the first. */
  readonly reload?: Controlled['reload'];
  /** Result of the last reload. */
  readonly fileState: () => FileState;
  /** The provider whose wire the issuer speaks. */
  readonly preset?: LoadedPreset | undefined;
  /** A secret for a purpose that all replicas have, for all issuers; absent: a random one for this process. */
  readonly sandboxSecret?: ((purpose: string) => string) | undefined;
  readonly inTurn: RunInTurn;
  /** The first number in the ids of requests; absent: a random one. */
  readonly firstId?: number | undefined;
  /** Whether a balancer may send requests to this process. */
  readonly readiness: Readiness;
  /** What extensions run for the whole sandbox. */
  readonly whole: Whole;
  readonly extensions: RunningExtensions;
  readonly modules: Modules;
  readonly port: number;
  /** Undefined for plain HTTP. */
  readonly tls: Tls | undefined;
}
