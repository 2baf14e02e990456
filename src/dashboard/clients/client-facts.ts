import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';

/** The origin of a client, and whether it was changed. */
export function standingOf({ control, clients }: Desk, { client_id, origin }: RegisteredClient) {
  if (origin === 'registration') return 'registered itself';
  if (origin === 'metadata_document') return 'described itself';
  if (origin === 'any') return 'not registered';
  if (!clients.some(each => each.client_id === client_id)) return 'created';
  return control.isChanged('client', client_id) ? 'changed' : 'configured';
}

/** The client type (RFC 6749 §2.1). */
export function typeOf(client: RegisteredClient): 'public' | 'confidential' {
  return isPublic(client) ? 'public' : 'confidential';
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

/** The number of token refreshes of each client and the time of the last one, in the recorded history. */
export function refreshes({ events, clock }: Desk) {
  const found = new Map<string, { count: number; at: number }>();
  for (const event of events.latestIssued(Number.POSITIVE_INFINITY)) {
    if (tokenTypeOf(event) !== 'access' || event.parentTokenId === undefined) continue;
    const parent = events.issued(event.parentTokenId);
    if (parent === undefined || tokenTypeOf(parent) !== 'refresh') continue;
    const known = found.get(event.client_id);
    found.set(event.client_id, { count: (known?.count ?? 0) + 1, at: known?.at ?? event.at });
  }
  return (client_id: string) => {
    const known = found.get(client_id);
    return known && { words: `refreshed ${known.count}×`, last: momentOf(known.at, clock()) };
  };
}
