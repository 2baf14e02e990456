import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { IssuerEntries } from '../control/library-entries.ts';
import type { ShortLived } from '../control/short-lived.ts';
import type { EventLog } from '../events/event-log.ts';
import type { IssuerCalls } from './calls.ts';

/** One of the issuers of a sandbox in this process. */
export interface SandboxIssuer extends IssuerCalls, IssuerEntries {
  /** Everything that happened. */
  readonly events: EventLog;
  /** Its idea of now, in Unix seconds, and how it is moved. */
  readonly clock: SandboxClock;
}

/** An issuer that was made at run time. */
export interface ShortLivedIssuer extends SandboxIssuer, ShortLived {
  /** Ends it, with everything it knows; its path answers 410 from then on. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
