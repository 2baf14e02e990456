import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import type { MovedClock } from '../base/clock.ts';
import type {
  ConfigurationChanges,
  ConfigurationRefused,
  ConfigurationReloaded,
  ReloadedBy,
} from '../base/events/configuration-events.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import type { Lazy } from '../base/lazily.ts';
import type { AuthorizationServer } from '../protocol/authorization-server.ts';
import type { Outbound } from '../protocol/outbound.ts';
import type { Relaxations } from '../protocol/relaxation.ts';
import type { Adapter } from '../server/http/adapter.ts';
import type { Correlation } from '../server/http/log/correlation.ts';
import type { RequestLog } from '../server/http/log/request-log.ts';
import type { Readiness } from '../server/http/readiness.ts';
import type { SenderMark } from '../server/http/request-context.ts';
import type { listed, Route } from '../server/http/route.ts';
import type { TakeUnread } from '../server/http/unread-request.ts';
import type { Views } from '../server/http/views.ts';
import type { AddedEvents } from './added-events.ts';
import type { AddedDocuments, WrittenDocuments } from './config/added-documents.ts';
import type { Config, IssuerConfig } from './config/config.ts';
import type { ConfigProblem } from './config/problem.ts';
import type { AddedEntries, RegistrationEntries } from './config/registration.ts';
import type { SettingSources } from './config/setting-values.ts';
import type { SettingTables, SettingValues } from './config/settings.ts';
import type { ControlGate, Guard } from './control/api/control-gate.ts';
import type { Operation } from './control/api/operation.ts';
import type { Collections } from './control/collections.ts';
import type { ControlParts } from './control/control-parts.ts';
import type { Control } from './control/create-control.ts';
import type { Reloaded } from './control/reload/reloaded.ts';
import type { ShortLived, ShortLivedIssuers, ShortLivedOptions } from './control/short-lived.ts';
import type { IssuerBreakpoints } from './issuer/breakpoints.ts';
import type { IssuerFaults } from './issuer/faults.ts';
import type { LoadedPreset } from './presets.ts';
import type { Tls } from './process/tls.ts';
import type { Provider } from './provider.ts';
import type { IssuerState, NamedEntries, Replica, SharedEntries, StateOptions } from './replica.ts';
import type { IssuerMembers, SandboxMembers } from './sandbox-members.ts';

/**
 * A capability that can be left out: a folder of `extensions/`, and a line of `extensions/all.ts`. The core asks an extension for
 * what it adds, and knows none by its name. What it adds is there from the first request on; its code is loaded by `load`, when the
 * configuration asks for it, or with the first call of one of its operations or pages.
 */
export interface Extension<Running = unknown> {
  /** The name of its folder. */
  readonly name: string;
  readonly settings?: SettingTables;
  /** The types of events that it adds; `ExtensionEvents` declares them. */
  readonly events?: AddedEvents;
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
  /** Makes this process one of several that are one sandbox; undefined where the configuration does not ask for it. */
  replica?(sandbox: WholeSandbox, issuer: string): Promise<Replica> | undefined;
  /** Makes what runs beside an issuer. Called once for each issuer, at the most. Absent: nothing does. */
  load?(issuer: Issuer): Promise<Running>;
  /** Who may enter an issuer, besides those who know CONTROL_TOKEN. Default: nobody. */
  guard?(issuer: Issuer, running: Lazy<Running>): Promise<Guard | undefined>;
  /** What the sandbox tells a program of this extension. */
  members?(first: Issuer, running: Lazy<Running>): Promise<Partial<SandboxMembers>>;
  /** What a program can call on an issuer. */
  handle?(issuer: Issuer): IssuerMembers;
  /** Ends streams that are open, because a stop must not wait for browsers; called if it was loaded. */
  endStreams?(running: Running): void;
  /** Called when the issuer has ended, if it was loaded. */
  end?(running: Running): Promise<void>;
  /** Whether an issuer has the operations. Default: yes. */
  isOffered?(issuer: Issuer): boolean;
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
  before?(next: RequestListener, first: Issuer): RequestListener;
  /** Stands before one issuer. */
  around?(next: RequestListener, issuer: Issuer): RequestListener;
  /** Stands before the calls to other servers. */
  outbound?(outbound: Outbound): Outbound;
  /** The ids that the request of this moment has in other programs, for the log. */
  correlation?(): Correlation | undefined;
  /**
   * The configured issuers are there, and no request has come.
   * @throws ConfigError
   */
  begin?(issuers: readonly Issuer[]): Promise<void>;
  /** An issuer has ended. `path` is that of the issuer without its first slash, empty for the first. */
  ended?(issuer: Issuer, path: string): void;
  /** All issuers have ended. A stop does not wait any longer when `signal` is aborted. */
  close?(signal: AbortSignal): Promise<void>;
}

/** All of them as one. */
export type Whole = Required<Omit<WholePart, 'correlation'>> & Pick<WholePart, 'correlation'>;

/** What answers below a public path. Without methods it is in no list of endpoints. */
export interface PublicRoutes extends Route {
  /** Whether an issuer has it. Default: yes. */
  isOffered?(issuer: Issuer): boolean;
  /** Called with the first request. */
  load(issuer: Issuer, tools: RouteTools): Promise<RequestHandler>;
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
    paths(issuer: Issuer): readonly string[];
    /** Called with the first visit of a page. */
    load(): Promise<(issuer: Issuer, tools: DashboardTools) => Dashboard>;
  };
}

/** The extensions of one issuer. */
export interface RunningExtensions {
  readonly all: readonly Extension[];
  /** What an extension makes of the issuer, loaded once. */
  of<Running>(extension: Extension<Running>): Lazy<Running>;
  /** Loads those that the configuration asks for; also after a reload. */
  start(): Promise<void>;
  /** The entries that all replicas of the issuer have, by the names of their extensions. */
  shared(): readonly NamedEntries[];
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
  ): Promise<{ readonly told: ShortLived; readonly issuer: Issuer; stop(): void }>;
  /** The address of the issuer with this id, which may not exist. */
  addressOf(id: string): string;
}

/** Lines above each page of an issuer, which a script of the extension keeps true while a page is open. */
export interface OwnerNotices {
  /** The script, a file in `templates/assets/`. */
  readonly script: string;
  /** The path at which the script asks for the lines. */
  readonly at: string;
  readonly list: () => readonly PageNotice[];
}

/** A line above a page. */
export interface PageNotice {
  /** The line has the `data-testid` `shell-<name>`. */
  readonly name: string;
  readonly text: string;
  /** Left out, with its line, on the page that it leads to. */
  readonly link?: { readonly href: string; readonly words: string; readonly isNew?: boolean };
  /** A form with one button. */
  readonly form?: { readonly action: string; readonly value: string; readonly words: string };
}

/** What an extension decides of an issuer that it has made. */
export interface Owner {
  /** Who may enter, besides those who know CONTROL_TOKEN. */
  readonly guard?: Guard;
  /** Lines above each of its pages. */
  readonly notices?: OwnerNotices;
  /** What the extension keeps for it. */
  readonly kept?: object;
}

/** What an extension gives an issuer that it makes, besides a configuration. */
export interface OwnExtras extends Owner {
  /** Checks that its server leaves out. */
  readonly relaxations?: Relaxations;
  /** Nothing that is set for the first issuer is in effect. */
  readonly isAlone?: boolean;
  /** The issuer whose keys it has, in place of the first one. */
  readonly keysOf?: () => Issuer;
  /** The way to other servers, in place of that of the sandbox. */
  readonly outbound?: Outbound;
  /** Counts its fetches by itself, so that many issuers may fetch one document in a second. */
  readonly hasOwnQuota?: boolean;
}

/** What the issuers of one sandbox share. */
export interface SandboxParts {
  readonly port: number;
  /** Undefined for plain HTTP. */
  readonly tls: Tls | undefined;
  /** Unix seconds, with a fraction. */
  readonly now: () => number;
  /** The way to servers that the configuration names. */
  readonly outbound: Outbound;
  /** The way to servers that a client names which registered itself. */
  readonly strangersOutbound: Outbound;
  readonly log: RequestLog;
  /** Whether a balancer may send requests to this process. */
  readonly readiness: Readiness;
  /** What extensions run for the whole sandbox. */
  readonly whole: Whole;
  /** Marks the requests that our own pages send for a learner. */
  readonly mark: SenderMark;
  /** Where an issuer keeps what it remembers. Default: in this process. */
  readonly stateOf?: (issuer: string, options: StateOptions) => IssuerState;
  /** What can be left out. */
  readonly modules: Modules;
}

/** Everything between the socket and the authorization server. */
export interface Front {
  readonly listener: RequestListener;
  /** Answers requests that Node could not read. */
  readonly unread: TakeUnread;
  resetResources(): void | Promise<void>;
  /** Rebuilds everything derived from the configuration. */
  reconfigure(): void;
  /** Ends the live streams of the dashboard. */
  closeStreams(): void;
}

/** The parts of the front that the dashboard works with. */
export interface DashboardTools {
  readonly views: Views;
  readonly control: Control;
  /** The check of who may see the dashboard; absent if every visitor may. */
  readonly gate: ControlGate | undefined;
  /** The routes of the server, as its metadata and pages name them. */
  readonly endpoints: ReturnType<typeof listed>;
  /** The number of created rows in the fullest collection of the sample backend. */
  createdRows(): Promise<number>;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** The pages of one issuer. */
export interface Dashboard {
  /** The pages below `/dashboard`, and those of extensions, by path. */
  readonly routers: ReadonlyMap<string, RequestHandler>;
  /** Ends all live streams, because a stop must not wait for browsers. */
  close(): void;
}

/** What only the first issuer of a sandbox has. */
export interface FirstIssuer {
  /** The configuration of the whole sandbox. */
  readonly config: Config;
  /** Issuers created at run time. */
  issuers(): Promise<OwnIssuers>;
  /**
   * Reads the configuration of the whole sandbox again.
   * @throws ConfigError where it has problems; NothingToRead where there is no file
   */
  reload(by: ReloadedBy): Promise<Reloaded>;
}

/** A running issuer: what its front, the library, the dashboard and extensions are handed. It has no reference to other issuers. */
export interface Issuer {
  readonly sandbox: SandboxParts;
  readonly config: IssuerConfig;
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly state: IssuerState;
  readonly clock: MovedClock;
  readonly collections: Collections;
  /** Faults injected into its answers. */
  readonly faults: IssuerFaults;
  /** Breakpoints that hold its answers; loaded on first use. */
  readonly breakpoints: IssuerBreakpoints;
  readonly extensions: RunningExtensions;
  readonly front: Front;
  /** Sees each request before the front: what extensions and replicas put before it. */
  readonly listener: RequestListener;
  /** The provider whose wire it speaks. */
  readonly preset?: LoadedPreset;
  /** Absent for all but the first issuer. */
  readonly first?: FirstIssuer;
  /** The extension that made it; absent for the others. */
  readonly owner?: Owner;
  /** The address at which the dashboard explains a request; undefined where there is no dashboard. */
  explanationOf(requestId: string): string | undefined;
  /** The result of the last reload. */
  fileState(): FileState;
  /** Reports the result of a configuration reload to its log and its dashboard. */
  tell(fact: ConfigurationReloaded | ConfigurationRefused): void;
  rotateKeys: ControlParts['rotateKeys'];
  reset: ControlParts['reset'];
  /** Applies a new configuration, except for settings that need a restart. Returns the changes. */
  reload(config: IssuerConfig): Promise<ConfigurationChanges>;
  /** Ends the live streams of its dashboard, disarms its faults and removes its breakpoints. */
  close(where?: 'this process'): void;
}
