import type { SandboxClock } from '../../../base/clock.ts';
import type { ReloadedBy } from '../../../base/events/configuration-events.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { KnownApis } from '../../../protocol/judge-claims.ts';
import type { Breakpoints } from '../../../server/http/breakpoints.ts';
import type { IssuerConfig } from '../../config/config.ts';
import type { Control } from '../create-control.ts';
import type { FaultControl } from '../faults.ts';
import type { Reloaded } from '../reload/reloaded.ts';
import type { ShortLivedIssuers } from '../short-lived.ts';

/** The issuer that operations work on. */
export interface Controlled {
  readonly server: AuthorizationServer;
  readonly config: IssuerConfig;
  readonly events: EventLog;
  /** All types of events that there are. */
  readonly eventTypes: readonly string[];
  /** The APIs that its access tokens are for. */
  readonly api: KnownApis;
  /** The one implementation of changes. */
  readonly control: Control;
  /** Its time; the log says that the API moved it. */
  readonly clock: SandboxClock;
  /** Issuers created at run time; absent for an issuer that cannot create any. */
  readonly issuers?: (() => Promise<ShortLivedIssuers>) | undefined;
  /**
   * Reads the configuration of the whole sandbox again; absent for an issuer that is not the first.
   * @throws ConfigError where it has problems; NothingToRead where there is no file
   */
  readonly reload?: ((by: ReloadedBy) => Promise<Reloaded>) | undefined;
  /** Breakpoints; loaded on first use. */
  readonly breakpoints: () => Promise<Breakpoints>;
  /** Fault injection; loaded on first use. */
  readonly faults: () => Promise<FaultControl>;
}
