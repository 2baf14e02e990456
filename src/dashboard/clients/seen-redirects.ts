import { allowsRedirectUri, type RegisteredClient } from '../../protocol/clients/client.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';

const most = 10;

/** Refused redirect URIs, newest first. Truncated ones, and those registered since, are left out. */
export function seenRedirects({ events, clock }: Desk, client: RegisteredClient) {
  const seen = new Map<string, { count: number; at: number }>();
  for (const { reason, client_id, sent = '', at } of events.latest('error.returned', Number.POSITIVE_INFINITY)) {
    if (reason !== 'redirect_uri_not_registered' || client_id !== client.client_id) continue;
    if (sent.endsWith('…') || !URL.canParse(sent) || allowsRedirectUri(client, sent)) continue;
    const before = seen.get(sent);
    seen.set(sent, { count: (before?.count ?? 0) + 1, at: before?.at ?? at });
  }
  const now = clock();
  return [...seen].slice(0, most).map(([uri, { count, at }]) => ({ uri, count, last: momentOf(at, now) }));
}
