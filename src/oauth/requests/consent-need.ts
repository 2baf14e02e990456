import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** A request as far as the user allows it. */
export interface GrantedRequest extends AuthorizationRequest {
  /** Scopes that were asked for and not allowed. */
  readonly declined?: readonly string[];
}

/** True if consent may be needed. The modules that decide it are loaded only then. */
export function mayNeedConsent(
  client: RegisteredClient,
  { prompt, authorization_details }: AuthorizationRequest,
): boolean {
  return (
    client.require_consent ||
    client.origin !== 'configuration' ||
    prompt.includes('consent') ||
    authorization_details !== undefined
  );
}
