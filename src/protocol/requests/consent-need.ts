import { isStranger, type RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** A request reduced to what the user allows. */
export interface GrantedRequest extends AuthorizationRequest {
  /** Requested scopes that the user did not allow. */
  readonly declined?: readonly string[];
}

/** True if consent may be needed. The modules that decide it are loaded only then. */
export function mayNeedConsent(
  client: RegisteredClient,
  { prompt, authorization_details }: AuthorizationRequest,
): boolean {
  return (
    client.require_consent || isStranger(client) || prompt.includes('consent') || authorization_details !== undefined
  );
}
