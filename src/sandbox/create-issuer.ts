import type { RequestListener } from 'node:http';
import {
  type ClockChanged,
  createMovedClock,
  createSandboxClock,
  type Expiring,
  type MovedClock,
} from '../base/clock.ts';
import type {
  ConfigurationChanges,
  ConfigurationRefused,
  ConfigurationReloaded,
} from '../base/events/configuration-events.ts';
import type { EventFact } from '../base/events/event.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { AuthorizationServer } from '../protocol/authorization-server.ts';
import { earlierTime } from '../protocol/client-time.ts';
import type { Outbound } from '../protocol/outbound.ts';
import { createUserDirectory } from '../protocol/users/user.ts';
import type { RequestLog } from '../server/http/log/request-log.ts';
import type { Readiness } from '../server/http/readiness.ts';
import type { SenderMark } from '../server/http/request-context.ts';
import type { IssuerConfig } from './config/config.ts';
import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from './config/sandbox-config.ts';
import type { ControlParts } from './control/create-control.ts';
import type { IssuerEntries, Named } from './control/library-entries.ts';
import type { Core, Modules, OwnIssuer, RunningExtensions } from './extension.ts';
import type { Front } from './front/front.ts';
import { frontOf } from './front/front-of.ts';
import { createBreakpointsOf } from './issuer/breakpoints.ts';
import { createServer, type ServerParts } from './issuer/create-server.ts';
import { createFaultsOf, type IssuerFaults } from './issuer/faults.ts';
import { createFileTelling } from './issuer/file-telling.ts';
import { type IssuerState, stateHere } from './issuer/issuer-state.ts';
import { createOperations, type OperationsParts } from './issuer/operations.ts';
import { runningCollections } from './issuer/running-collections.ts';
import { createRunningConfig } from './issuer/running-config.ts';
import { createCalls } from './library/calls.ts';
import { libraryEntries } from './library/entries.ts';
import type { Tls } from './process/tls.ts';
import { createRunningExtensions } from './running-extensions.ts';

/** Parts shared by the issuers of one sandbox: the socket, the clock, outbound requests and the log. */
export interface Shared {
  readonly port: number;
  readonly tls: Tls | undefined;
  /** Unix seconds, with a fraction. */
  readonly now: () => number;
  readonly outbound: Outbound;
  readonly strangersOutbound: Outbound;
  readonly log: RequestLog;
  readonly readiness: Readiness;
  /** What extensions run for the whole sandbox. */
  readonly whole: Core['whole'];
  /** Marks the requests that our own pages send for a learner. */
  readonly mark: SenderMark;
  /** Where an issuer keeps what it remembers. Default: in this process. */
  readonly stateOf?: typeof stateHere;
  /** What can be left out. */
  readonly modules: Modules;
}

/** One issuer with all of its parts. It has no reference to other issuers. */
export interface Issuer extends OwnIssuer {
  readonly listener: RequestListener;
  readonly unread: Front['unread'];
  readonly extensions: RunningExtensions;
  /** Applies a new configuration, except for settings that need a restart. Returns the changes. */
  reload(config: IssuerConfig): Promise<ConfigurationChanges>;
  /** Reports the result of a configuration reload to its log and its dashboard. */
  tell(fact: ConfigurationReloaded | ConfigurationRefused): void;
  /** Ends the live streams of its dashboard, disarms its faults and removes its breakpoints. */
  close(where?: 'this process'): void;
}

/** Parts that only some issuers have, such as existing key pairs, and issuers created at run time. */
export type IssuerExtras = Pick<ServerParts, 'begunKeys' | 'givenKeys' | 'identifier' | 'relaxations'> &
  Pick<Core, 'issuers' | 'sandboxConfig' | 'reload' | 'guard' | 'shown' | 'kept' | 'preset' | 'opened'>;

/** Creates one issuer from its configuration and the parts it shares with the others. */
export function createIssuer(
  configured: IssuerConfig,
  issuer: string,
  { port, tls, now, log, mark, readiness, whole, stateOf = stateHere, modules, ...ways }: Shared,
  { begunKeys, givenKeys, identifier, reload: reloadAll, ...extras }: IssuerExtras = {},
): Issuer {
  const config = createRunningConfig(configured);
  const moved = createMovedClock(now);
  const { clock, wallClock, earlier } = timesOf(moved, now);
  const state = stateOf(issuer, { config, moved, now, clock, earlier });
  const { events, store, usedJwts } = state;
  whole.watch(events);
  // a client may register later, or be identified by the URL of its metadata
  const isClient = (sub: string) => /^https?:\/\//i.test(sub) || server.clients.has(sub);
  const users = createUserDirectory(config.users, { includes: isClient }, config.userLimit);
  const emit = (fact: EventFact) => void events.append(fact, 'sandbox');
  const tellFailure = (err: unknown) => log.fault({ issuer, err }, 'onToken failed');
  const known = { clock, wallClock, store, usedJwts, users, secret: state.secret, begunKeys, givenKeys, identifier };
  const honest = createServer(config, { issuer, ...known, ...ways, emit, tellFailure, ...deviations(extras) });
  const breakpoints = createBreakpointsOf(honest, now);
  const faults = createFaultsOf({ server: honest, events, emit, now, charge: state.charge });
  const server = { ...honest, tampering: faults.tampering };
  // the address at which the dashboard explains a request
  const explanationOf = (id: string) => (config.dashboard === 'off' ? undefined : `${issuer}/dashboard/problems/${id}`);
  const clocks = clocksOf(moved, server, events);
  const collections = runningCollections(config, server, () => front.reconfigure());
  const extensions = createRunningExtensions(modules.extensions, () => core);
  const shown = { log, mark, extensions, modules, explanationOf, port, tls, readiness, whole, preset: extras.preset };
  const { fileState, tell } = createFileTelling(events);
  const changing = { config, server, events, collections };
  const operated = { ...changing, clock: moved, faults, breakpoints, extensions, emit, front: () => front };
  const { rotateKeys, reset, reload, nextLogin } = createOperations(operated);
  const told = { ...changing, ...clocks, faults, breakpoints, ...shown, ...sharedWith(state), users, ...extras };
  const core: Core = { ...told, fileState, reload: reloadAll, operations: { rotateKeys, reset } };
  const front = frontOf(core);
  void extensions.start();
  events.hearOwn(event => log.event(event, explanationOf));
  for (const alg of server.keys.algs) server.keys.forAlg(alg).catch(error => log.error(error, 'sandbox'));
  const traced = whole.around(front.listener, core);
  const close: Issuer['close'] = where => closeIssuer(front, operated, state, where);
  state.share?.(operated);
  const seen = { ...calledHere({ ...changing, rotateKeys, reset }, faults), clock: clocks.clockFor('library') };
  const own = { listener: state.around?.(traced) ?? traced, unread: front.unread, breakpoints, extensions, core };
  return { ...seen, ...own, rotateKeys, reset, reload, tell, nextLogin, close };
}

function closeIssuer(
  front: Front,
  { faults, breakpoints }: Pick<OperationsParts, 'faults' | 'breakpoints'>,
  state: IssuerState,
  where: 'this process' | undefined,
): void {
  front.closeStreams();
  if (state.share === undefined) faults.current()?.armed.disarmAll(); // those that replicas share go on
  faults.current()?.armed.release();
  breakpoints.current()?.clear();
  state.close?.(where);
}

/** In whole Unix seconds: the time of the issuer, the real time, and the earlier one of both. */
function timesOf(moved: MovedClock, now: () => number) {
  const clock = () => Math.floor(moved.issuer());
  const wallClock = () => Math.floor(now());
  return { clock, wallClock, earlier: () => earlierTime({ clock, wallClock }) };
}

/** Parts of the front that replicas share. */
function sharedWith({ rows, counts, firstId, sandboxSecret, inTurn }: IssuerState) {
  return { rows, counts, firstId, sandboxSecret, inTurn };
}

/** The members of an issuer that a caller in this process reads and calls. */
function calledHere(parts: ControlParts, faults: IssuerFaults) {
  const { server, events } = parts;
  return { issuer: server.issuer, events, ...entriesOf(parts), ...createCalls(server, events, faults.control) };
}

/** The ways in which a server differs from the standards on purpose: those of who made it, and those of a provider. */
function deviations(extras: IssuerExtras): Pick<ServerParts, 'relaxations' | 'dialect' | 'paths' | 'grants'> {
  const { relaxations, preset } = extras;
  return { relaxations, dialect: preset?.dialect, paths: preset?.paths, grants: preset?.grants };
}

/** The configuration entries that a caller in this process can change. */
function entriesOf(parts: ControlParts): IssuerEntries {
  return {
    clients: libraryEntries<ClientEntry>('client', parts),
    users: libraryEntries<UserEntry>('user', parts),
    scopes: libraryEntries<Named<ScopeEntry>>('scope', parts),
    resources: libraryEntries<Named<CollectionEntry>>('collection', parts),
  };
}

/** The time, for those who move it, and for the sample backend. */
function clocksOf(
  clock: MovedClock,
  server: AuthorizationServer,
  events: EventLog,
): Pick<Core, 'clockFor' | 'apiClock'> {
  async function expiring(): Promise<readonly Expiring[]> {
    const { expiring } = await import('./control/expiring.ts');
    return expiring(server, events);
  }
  const tell = (fact: ClockChanged) => void events.append(fact, 'sandbox');
  return {
    clockFor: by => createSandboxClock({ clock, by, tell, expiring }),
    apiClock: () => Math.floor(clock.api()),
  };
}
