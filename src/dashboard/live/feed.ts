import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { isOurOwn } from '../../record/progress.ts';

/** The message to the browser about an event: a kind and the facts that pages need, never a raw token. */
export interface FeedMessage {
  /** Never `error`: EventSource uses that name for a lost connection. */
  readonly kind:
    | 'token'
    | 'revoked'
    | 'request'
    | 'problem'
    | 'session'
    | 'key'
    | 'clock'
    | 'fault'
    | 'configuration'
    | 'reset'
    | 'resync'
    | 'counts';
  readonly data: object;
}

/** Undefined for events that no page shows live. */
export function feedMessage(event: SandboxEvent, events: EventLog): FeedMessage | undefined {
  switch (event.type) {
    case 'token.issued':
    case 'code.issued':
      return { kind: 'token', data: tokenData(event, events) };
    case 'token.revoked':
      return { kind: 'revoked', data: { ids: revokedIds(event.authorizationId, event.id, events) } };
    case 'token.ended':
    case 'token.resumed':
      return {
        kind: 'revoked',
        data: { ended: event.tokenId, as: event.type === 'token.ended' ? 'expired' : 'valid' },
      };
    case 'request.completed':
      return isOurOwn(event.endpoint)
        ? undefined
        : { kind: 'request', data: { endpoint: event.endpoint, status: event.status, requestId: event.requestId } };
    case 'error.returned':
      return { kind: 'problem', data: { error: event.error, client: event.client_id, requestId: event.requestId } };
    case 'login.succeeded':
    case 'session.ended':
      return { kind: 'session', data: { user: event.sub, client: event.client_id } };
    case 'key.created':
      return { kind: 'key', data: { kid: event.kid } };
    case 'clock.changed':
      return { kind: 'clock', data: {} };
    case 'fault.armed':
    case 'fault.disarmed':
      return { kind: 'fault', data: { fault: event.fault } };
    case 'configuration.reloaded':
    case 'configuration.refused':
      return { kind: 'configuration', data: {} };
    case 'sandbox.reset':
      return { kind: 'reset', data: {} };
    default:
      return undefined;
  }
}

function tokenData(event: IssuedEvent, events: EventLog): object {
  const { tokenId, sub, client_id } = event;
  return {
    id: tokenId,
    type: tokenTypeOf(event),
    user: sub,
    client: client_id,
    ...ended(event, events),
  };
}

/** The token that this one replaces. */
function ended(event: IssuedEvent, events: EventLog): object {
  const parent = event.parentTokenId === undefined ? undefined : events.issued(event.parentTokenId);
  if (parent === undefined) return {};
  if (parent.type === 'code.issued') return { ended: parent.tokenId, as: 'used' };
  return tokenTypeOf(event) === 'refresh' ? { ended: parent.tokenId, as: 'replaced' } : {};
}

const mostIds = 200;

function revokedIds(authorizationId: string, before: number, events: EventLog): string[] {
  const ids: string[] = [];
  for (const event of events.ofAuthorization(authorizationId)) {
    if (event.type === 'token.issued' && event.tokenType !== 'id' && event.id < before) ids.push(event.tokenId);
  }
  return ids.slice(-mostIds);
}
