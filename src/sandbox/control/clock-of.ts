import type { ClockChanged } from '../../base/clock.ts';
import { createSandboxClock, type SandboxClock } from '../../base/clock.ts';
import type { Issuer } from '../extension.ts';

/** The clock of an issuer, for a caller who moves it. The log names the caller. */
export function clockOf({ clock, server, events }: Issuer, by: ClockChanged['by']): SandboxClock {
  return createSandboxClock({
    clock,
    by,
    tell: fact => void events.append(fact, 'sandbox'),
    expiring: async () => (await import('./expiring.ts')).expiring(server, events),
  });
}
