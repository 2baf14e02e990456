import type { EventLog } from '../../events/event-log.ts';

/** What a management API keeps because an entry of the configuration has no place for it. A reset of the configuration empties it. */
export function emptiedByReset<Kept extends Readonly<Record<string, { clear(): void }>>>(
  events: EventLog,
  kept: Kept,
): Kept {
  events.overhear(event => {
    const isReset = event.type === 'sandbox.reset' && (event.part === undefined || event.part === 'configuration');
    if (isReset) for (const each of Object.values(kept)) each.clear();
  });
  return kept;
}
