import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { IssuerEntries } from '../control/library-entries.ts';
import type { ShortLived } from '../control/short-lived.ts';
import type { ResetPart } from '../events/configuration-events.ts';
import type { EventLog } from '../events/event-log.ts';
import type { NextLogin } from '../oauth/users/next-login.ts';
import type { ClientReport } from '../report/report.ts';
import type { Calls } from './calls.ts';

/** One of the issuers beside the first. */
export interface SandboxIssuer extends Calls, IssuerEntries {
  readonly issuer: string;
  readonly events: EventLog;
  readonly clock: SandboxClock;
  nextLogin(login: NextLogin): Promise<void>;
  /** How well its clients did so far, as far as its log tells; of one client, where one is named. */
  report(options?: { readonly client?: string }): Promise<ClientReport>;
  /** As with the sandbox, of this issuer alone. */
  rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void>;
  /** Of this issuer alone. */
  reset(part?: ResetPart): Promise<void>;
}

/** An issuer that was made at run time. */
export interface ShortLivedIssuer extends SandboxIssuer, ShortLived {
  /** Ends it, with everything it knows; its path answers 410 from then on. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
