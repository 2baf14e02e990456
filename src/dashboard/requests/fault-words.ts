import type { EventOf } from '../../events/event.ts';

type Facts = Readonly<Record<string, string | undefined>>;

/** A fault that was armed, applied or disarmed, in words. */
export function faultWords(
  event: EventOf<'fault.applied'> | EventOf<'fault.armed'> | EventOf<'fault.disarmed'>,
): readonly [string, Facts] {
  if (event.type === 'fault.disarmed') {
    return [`The fault ${event.fault} is over`, { id: event.faultId, 'affected requests': String(event.met) }];
  }
  const whom = { endpoint: event.endpoint, client: event.client_id, user: event.sub };
  if (event.type === 'fault.armed') {
    const times = event.times === 'always' ? 'each' : String(event.times);
    return [
      `The fault ${event.fault} is armed`,
      { id: event.faultId, ...whom, requests: times, by: `the ${event.by}` },
    ];
  }
  return [`Fault: ${event.fault}, on purpose`, { id: event.faultId, ...whom }];
}
