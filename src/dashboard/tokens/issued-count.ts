import type { EventLog } from '../../base/events/event-log.ts';

/** Number of codes and tokens issued since the start. */
export function issuedCount(events: EventLog): number {
  return events.count('token.issued') + events.count('code.issued');
}
