import type { Attributes, Span } from '@opentelemetry/api';
import type { EventFact } from '../../base/events/event.ts';

/** Adds what an event tells to the span of its request. No secret and no user is among it. */
export function noteFacts(span: Pick<Span, 'setAttributes'>, fact: EventFact): void {
  const attributes = attributesOf(fact);
  if (attributes !== undefined) span.setAttributes(attributes);
}

function attributesOf(fact: EventFact): Attributes | undefined {
  switch (fact.type) {
    case 'token.requested':
      return { 'grantbox.client_id': fact.client_id, 'grantbox.grant_type': fact.grant_type };
    case 'authorization.requested':
      return { 'grantbox.client_id': fact.client_id, 'grantbox.response_type': fact.response_type };
    case 'client.authenticated':
      return { 'grantbox.client_id': fact.client_id, 'grantbox.client_authentication': fact.method };
    case 'error.returned':
      return { 'grantbox.error': fact.error, 'grantbox.reason': fact.reason };
    case 'fault.applied':
      return { 'grantbox.fault': fact.fault };
    default:
      return undefined;
  }
}
