import type { IssuerConfig } from '../../config/config.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Control } from '../control.ts';

/** The issuer that operations work on. */
export interface Controlled {
  readonly server: AuthorizationServer;
  readonly config: IssuerConfig;
  readonly events: EventLog;
  /** The one implementation of changes. */
  readonly control: Control;
}
