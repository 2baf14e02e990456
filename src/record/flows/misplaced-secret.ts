import { isInPlaceOfClientId } from '../../protocol/clients/find-client.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** The secret that a request sent as its `client_id` by mistake. Redaction by name would not find it there. */
export function misplacedSecret(request: RecordedRequest): string | undefined {
  const isMisplaced = request.facts.some(fact => fact.type === 'error.returned' && isInPlaceOfClientId(fact.sent));
  return isMisplaced ? request.value('client_id') : undefined;
}
