import type { EventLog } from '../../base/events/event-log.ts';

/**
 * Lets a reset of the configuration empty these collections. A management API keeps facts in them that an entry of the
 * configuration has no place for.
 */
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
