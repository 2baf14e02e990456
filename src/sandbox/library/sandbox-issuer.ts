import type { SandboxClock } from '../../base/clock.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { IssuerEntries } from '../control/library-entries.ts';
import type { ShortLived } from '../control/short-lived.ts';
import type { IssuerMembers } from '../sandbox-members.ts';
import type { IssuerCalls } from './calls.ts';

/** An issuer of a sandbox in this process. */
export interface SandboxIssuer extends IssuerCalls, IssuerEntries, IssuerMembers {
  /** The log of everything that happened at this issuer. */
  readonly events: EventLog;
  /** The clock of the issuer: reads the time in Unix seconds and moves it. */
  readonly clock: SandboxClock;
}

/** An issuer created at run time. */
export interface ShortLivedIssuer extends SandboxIssuer, ShortLived {
  /** Ends the issuer and deletes its state. Its path answers 410 from then on. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
