import type { EventLog } from '../../events/event-log.ts';

/** Codes and tokens since the start. */
export function issuedCount(events: EventLog): number {
  return events.count('token.issued') + events.count('code.issued');
}
