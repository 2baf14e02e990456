import { isPublic, type RegisteredClient } from '../../oauth/clients/client.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';

/** The origin of a client, and whether it was changed. */
export type ClientStanding = 'configured' | 'changed' | 'created' | 'registered itself' | 'described itself';

export function standingOf({ control, clients }: Desk, { client_id, origin }: RegisteredClient): ClientStanding {
  if (origin === 'registration') return 'registered itself';
  if (origin === 'metadata_document') return 'described itself';
  if (!clients.some(each => each.client_id === client_id)) return 'created';
  return control.isChanged('client', client_id) ? 'changed' : 'configured';
}

export function typeOf(client: RegisteredClient): 'public' | 'confidential' {
  return isPublic(client) ? 'public' : 'confidential';
}

/** The page of a client; an id may be an address. */
export function clientHref(base: string, client_id: string): string {
  return `${base}/dashboard/clients/${encodeURIComponent(client_id)}`;
}

/** The last login request or authenticated request of each client. */
export function lastSeen({ events, clock }: Desk): (client_id: string) => Moment | undefined {
  const newest = new Map<string, number>();
  for (const type of ['client.authenticated', 'authorization.requested', 'authorization.pushed'] as const) {
    for (const { client_id, at } of events.latest(type, Number.POSITIVE_INFINITY)) {
      if (at > (newest.get(client_id) ?? 0)) newest.set(client_id, at);
    }
  }
  return client_id => {
    const at = newest.get(client_id);
    return at === undefined ? undefined : momentOf(at, clock());
  };
}
