import type { EventOf } from '../../base/events/event.ts';
import { type EventWords, say } from './say.ts';

/** A fault that was armed, applied or disarmed, in words. */
export function faultWords(event: EventOf<'fault.applied' | 'fault.armed' | 'fault.disarmed'>): EventWords {
  if (event.type === 'fault.disarmed') {
    return say(`The fault ${event.fault} is over`, { id: event.faultId, 'affected requests': String(event.met) });
  }
  const whom = { endpoint: event.endpoint, client: event.client_id, user: event.sub };
  if (event.type === 'fault.armed') {
    const times = event.times === 'always' ? 'each' : String(event.times);
    const facts = { id: event.faultId, ...whom, requests: times, by: `the ${event.by}` };
    return say(`The fault ${event.fault} is armed`, facts);
  }
  return say(`Fault: ${event.fault}, on purpose`, { id: event.faultId, ...whom });
}
