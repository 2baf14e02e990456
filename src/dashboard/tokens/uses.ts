import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { momentOf } from '../moment.ts';

const mostUses = 8;

/** The latest uses of a token that this server saw, newest first, and the number of earlier ones. */
export function usesOf(events: EventLog, { tokenId }: IssuedEvent, now: number) {
  const all = events.ofToken(tokenId);
  const latest = all.slice(-mostUses).reverse();
  return { latest: latest.map(event => useOf(event, events, now)), more: all.length - latest.length };
}

/** A request that used a token or asked about it. */
function useOf(event: SandboxEvent, events: EventLog, now: number) {
  const { requestId } = event;
  const request = events.ofRequest(requestId).find(each => each.type === 'request.completed');
  return {
    requestId,
    // `GET /api/products`
    words: request === undefined ? requestId : `${request.method} ${request.path}`,
    // `accepted`, `refused: …`, `introspected by sensor: active`
    outcome: outcomeOf(event),
    isRefused: event.type === 'error.returned',
    ...(request === undefined ? {} : { status: request.status }),
    at: momentOf(event.at, now),
  };
}

function outcomeOf(event: SandboxEvent): string {
  if (event.type === 'token.used') return 'accepted';
  if (event.type === 'error.returned') return `refused: ${event.description}`;
  if (event.type !== 'token.introspected') return '';
  return `introspected by ${event.client_id}: ${event.state.replaceAll('_', ' ')}`;
}
