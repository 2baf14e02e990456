import type { RequestListener } from 'node:http';
import type { IssuerConfig } from '../config/config.ts';
import type { EventFact } from '../events/event.ts';
import { createEventLog, type EventLog } from '../events/event-log.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Outbound } from '../oauth/outbound.ts';
import type { SigningKey } from '../oauth/tokens/signing-keys.ts';
import type { NextLogin } from '../oauth/users/next-login.ts';
import { createUserDirectory } from '../oauth/users/user.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { createFront } from './front.ts';
import type { Tested } from './self-test.ts';
import { createServer } from './server.ts';
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
export interface Issuer {
  readonly issuer: string;
  readonly events: EventLog;
  readonly listener: RequestListener;
  /** What the self-test makes its twin of. */
  readonly tested: Tested;
  rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void>;
  reset(part?: 'history' | 'configuration'): Promise<void>;
  /** Says who signs in next without a click. */
  nextLogin(login: NextLogin): Promise<void>;
  /** Ends the live streams of its dashboard. */
  close(): void;
}

export function createIssuer(
  config: IssuerConfig,
  issuer: string,
  { port, tls, now, outbound, log }: Shared,
  begunKeys?: ReadonlyMap<string, Promise<SigningKey>>,
): Issuer {
  const clock = () => Math.floor(now());
  const events = createEventLog({ capacity: config.historySize, bytes: config.historyBytes, now });
  const store = createMemoryStore({ clock });
  // a client may register later, or be known by its address
  const isClient = (sub: string) => /^https?:\/\//i.test(sub) || server.clients.has(sub);
  const users = createUserDirectory(config.users, { includes: isClient });
  const emit = (fact: EventFact) => void events.append(fact, 'sandbox');
  const server = createServer(config, { issuer, clock, store, users, outbound, begunKeys, emit });
  // where the dashboard explains a request
  const explanationOf = (id: string) => (config.dashboard === 'off' ? undefined : `${issuer}/dashboard/problems/${id}`);
  const tested = { config, server, log, explanationOf, port, tls };
  const front = createFront({ ...tested, events, users, operations: { rotateKeys, reset } });
  events.subscribe(event => log.event(event, explanationOf));
  for (const alg of server.keys.algs) server.keys.forAlg(alg).catch(error => log.error(error, 'sandbox'));

  async function rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void> {
    const { rotateKeys } = await import('../oauth/tokens/rotate-keys.ts');
    await rotateKeys(server, emit, options);
  }
  async function reset(part?: 'history' | 'configuration'): Promise<void> {
    if (part === undefined) await store.clear();
    if (part === undefined) server.random.restart();
    if (part === undefined) front.resetResources();
    if (part !== 'history') await forgetChanges();
    if (part !== 'configuration') events.clear();
    events.append({ type: 'sandbox.reset', ...(part === undefined ? {} : { part }) }, 'sandbox');
  }
  async function forgetChanges(): Promise<void> {
    const { forgetChanges } = await import('../control/forget-changes.ts');
    await forgetChanges(server, config);
  }
  async function nextLogin(login: NextLogin): Promise<void> {
    const { expectNextLogin } = await import('../control/next-login.ts');
    await expectNextLogin(server, login);
  }
  const { listener, closeStreams: close } = front;
  return { issuer, events, listener, tested, rotateKeys, reset, nextLogin, close };
}
