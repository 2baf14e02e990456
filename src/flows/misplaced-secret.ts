import type { SandboxEvent } from '../events/event.ts';
import { isInPlaceOfClientId } from '../oauth/misplaced-secret.ts';
import { type Completed, recordedRequest } from './recorded-request.ts';

/** The secret that a request sent as its `client_id` by mistake. Redaction by name would not find it there. */
export function misplacedSecret(request: Completed, facts: readonly SandboxEvent[]): string | undefined {
  const isMisplaced = facts.some(fact => fact.type === 'error.returned' && isInPlaceOfClientId(fact.sent));
  return isMisplaced ? recordedRequest(request, facts).value('client_id') : undefined;
}
