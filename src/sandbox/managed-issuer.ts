import type { IncomingMessage } from 'node:http';
import type { EventLog } from '../base/events/event-log.ts';
import type { AuthorizationServer } from '../protocol/authorization-server.ts';
import type { Adapter } from '../server/http/adapter.ts';
import type { Control } from './control/create-control.ts';
import type { RunInTurn } from './control/replica-turn.ts';

/** The issuer that the management API of a preset changes, by the functions that the control API uses, too. */
export interface ManagedIssuer {
  readonly server: AuthorizationServer;
  /** The one implementation of changes. */
  readonly control: Control;
  readonly events: EventLog;
  readonly adapter: Adapter;
  /** Signs what the API gives out, the same for all issuers and in all replicas. */
  readonly secret: string;
  readonly inTurn: RunInTurn;
  /** The address of the sandbox, without the path that the preset gives an issuer. */
  readonly address: string;
  /**
   * Accepts only the `CONTROL_TOKEN`, and throws for all else; absent where the control API is open to everybody who
   * reaches it.
   */
  readonly requireControlToken?: ((req: IncomingMessage, typed: string) => void) | undefined;
}
