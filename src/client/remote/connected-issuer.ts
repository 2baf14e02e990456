import type { ClientReport } from '../../extensions/report/report.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import type { IssuerEntries, Named } from '../../sandbox/control/library-entries.ts';
import type { MintedToken } from '../../sandbox/control/mint.ts';
import type { IssuerCalls, Login } from '../../sandbox/library/calls.ts';
import type { ArmedFault } from '../../server/faults/fault.ts';
import { type ConnectedClock, createConnectedClock } from './connected-clock.ts';
import { createConnectedEntries } from './connected-entries.ts';
import { type ConnectedEvents, createConnectedEvents } from './connected-events.ts';
import { type ConnectOptions, type ControlCalls, createControlCalls, readText } from './control-calls.ts';

/**
 * An issuer of a sandbox that runs in a different process, in a container or on a different machine. It has the calls
 * of an issuer in this process, made over its control API.
 */
export interface ConnectedIssuer extends IssuerCalls, IssuerEntries {
  /** The clock of the issuer. */
  readonly clock: ConnectedClock;
  /** The log of the issuer. */
  readonly events: ConnectedEvents;
  /** The recorded session as one file without secrets: a self-contained page (`html`), or a different format. */
  exportSession(format?: SessionFormat): Promise<string>;
}

/** The formats that the dashboard exports. */
export type SessionFormat = 'html' | 'har' | 'json' | 'ndjson' | 'mermaid' | 'markdown';

/** `base` is the URL of the issuer, without a trailing slash. */
export function createConnectedIssuer(issuer: string, base: string, options: ConnectOptions): ConnectedIssuer {
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
    async report({ client } = {}) {
      const query = client === undefined ? '' : `?${new URLSearchParams({ client })}`;
      return (await calls({ name: 'report', method: 'GET', path: `/report${query}` })).content as ClientReport;
    },
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
