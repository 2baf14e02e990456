import { defined } from '../../base/defined.ts';
import type { Emit, EventFact } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { rotateKeys } from '../../protocol/tokens/rotate-keys.ts';
import { createArmedFaults } from '../../server/faults/armed-faults.ts';
import type { ArmedFault, SharedCharge } from '../../server/faults/fault.ts';
import { createFaults, type Faults } from '../../server/faults/faults.ts';
import { namesOf } from '../../server/faults/standing.ts';
import { endpointRoutes } from '../../server/http/routes.ts';
import { createFaultControl, type FaultControl } from '../control/faults.ts';

interface FaultParts {
  readonly server: AuthorizationServer;
  readonly emit: Emit;
  /** Real time in Unix seconds. */
  readonly now: () => number;
  /** Charges a fault whose budget all replicas share. */
  readonly charge?: SharedCharge | undefined;
}

/** The faults of one issuer. They log when they are armed and disarmed. */
export function createIssuerFaults({ server, emit, now, charge }: FaultParts): Faults {
  const { issuer, clock, clients, users } = server;
  const armed = createArmedFaults({
    now,
    charge,
    onChange: ({ what, fault }) => emit(what === 'armed' ? cameOf(fault) : wentOf(fault)),
  });
  const standing = {
    ofClient: (client_id: string) => clients.get(client_id)?.faults ?? [],
    namesOf(sub: string) {
      const user = users.get(sub);
      return user === undefined ? [sub] : namesOf(user);
    },
  };
  async function replaceKeys(emit: Emit): Promise<void> {
    await rotateKeys(server, emit, { unpublish: true });
  }
  return createFaults({ armed, standing, issuer, clock, replaceKeys });
}

export function faultControlOf(server: AuthorizationServer, faults: Faults): FaultControl {
  const endpoints = [...new Set(endpointRoutes(server, '').map(({ name }) => name))];
  return createFaultControl(server, faults, [...endpoints, 'api']);
}

function cameOf({ id, fault, endpoint, client, user, times, by }: ArmedFault): EventFact {
  return {
    type: 'fault.armed',
    faultId: id,
    fault,
    endpoint,
    times,
    by,
    ...defined({ client_id: client, sub: user }),
  };
}

function wentOf({ id, fault, met }: ArmedFault): EventFact {
  return { type: 'fault.disarmed', faultId: id, fault, met };
}
