import type { EventOf } from '../../base/events/event.ts';
import { type EventWords, say } from './say.ts';

/** The notification of a client about a logout, in words. */
export function logoutWords({
  client_id,
  channel,
  url,
  status,
  milliseconds,
  failure,
}: EventOf<'logout.notified'>): EventWords {
  const took = milliseconds === undefined ? undefined : `${milliseconds.toFixed(1)} ms`;
  const facts = { url, answer: status?.toString(), took, failure };
  const how = channel === 'front' ? ' by an iframe in the browser' : '';
  return say(
    failure === undefined
      ? `Client ${client_id} was notified of the logout${how}`
      : `Client ${client_id} was not notified of the logout`,
    facts,
  );
}
