import type { EventType } from '../base/events/event.ts';
import { mostRegistered } from '../protocol/clients/client-directory.ts';
import { mostOthers } from '../protocol/tokens/signing-keys.ts';
import { mostFlows } from '../record/flows/flow-index.ts';
import { mostArmed } from '../server/faults/armed-faults.ts';
import { mostBreakpoints } from '../server/http/breakpoints.ts';
import { maxCreatedRows } from '../server/resources/rows.ts';
import { eventTypesOf } from './added-events.ts';
import type { IssuerConfig } from './config/config.ts';
import { mostClients } from './control/client-changes.ts';
import { mostCollections, mostScopes } from './control/named-changes.ts';
import { mostShortLived } from './control/short-lived.ts';
import type { Issuer } from './extension.ts';

/** Something that the sandbox accumulates up to a limit. */
export interface LimitFact {
  readonly name: string;
  readonly what: string;
  /** The consequence of one more. */
  readonly whenFull: string;
  readonly used: number;
  readonly most: number;
  /** The variable that sets the limit; absent if it is fixed. */
  readonly setting?: string;
}

/** Numbers that only those know who have the parts. */
export interface CountedElsewhere {
  /** Number of issuers created at run time; absent where nobody counts. */
  readonly issuers?: number;
  /** Number of kept flows; absent where nobody looks at flows. */
  readonly flows?: number;
  /** Number of created rows in the fullest collection of the sample backend; absent where nobody counts. */
  readonly createdRows?: number;
}

/** Something that a long-lived sandbox accumulates. */
export interface LimitRow {
  /** Its label where it is measured, and part of the test id. */
  readonly name: string;
  readonly what: string;
  /** The consequence of one more. */
  readonly whenFull: string;
  readonly most: number | ((config: IssuerConfig) => number);
  /** The variable that sets it. */
  readonly setting?: string;
  /** Undefined where it is not counted. */
  readonly used: (issuer: Issuer, counted: CountedElsewhere) => number | undefined | Promise<number | undefined>;
}

const oldestGoes = 'the oldest goes';
const refused = 'one more is refused';

/** All limits. The page Settings and docs/operations.md are made from it. */
export const limitRows: readonly LimitRow[] = [
  {
    name: 'events',
    what: 'Events in the history, of the type with most of them',
    whenFull: oldestGoes,
    most: ({ historySize }) => historySize,
    setting: 'HISTORY_SIZE',
    // the names are those of the types
    used: ({ events, extensions }) =>
      Math.max(...eventTypesOf(extensions.all).map(type => events.kept(type as EventType))),
  },
  {
    name: 'event_bytes',
    what: 'Bytes of the history, with headers and bodies',
    whenFull: oldestGoes,
    most: ({ historyBytes }) => historyBytes,
    setting: 'HISTORY_BYTES',
    used: ({ events }) => events.keptBytes(),
  },
  {
    name: 'flows',
    what: 'Flows',
    whenFull: 'the one that was inactive longest goes',
    most: mostFlows,
    used: (_issuer, { flows }) => flows,
  },
  {
    name: 'stored',
    what: 'Sessions, codes, tokens and other entries of the protocol, of the kind with most of them',
    whenFull: 'the oldest of its kind goes: its user signs in again, its token is unknown',
    most: ({ storeSize }) => storeSize,
    setting: 'STORE_SIZE',
    used: async ({ server }) => Math.max(0, ...((await server.store.sizes?.()) ?? new Map()).values()),
  },
  {
    name: 'users',
    what: 'Users that were added to the configured ones',
    whenFull: refused,
    most: ({ userLimit }) => userLimit,
    setting: 'USER_LIMIT',
    used: ({ server, config }) => Math.max(0, server.users.size - config.users.length),
  },
  { name: 'clients', what: 'Clients', whenFull: refused, most: mostClients, used: ({ server }) => server.clients.size },
  {
    name: 'registered_clients',
    what: 'Clients that registered themselves',
    whenFull: oldestGoes,
    most: mostRegistered,
    used: ({ server }) => [...server.clients.values()].filter(({ origin }) => origin !== 'configuration').length,
  },
  { name: 'scopes', what: 'Scopes', whenFull: refused, most: mostScopes, used: ({ server }) => server.scopes.size },
  {
    name: 'collections',
    what: 'Collections of the sample backend',
    whenFull: refused,
    most: mostCollections,
    used: ({ collections }) => collections.all.length,
  },
  {
    name: 'rows',
    what: 'Created rows of the sample backend, in the collection with most of them',
    whenFull: oldestGoes,
    most: maxCreatedRows,
    used: (_issuer, { createdRows }) => createdRows,
  },
  {
    name: 'replaced_keys',
    what: 'Replaced signing keys',
    whenFull: 'the oldest is forgotten: its tokens are unknown',
    most: mostOthers,
    used: async ({ server }) => (await server.keys.list()).filter(({ isSigning }) => !isSigning).length,
  },
  {
    name: 'faults',
    what: 'Armed faults',
    whenFull: refused,
    most: mostArmed,
    used: ({ faults }) => faults.armedCount(),
  },
  {
    name: 'breakpoints',
    what: 'Breakpoints',
    whenFull: refused,
    most: mostBreakpoints,
    used: ({ breakpoints }) => breakpoints.current()?.list().length ?? 0,
  },
  {
    name: 'issuers',
    what: 'Issuers created at run time, those of learners among them',
    whenFull: refused,
    most: mostShortLived,
    used: (_issuer, { issuers }) => issuers,
  },
];

/** The limits with their fill, without those that are not counted. */
export async function limitsOf(issuer: Issuer, counted: CountedElsewhere = {}): Promise<readonly LimitFact[]> {
  const facts = limitRows.map(async ({ name, what, whenFull, most, setting, used }) => {
    const now = await used(issuer, counted);
    const limit = typeof most === 'number' ? most : most(issuer.config);
    return now === undefined ? [] : [{ name, what, whenFull, used: now, most: limit, setting }];
  });
  return (await Promise.all(facts)).flat();
}
