import { unauthorizedClient } from '../errors.ts';
import type { RegisteredClient } from './client.ts';

/** @throws unauthorized_client where the client may not use the grant (RFC 6749 §5.2) */
export function requireGrant(client: RegisteredClient, grantType: string): void {
  if (client.grant_types.includes(grantType)) return;
  const expected = client.grant_types.join(', ');
  const description = `${client.client_id} is not registered for ${grantType}, only for ${expected || 'no grant'}`;
  throw unauthorizedClient('grant_type_not_registered', description, { sent: grantType, expected });
}
