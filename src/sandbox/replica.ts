import type { RequestListener } from 'node:http';
import type { MovedClock } from '../base/clock.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { Store } from '../base/store.ts';
import type { AuthorizationServer } from '../protocol/authorization-server.ts';
import type { SharedCharge } from '../server/faults/fault.ts';
import type { CallCounts } from '../server/http/rate-limit.ts';
import type { RowsFactory } from '../server/resources/index.ts';
import type { IssuerConfig } from './config/config.ts';
import type { Collections } from './control/collections.ts';
import type { RunInTurn } from './control/replica-turn.ts';
import type { ShortLived } from './control/short-lived.ts';
import type { CheckedOptions } from './control/short-lived-options.ts';
import type { IssuerFaults } from './issuer/faults.ts';
import type { SandboxIssuer } from './library/calls.ts';

/** This process as one of several that are one sandbox. */
export interface Replica {
  /** The clock of all, in Unix seconds with a fraction. */
  now(): number;
  /** Makes the state of an issuer, which all have. */
  stateOf(issuer: string, options: StateOptions): IssuerState;
  readonly inTurn: RunInTurn;
  /** Runs work that one replica does for all, or leaves it to the one that is at it, or to a later call while nothing can be shared. */
  alone(work: () => Promise<void>): Promise<void>;
  /** The same calls; what one changes is known to all when it resolves. */
  handle(calls: SandboxIssuer): SandboxIssuer;
  /** Shares the issuers made at run time and the reloads, and takes over everything that the others have told. */
  join(issuers: FollowedIssuers, reloads: FollowedReloads): Promise<void>;
  /** Where requests enter. */
  door(listener: RequestListener): RequestListener;
  /** The process is about to end: nothing that ends in it ends for the others. */
  leave(): void;
  close(): Promise<void>;
}

/** Everything that an issuer made at run time is made from. */
export interface IssuerOrder {
  readonly content: unknown;
  readonly keys?: CheckedOptions['keys'];
  readonly told: ShortLived;
}

/** The issuers made at run time, as replicas share them. */
export interface FollowedIssuers {
  /** The living issuers that another replica can make, too, by id. */
  readonly orders: ReadonlyMap<string, IssuerOrder>;
  /** Makes the issuer of another replica. Nobody is told. */
  follow(order: IssuerOrder): Promise<void>;
  /** Ends an issuer that another replica has ended. Nobody is told. */
  forget(id: string): void;
}

/** The reloads of the configuration, as replicas share them. */
export interface FollowedReloads {
  /** The number of reloads that somebody asked for by a call or a signal. */
  count(): number;
  /** Reads the file again because another replica did. */
  follow(): Promise<void>;
}

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

/** Where one issuer keeps what it remembers. Absent members: in this process. */
export interface IssuerState {
  readonly events: EventLog;
  readonly store: Store;
  /** The ids of JWTs that are good for one use. */
  readonly usedJwts: Store;
  /** Work begins with the newest log of this issuer. */
  readonly inTurn: RunInTurn;
  /** Counts of calls for rate limits. */
  readonly counts?: CallCounts;
  /** A secret for a purpose that each replica derives; absent: a random one. */
  readonly secret?: (purpose: string) => string;
  /** The same for all issuers of a sandbox. */
  readonly sandboxSecret?: (purpose: string) => string;
  /** Charges a fault whose budget all replicas share; undefined for one that is over. */
  readonly charge?: SharedCharge;
  /** Makes the rows of a collection of the sample backend that all replicas share. */
  readonly rows?: RowsFactory;
  /** The first number in the ids of requests, different in each replica. */
  readonly firstId?: number;
  /** Shares what changes while the issuer runs with the other replicas. */
  readonly share?: (issuer: SharedIssuer) => void;
  /** Sees each request before the listener of the issuer. */
  readonly around?: (listener: RequestListener) => RequestListener;
  /** The issuer has ended; `this process`: only here, and another replica may go on with it. */
  readonly close?: (where?: 'this process') => void;
}

/** The parts of an issuer that change while it runs. */
export interface SharedIssuer {
  readonly server: AuthorizationServer;
  readonly collections: Collections;
  readonly clock: MovedClock;
  readonly faults: IssuerFaults;
  readonly extensions: { shared(): readonly NamedEntries[] };
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

/** The same, by the name of the extension. */
export interface NamedEntries extends SharedEntries {
  readonly name: string;
}
