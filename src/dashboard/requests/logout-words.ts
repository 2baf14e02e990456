import type { EventOf } from '../../events/event.ts';

type Facts = Readonly<Record<string, string | undefined>>;

/** The notification of a client about a logout, in words. */
export function logoutWords({
  client_id,
  channel,
  url,
  status,
  milliseconds,
  failure,
}: EventOf<'logout.notified'>): readonly [string, Facts] {
  const took = milliseconds === undefined ? undefined : `${milliseconds.toFixed(1)} ms`;
  const facts = { url, answer: status?.toString(), took, failure };
  if (failure !== undefined) return [`Client ${client_id} was not notified of the logout`, facts];
  if (channel === 'front') return [`Client ${client_id} was notified of the logout by an iframe in the browser`, facts];
  return [`Client ${client_id} was notified of the logout`, facts];
}
