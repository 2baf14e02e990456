import type { RequestListener } from 'node:http';
import type { MovedClock } from '../../base/clock.ts';
import { createEventLog, type EventLog } from '../../base/events/event-log.ts';
import type { Store } from '../../base/store.ts';
import { createMemoryStore } from '../../base/store.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { SharedCharge } from '../../server/faults/fault.ts';
import type { CallCounts } from '../../server/http/rate-limit.ts';
import type { RowsFactory } from '../../server/resources/index.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { Collections } from '../control/collections.ts';
import { inTurnHere, type RunInTurn } from '../control/replica-turn.ts';
import type { RunningExtensions } from '../extension.ts';
import type { IssuerFaults } from './faults.ts';

/** The clocks and limits that the state of an issuer is made with. */
export interface StateOptions {
  readonly config: Pick<IssuerConfig, 'historySize' | 'historyBytes' | 'storeSize'>;
  readonly moved: MovedClock;
  /** Unix seconds, with a fraction. */
  readonly now: () => number;
  /** Unix seconds, whole, of the issuer. */
  readonly clock: () => number;
  /** Unix seconds, whole, of the earlier one of both clocks. */
  readonly earlier: () => number;
}

/** The parts of a running issuer that change while it runs. */
export interface ChangingParts {
  readonly server: AuthorizationServer;
  readonly collections: Collections;
  readonly clock: MovedClock;
  readonly faults: IssuerFaults;
  readonly extensions: RunningExtensions;
}

/** Where one issuer keeps what it remembers. */
export interface IssuerState {
  readonly events: EventLog;
  readonly store: Store;
  /** The ids of JWTs that are good for one use. */
  readonly usedJwts: Store;
  /** Counts of calls for rate limits; absent: in this process. */
  readonly counts?: CallCounts;
  /** A secret for a purpose that each replica derives; absent: a random one for this process. */
  readonly secret?: (purpose: string) => string;
  /** The same for all issuers of a sandbox. */
  readonly sandboxSecret?: (purpose: string) => string;
  /** Work begins with the newest log of this issuer. */
  readonly inTurn: RunInTurn;
  /** Charges a fault whose budget all replicas share; undefined for one that is over. */
  readonly charge?: SharedCharge;
  /** Makes the rows of a collection of the sample backend that all replicas share. */
  readonly rows?: RowsFactory;
  /** The first number in the ids of requests, different in each replica. */
  readonly firstId?: number;
  /** Shares these parts with the other replicas. */
  readonly share?: (parts: ChangingParts) => void;
  /** Sees each request before the listener of the issuer. */
  readonly around?: (listener: RequestListener) => RequestListener;
  /** The issuer has ended; `this process`: only here, and another replica may go on with it. */
  readonly close?: (where?: 'this process') => void;
}

/** Makes the state of an issuer in this process. */
export function stateHere(_issuer: string, { config, moved, now, clock, earlier }: StateOptions): IssuerState {
  const history = { capacity: config.historySize, bytes: config.historyBytes };
  return {
    events: createEventLog({ ...history, now: moved.issuer, wall: now }),
    store: createMemoryStore({ clock, maxEntriesPerKind: config.storeSize }),
    usedJwts: createMemoryStore({ clock: earlier }),
    inTurn: inTurnHere,
  };
}
