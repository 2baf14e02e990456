import { createMovedClock, type MovedClock } from '../base/clock.ts';
import type { EventFact } from '../base/events/event.ts';
import { earlierTime } from '../protocol/client-time.ts';
import type { Relaxations } from '../protocol/relaxation.ts';
import type { SigningKey } from '../protocol/tokens/signing-key.ts';
import { createUserDirectory } from '../protocol/users/user.ts';
import type { IssuerConfig } from './config/config.ts';
import type { FirstIssuer, Issuer, Owner, SandboxParts } from './extension.ts';
import { frontOf } from './front/host-fronts.ts';
import { createBreakpointsOf } from './issuer/breakpoints.ts';
import { createServer } from './issuer/create-server.ts';
import { createFaultsOf } from './issuer/faults.ts';
import { createFileTelling } from './issuer/file-telling.ts';
import { stateHere } from './issuer/issuer-state.ts';
import { reloadRunning, resetRunning, rotateKeysOf } from './issuer/operations.ts';
import { createRunningConfig, runningCollections } from './issuer/running-config.ts';
import type { LoadedPreset } from './presets.ts';
import { createRunningExtensions } from './running-extensions.ts';

/** What only some issuers have. */
export interface IssuerExtras {
  /** Key pairs that are being made already. */
  readonly begunKeys?: ReadonlyMap<string, Promise<SigningKey>>;
  /** Key pairs to start with; they take precedence over a seed and a file. */
  readonly givenKeys?: ReadonlyMap<string, Promise<SigningKey>>;
  /** The issuer identifier, if it is not the address; a dialect has the last word. */
  readonly identifier?: string;
  /** Checks that the server leaves out. */
  readonly relaxations?: Relaxations;
  /** The provider whose wire it speaks. */
  readonly preset?: LoadedPreset;
  readonly first?: FirstIssuer;
  readonly owner?: Owner;
}

/** Creates one issuer from its configuration and from what it shares with the others. */
export function createIssuer(
  configured: IssuerConfig,
  address: string,
  sandbox: SandboxParts,
  extras: IssuerExtras = {},
): Issuer {
  const { now, log, modules, stateOf = stateHere } = sandbox;
  const config = createRunningConfig(configured);
  const moved = createMovedClock(now);
  const { clock, wallClock, earlier } = timesOf(moved, now);
  const state = stateOf(address, { config, moved, now, clock, earlier });
  const { events } = state;
  sandbox.whole.watch(events);
  const emit = (fact: EventFact) => void events.append(fact, 'sandbox');
  // a client may register later, or be identified by the URL of its metadata
  const isClient = (sub: string) => /^https?:\/\//i.test(sub) || server.clients.has(sub);

  const server = createServer(config, {
    issuer: address,
    clock,
    wallClock,
    store: state.store,
    usedJwts: state.usedJwts,
    secret: state.secret,
    users: createUserDirectory(config.users, { includes: isClient }, config.userLimit),
    outbound: sandbox.outbound,
    strangersOutbound: sandbox.strangersOutbound,
    tampering: { jwt: draft => faults.tampering.jwt(draft) },
    begunKeys: extras.begunKeys,
    givenKeys: extras.givenKeys,
    identifier: extras.identifier,
    relaxations: extras.relaxations,
    preset: extras.preset,
    emit,
    tellFailure: err => log.failure({ issuer: address, err }, 'onToken failed'),
  });
  const faults = createFaultsOf({ server, events, emit, now, charge: state.charge });
  const breakpoints = createBreakpointsOf(server, now);
  const file = createFileTelling(events);

  const issuer: Issuer = {
    sandbox,
    config,
    server,
    events,
    state,
    clock: moved,
    collections: runningCollections(config, server, () => front.reconfigure()),
    faults,
    breakpoints,
    extensions: createRunningExtensions(modules.extensions, () => issuer),
    preset: extras.preset,
    first: extras.first,
    owner: extras.owner,
    get front() {
      return front;
    },
    get listener() {
      return listener;
    },
    explanationOf: id => (config.dashboard === 'off' ? undefined : `${address}/dashboard/problems/${id}`),
    fileState: file.fileState,
    tell: file.tell,
    rotateKeys: options => rotateKeysOf(issuer, options),
    reset: part => resetRunning(issuer, part),
    reload: next => reloadRunning(issuer, next),
    close: where => closeIssuer(issuer, where),
  };
  const front = frontOf(issuer);
  const traced = sandbox.whole.around(front.listener, issuer);
  const listener = state.around?.(traced) ?? traced;

  void issuer.extensions.start();
  events.hearOwn(event => log.event(event, issuer.explanationOf));
  for (const alg of server.keys.algs) server.keys.forAlg(alg).catch(error => log.error(error, 'sandbox'));
  state.share?.(issuer);
  return issuer;
}

/** In whole Unix seconds: the time of the issuer, the real time, and the earlier one of both. */
function timesOf(moved: MovedClock, now: () => number) {
  const clock = () => Math.floor(moved.issuer());
  const wallClock = () => Math.floor(now());
  return { clock, wallClock, earlier: () => earlierTime({ clock, wallClock }) };
}

function closeIssuer({ front, faults, breakpoints, state }: Issuer, where: 'this process' | undefined): void {
  front.closeStreams();
  if (state.share === undefined) faults.current()?.armed.disarmAll(); // those that replicas share go on
  faults.current()?.armed.release();
  breakpoints.current()?.clear();
  state.close?.(where);
}
