import type { RequestListener } from 'node:http';
import { createMovedClock, type MovedClock } from '../clock/moved-clock.ts';
import { createSandboxClock, type Expiring, type SandboxClock } from '../clock/sandbox-clock.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { ClientEntry, UserEntry } from '../config/sandbox-config.ts';
import type { SandboxEntries } from '../control/library-entries.ts';
import type { ClockChanged } from '../events/clock-events.ts';
import type { ResetPart } from '../events/configuration-events.ts';
import type { EventFact } from '../events/event.ts';
import { createEventLog, type EventLog } from '../events/event-log.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { Outbound } from '../oauth/outbound.ts';
import type { NextLogin } from '../oauth/users/next-login.ts';
import { createUserDirectory } from '../oauth/users/user.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { type Calls, createCalls } from './calls.ts';
import { createFaultsOf } from './faults.ts';
import { type Core, createFront } from './front.ts';
import { libraryEntries } from './library-entries.ts';
import type { Tested } from './self-test.ts';
import { createServer, type ServerParts } from './server.ts';
import type { Tls } from './tls.ts';

/** What the issuers of one sandbox share: the socket, the time, the way out and the lines of the log. */
export interface Shared {
  readonly port: number;
  readonly tls: Tls | undefined;
  /** Unix seconds, with a fraction. */
  readonly now: () => number;
  readonly outbound: Outbound;
  readonly log: RequestLog;
}

/** One issuer with everything it works on. It knows of no other. */
export interface Issuer extends Calls {
  readonly issuer: string;
  readonly events: EventLog;
  readonly clock: SandboxClock;
  readonly listener: RequestListener;
  /** What the self-test makes its twin of. */
  readonly tested: Tested;
  rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void>;
  reset(part?: ResetPart): Promise<void>;
  readonly clients: SandboxEntries<ClientEntry>;
  readonly users: SandboxEntries<UserEntry>;
  /** Says who signs in next without a click. */
  nextLogin(login: NextLogin): Promise<void>;
  /** Ends the live streams of its dashboard, and what goes wrong on purpose. */
  close(): void;
}

/** What not every issuer has: key pairs that are there already, and issuers that it makes at run time. */
export type IssuerExtras = Pick<ServerParts, 'begunKeys' | 'givenKeys'> & Pick<Core, 'issuers'>;

export function createIssuer(
  config: IssuerConfig,
  issuer: string,
  { port, tls, now, outbound, log }: Shared,
  { begunKeys, givenKeys, issuers }: IssuerExtras = {},
): Issuer {
  const moved = createMovedClock(now);
  const clock = () => Math.floor(moved.issuer());
  const events = createEventLog({ capacity: config.historySize, bytes: config.historyBytes, now: moved.issuer });
  const store = createMemoryStore({ clock });
  // a client may register later, or be known by its address
  const isClient = (sub: string) => /^https?:\/\//i.test(sub) || server.clients.has(sub);
  const users = createUserDirectory(config.users, { includes: isClient });
  const emit = (fact: EventFact) => void events.append(fact, 'sandbox');
  const honest = createServer(config, { issuer, clock, store, users, outbound, begunKeys, givenKeys, emit });
  const faults = createFaultsOf({ server: honest, events, emit, now });
  const server = { ...honest, tampering: faults.tampering };
  // where the dashboard explains a request
  const explanationOf = (id: string) => (config.dashboard === 'off' ? undefined : `${issuer}/dashboard/problems/${id}`);
  const clocks = clocksOf(moved, server, events);
  const tested = { config, server, ...clocks, faults, log, explanationOf, port, tls };
  const front = createFront({ ...tested, events, users, issuers, operations: { rotateKeys, reset } });
  events.subscribe(event => log.event(event, explanationOf));
  for (const alg of server.keys.algs) server.keys.forAlg(alg).catch(error => log.error(error, 'sandbox'));

  async function rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void> {
    const { rotateKeys } = await import('../oauth/tokens/rotate-keys.ts');
    await rotateKeys(server, emit, options);
  }
  async function reset(part?: ResetPart): Promise<void> {
    const { resetIssuer } = await import('./reset-issuer.ts');
    const { resetResources } = front;
    await resetIssuer(
      { config, server, events, clock: moved, rotateKeys, reset, resetResources, disarmFaults: faults.disarmAll },
      part,
    );
  }
  async function nextLogin(login: NextLogin): Promise<void> {
    const { expectNextLogin } = await import('../control/next-login.ts');
    await expectNextLogin(server, login);
  }
  const controlled = { config, server, events, rotateKeys, reset };
  const clients = libraryEntries<ClientEntry>('client', controlled);
  const ownUsers = libraryEntries<UserEntry>('user', controlled);
  const { listener } = front;
  function close(): void {
    front.closeStreams();
    faults.disarmAll(); // what one of them holds back goes on
  }
  const calls = { nextLogin, ...createCalls(server, events, faults.control) };
  const seen = { issuer, events, clock: clocks.clockFor('library'), clients, users: ownUsers };
  return { ...seen, listener, tested, rotateKeys, reset, ...calls, close };
}

/** The time, for those who move it, and for the sample backend. */
function clocksOf(
  clock: MovedClock,
  server: AuthorizationServer,
  events: EventLog,
): Pick<Core, 'clockFor' | 'apiClock'> {
  async function expiring(): Promise<readonly Expiring[]> {
    const { expiring } = await import('../control/expiring.ts');
    return expiring(server, events);
  }
  const tell = (fact: ClockChanged) => void events.append(fact, 'sandbox');
  return {
    clockFor: by => createSandboxClock({ clock, by, tell, expiring }),
    apiClock: () => Math.floor(clock.api()),
  };
}
