import type { FaultControl } from '../control/faults.ts';
import type { Emit } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { createFaultGate, type FaultGate } from '../faults/fault-gate.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';

export interface FaultParts {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly emit: Emit;
  /** Unix seconds, of the wall. */
  readonly now: () => number;
}

/** What goes wrong on purpose in one issuer: for the requests, and for whoever arms it. */
export interface IssuerFaults extends Pick<FaultGate, 'open' | 'tampering'> {
  readonly control: () => Promise<FaultControl>;
  /** How many are armed; loads nothing. */
  armedCount(): number;
  /** Nothing goes wrong any more. */
  disarmAll(): void;
}

/** What may have given a client or a user a fault, or taken it. */
const changing = ['configuration.changed', 'configuration.reloaded', 'sandbox.reset', 'client.updated'] as const;

/** Loaded with the first fault. */
export function createFaultsOf({ server, events, emit, now }: FaultParts): IssuerFaults {
  const { clients, users } = server;
  const gate = createFaultGate({
    ...{ clients, users },
    changes: () => changing.reduce((sum, type) => sum + events.count(type), 0),
    async load() {
      const { createIssuerFaults } = await import('./issuer-faults.ts');
      return createIssuerFaults({ server, emit, now });
    },
  });
  return {
    open: gate.open,
    tampering: gate.tampering,
    armedCount: () => gate.loaded()?.armed.list().length ?? 0,
    disarmAll: () => void gate.loaded()?.armed.disarmAll(),
    async control() {
      const { faultControlOf } = await import('./issuer-faults.ts');
      return faultControlOf(server, await gate.get());
    },
  };
}
