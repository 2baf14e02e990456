import type { MovedClock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { ResetPart } from '../../base/events/configuration-events.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { ControlParts } from '../control/create-control.ts';
import { forgetChanges } from '../control/forget-changes.ts';
import { endEverySession } from '../control/sessions.ts';

/** The parts a reset changes. */
export interface ResetParts extends Omit<ControlParts, 'config'> {
  readonly config: IssuerConfig;
  readonly clock: Pick<MovedClock, 'move'>;
  resetResources(): void | Promise<void>;
  /** Disarms all faults, and removes all breakpoints. */
  disarmFaults(): void;
}

/** Resets one part, or everything except the keys, to the state at the start. Logs the reset. */
export async function resetIssuer(parts: ResetParts, part?: ResetPart): Promise<void> {
  const { server, events, clock } = parts;
  const reaches = (each: ResetPart) => part === undefined || part === each;
  if (part === 'sessions') await endEverySession(parts);
  if (part === undefined) {
    await Promise.all([server.store.clear(), server.usedJwts.clear(), server.fetched.clear()]);
  }
  if (part === undefined) server.random.restart();
  if (reaches('clock')) clock.move({ kind: 'reset' });
  if (reaches('resources')) await parts.resetResources();
  if (reaches('faults')) parts.disarmFaults();
  if (reaches('configuration')) await forgetChanges(parts);
  if (reaches('history')) events.clear();
  events.append({ type: 'sandbox.reset', ...defined({ part }) }, 'sandbox');
}
