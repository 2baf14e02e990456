import type { ResetPart } from '../../base/events/configuration-events.ts';
import type { EventFact } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { Collections } from './collections.ts';

/** Parts of an issuer that the control changes. */
export interface ControlParts {
  /** The configuration file, as read at the start or at the last reload. */
  readonly config: Pick<
    IssuerConfig,
    'clients' | 'users' | 'userLimit' | 'clientDefaults' | 'scopes' | 'collections' | 'tokenClaims'
  > &
    Partial<Pick<IssuerConfig, 'keys' | 'seed'>>;
  readonly server: AuthorizationServer;
  /** Collections of the sample backend. */
  readonly collections: Collections;
  readonly events: EventLog;
  rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void>;
  reset(part?: ResetPart): Promise<void>;
}

/** Writes an event into the log that no request of a client caused. */
export function tell({ events }: Pick<ControlParts, 'events'>, fact: EventFact): void {
  events.append(fact, 'sandbox');
}
