import { flowKindWords } from '../flows/flow-words.ts';
import { displayName } from '../oauth/users/user.ts';
import type { Desk } from './desk.ts';

/** A client, user, flow or token in the palette on Ctrl K. */
export interface Place {
  /** `client`, `user`, `flow` or `access token`. */
  readonly kind: string;
  readonly name: string;
  /** The path below `/dashboard`. */
  readonly path: string;
}

const mostOfConfiguration = 500;
const mostOfHistory = 20;

/** The clients and users, at most 500 each, and the newest 20 flows and tokens. */
export function placesOf({ registered, accounts, flows, events }: Desk): Place[] {
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
