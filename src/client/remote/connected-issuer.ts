import type { ClockOwner, ClockState, Expiring } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { EventType } from '../../base/events/event.ts';
import type { Duration } from '../../base/text/duration.ts';

import type { TokenRule } from '../../protocol/token-rule.ts';
import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import type { IssuerEntries, Named, SandboxEntries } from '../../sandbox/control/library-entries.ts';
import type { MintedToken } from '../../sandbox/control/mint.ts';
import type { IssuerCalls, Login } from '../../sandbox/library/calls.ts';
import type { ConnectedMembers, IssuerMembers } from '../../sandbox/sandbox-members.ts';
import type { ArmedFault } from '../../server/faults/fault.ts';
import { type ConnectOptions, type ControlCalls, createControlCalls, readText } from './control-calls.ts';

/**
 * An issuer of a sandbox that runs in a different process, in a container or on a different machine. It has the calls
 * of an issuer in this process, made over its control API.
 */
export interface ConnectedIssuer extends IssuerCalls, IssuerEntries, IssuerMembers {
  /** The clock of the issuer. */
  readonly clock: ConnectedClock;
  /** The log of the issuer. */
  readonly events: ConnectedEvents;
  /** The recorded session as one file without secrets: a self-contained page (`html`), or a different format. */
  exportSession(format?: SessionFormat): Promise<string>;
}

/** The formats that the dashboard exports. */
export type SessionFormat = 'html' | 'har' | 'json' | 'ndjson' | 'mermaid' | 'markdown';

/** An extension that adds calls to an issuer that runs elsewhere. */
export interface WithRemote {
  remote?(calls: ControlCalls): IssuerMembers;
  /** Calls on the whole sandbox. */
  remoteSandbox?(there: SandboxThere): Partial<ConnectedMembers>;
}

/** A sandbox that runs elsewhere, for an extension. */
export interface SandboxThere {
  readonly calls: ControlCalls;
  /** The URL of its issuer as it is reached from here, without a trailing slash. */
  readonly base: string;
  readonly connection: ConnectOptions;
  readonly issuer: string;
  /** Its discovery document. */
  metadata(): Promise<Readonly<Record<string, unknown>>>;
}

/** `base` is the URL of the issuer, without a trailing slash. */
export function createConnectedIssuer(
  issuer: string,
  base: string,
  options: ConnectOptions,
  extensions: readonly WithRemote[],
): ConnectedIssuer {
  const calls = createControlCalls(base, options);
  async function post<T>(name: string, path: string, body: unknown): Promise<T> {
    return (await calls({ name, method: 'POST', path, body })).content as T;
  }
  return {
    issuer,
    clock: createConnectedClock(calls),
    clients: createConnectedEntries<ClientEntry>(calls, 'clients'),
    users: createConnectedEntries<UserEntry>(calls, 'users'),
    scopes: createConnectedEntries<Named<ScopeEntry>>(calls, 'scopes'),
    resources: createConnectedEntries<Named<CollectionEntry>>(calls, 'resources'),
    events: createConnectedEvents(calls),
    faults: createConnectedFaults(calls),
    tokenClaims: createConnectedTokenClaims(calls),
    issueToken: request => post<MintedToken>('issueToken', '/tokens', request),
    login: (request => post('login', '/login', request)) as Login, // the type depends on `as` and `action`
    nextLogin: async login => void (await post('nextLogin', '/next-login', login)),
    ...(Object.assign({}, ...extensions.map(each => each.remote?.(calls))) as IssuerMembers),
    rotateKeys: async ({ unpublish } = {}) => void (await post('rotateKeys', '/keys/rotate', { unpublish })),
    reset: async part => void (await post('reset', '/reset', { part })),
    exportSession: (format = 'html') => readText('exportSession', base, `/dashboard/export/${format}`, options),
  };
}

function createConnectedTokenClaims(calls: ControlCalls): ConnectedIssuer['tokenClaims'] {
  const path = '/token-claims';
  const rulesIn = (content: unknown) => (content as { readonly tokenClaims: readonly TokenRule[] }).tokenClaims;
  return {
    list: async () => rulesIn((await calls({ name: 'tokenClaims.list', method: 'GET', path })).content),
    async replace(tokenClaims) {
      const { content } = await calls({ name: 'tokenClaims.replace', method: 'PUT', path, body: { tokenClaims } });
      return rulesIn(content);
    },
  };
}

function createConnectedFaults(calls: ControlCalls): ConnectedIssuer['faults'] {
  async function list(name: string): Promise<readonly ArmedFault[]> {
    const { content } = await calls({ name: `faults.${name}`, method: 'GET', path: '/faults' });
    return (content as { readonly faults: readonly ArmedFault[] }).faults;
  }
  return {
    arm: async order =>
      (await calls({ name: 'faults.arm', method: 'POST', path: '/faults', body: order })).content as ArmedFault,
    list: () => list('list'),
    async disarm(id) {
      const path = `/faults/${encodeURIComponent(id)}`;
      return (await calls({ name: 'faults.disarm', method: 'DELETE', path, mayBeMissing: true })).status !== 404;
    },
    async clear() {
      const { content } = await calls({ name: 'faults.clear', method: 'DELETE', path: '/faults' });
      return (content as { readonly disarmed: number }).disarmed;
    },
  };
}

function createConnectedEntries<T extends object>(
  calls: ControlCalls,
  kind: 'clients' | 'users' | 'scopes' | 'resources',
): SandboxEntries<T> {
  const entryIn = (content: unknown) => (content as { readonly entry: T }).entry;
  const placeOf = (id: string) => `/${kind}/${encodeURIComponent(id)}`;
  async function change(name: string, method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<T> {
    return entryIn((await calls({ name: `${kind}.${name}`, method, path, body })).content);
  }
  return {
    async list() {
      const { content } = await calls({ name: `${kind}.list`, method: 'GET', path: `/${kind}` });
      return (content as Readonly<Record<string, readonly unknown[]>>)[kind]?.map(entryIn) ?? [];
    },
    async get(id) {
      const call = { name: `${kind}.get`, method: 'GET', path: placeOf(id), mayBeMissing: true } as const;
      const { status, content } = await calls(call);
      return status === 404 ? undefined : entryIn(content);
    },
    create: entry => change('create', 'POST', `/${kind}`, entry),
    replace: (id, entry) => change('replace', 'PUT', placeOf(id), entry),
    patch: (id, members) => change('patch', 'PATCH', placeOf(id), members),
    delete: async id => void (await calls({ name: `${kind}.delete`, method: 'DELETE', path: placeOf(id) })),
    revert: id => change('revert', 'POST', `${placeOf(id)}/revert`, {}),
  };
}

/** `SandboxClock` of a sandbox that runs elsewhere: each move is a call of the control API. */
export interface ConnectedClock {
  /** Unix seconds, whole. */
  now(): Promise<number>;
  /** The readings of both clocks. */
  state(): Promise<ClockState>;
  /** Moves the clock by a duration: `3600`, `'1h'`, or back with `'-5m'`. */
  advance(by: Duration, who?: ClockOwner): Promise<ClockState>;
  /** Sets the clock to a time in Unix seconds. A running clock continues from there. */
  set(to: number | Date, who?: ClockOwner): Promise<ClockState>;
  /** Freezes the clock until `resume`. It can still be moved. */
  freeze(who?: ClockOwner): Promise<ClockState>;
  /** Lets a frozen clock run again from its current time. */
  resume(who?: ClockOwner): Promise<ClockState>;
  /** Returns to the real time. */
  reset(who?: ClockOwner): Promise<ClockState>;
  /** Moves the clock to this long (default 1 s) before the next valid code, token or login expires. */
  toBeforeNextExpiry(options?: { readonly seconds?: Duration; readonly who?: ClockOwner }): Promise<ClockState>;
  /** Valid codes, tokens and sign-ins in the order of their expiry; at most ten. */
  next(): Promise<readonly Expiring[]>;
}

type Shown = ClockState & { readonly next: readonly Expiring[] };

function createConnectedClock(calls: ControlCalls): ConnectedClock {
  async function read(name: string): Promise<Shown> {
    return (await calls({ name: `clock.${name}`, method: 'GET', path: '/clock' })).content as Shown;
  }
  async function move(name: string, what: object, who: ClockOwner | undefined): Promise<ClockState> {
    const { content } = await calls({ name: `clock.${name}`, method: 'POST', path: '/clock', body: { ...what, who } });
    return stateOf(content as Shown);
  }
  return {
    now: async () => (await read('now')).now,
    state: async () => stateOf(await read('state')),
    advance: (by, who) => move('advance', { advance: by }, who),
    set: (to, who) => move('set', { set: to instanceof Date ? to.getTime() / 1000 : to }, who),
    freeze: who => move('freeze', { freeze: true }, who),
    resume: who => move('resume', { freeze: false }, who),
    reset: who => move('reset', { reset: true }, who),
    toBeforeNextExpiry: ({ seconds = 1, who } = {}) => move('toBeforeNextExpiry', { beforeNextExpiry: seconds }, who),
    next: async () => (await read('next')).next,
  };
}

function stateOf({ next: _, ...state }: Shown): ClockState {
  return state;
}

/** An event as JSON. Its other members depend on `type`. */
export interface ConnectedEvent {
  /** Counts up. */
  readonly id: number;
  /** Unix seconds of the sandbox's clock. */
  readonly at: number;
  /** The request that caused it, `req_…`, or the call, `call_…`. */
  readonly requestId: string;
  /** The event type, such as `token.issued`. */
  readonly type: string;
  readonly [fact: string]: unknown;
}

/** A filter for events. */
export interface EventQuery {
  /** A query as in the dashboard: `client:frontend status:4xx -code:pkce_mismatch`. */
  readonly q?: string;
  /** One event type, or several. */
  readonly type?: EventType | readonly EventType[];
  /** Only events after this id. */
  readonly after?: number;
  /** Includes headers and bodies of requests, with their secrets. */
  readonly exchange?: boolean;
}

/** The log of a sandbox that runs elsewhere. */
export interface ConnectedEvents {
  /** Matching events, oldest first; at most `limit` (default 100). Without `after`, the newest ones. */
  list(query?: EventQuery & { readonly limit?: number }): Promise<readonly ConnectedEvent[]>;
  /**
   * The first matching event, kept or future.
   * @throws Error if none comes within `timeoutSeconds` (whole seconds, default 10, at most 60)
   */
  waitFor(query?: EventQuery & { readonly timeoutSeconds?: number }): Promise<ConnectedEvent>;
  /** The id of the newest event: pass it as `after` to get only later events. */
  lastId(): Promise<number>;
}

function createConnectedEvents(calls: ControlCalls): ConnectedEvents {
  async function list(name: string, query: Readonly<Record<string, string>>) {
    const { content } = await calls({ name: `events.${name}`, method: 'GET', path: `/events${queryText(query)}` });
    return content as { readonly events: readonly ConnectedEvent[]; readonly last_id: number };
  }
  return {
    list: async ({ limit, ...query } = {}) =>
      (await list('list', { ...wireOf(query), ...(limit === undefined ? {} : { limit: String(limit) }) })).events,
    lastId: async () => (await list('lastId', { limit: '1' })).last_id,
    async waitFor({ timeoutSeconds = 10, ...query } = {}) {
      const asked = queryText({ ...wireOf(query), timeout: String(timeoutSeconds) });
      const call = { name: 'events.waitFor', method: 'GET', path: `/events/wait${asked}` } as const;
      const { status, content } = await calls({ ...call, timeoutSeconds: timeoutSeconds + 10 });
      if (status !== 204) return (content as { readonly event: ConnectedEvent }).event;
      throw new Error(`events.waitFor: no event matched ${JSON.stringify(query)} within ${timeoutSeconds} s`);
    },
  };
}

function wireOf({ q, type, after, exchange }: EventQuery): Readonly<Record<string, string>> {
  return {
    ...defined({ q }),
    ...(type === undefined ? {} : { type: [type].flat().join(',') }),
    ...(after === undefined ? {} : { after: String(after) }),
    ...(exchange === undefined ? {} : { exchange: String(exchange) }),
  };
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}
