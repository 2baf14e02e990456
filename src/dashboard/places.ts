import { displayName } from '../protocol/users/user.ts';
import { flowKindWords } from '../record/flows/flow-words.ts';
import type { Desk } from './desk.ts';

const mostOfConfiguration = 500;
const mostOfHistory = 20;

/**
 * For the palette on Ctrl K: the clients and users, at most 500 each, and the newest 20 flows and tokens. A `path` is below
 * `/dashboard`.
 */
export function placesOf({ registered, accounts, flows, events }: Desk) {
  return [
    ...[...registered()].slice(0, mostOfConfiguration).map(({ client_id, client_name }) => ({
      kind: 'client',
      name: named(client_id, client_name),
      path: `/clients/${encodeURIComponent(client_id)}`,
    })),
    ...[...accounts()].slice(0, mostOfConfiguration).map(user => ({
      kind: 'user',
      name: named(user.sub, displayName(user)),
      path: `/users/${encodeURIComponent(user.sub)}`,
    })),
    ...flows.latest(mostOfHistory).map(({ id, kind, client_id, sub }) => ({
      kind: 'flow',
      name: named(flowKindWords[kind], client_id, sub),
      path: `/flows/${id}`,
    })),
    ...events.latestIssued(mostOfHistory).map(event => ({
      kind: event.type === 'code.issued' ? 'code' : `${event.tokenType} token`,
      name: named(event.client_id, event.sub, event.tokenId),
      path: `/tokens/${event.tokenId}`,
    })),
  ];
}

function named(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
