import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { outboundFor } from '../clients/document-fetches.ts';
import { OutboundError } from '../outbound.ts';
import type { BackchannelAuthentication } from './backchannel-authentication.ts';

/**
 * Notifies a client in ping mode that its user has decided (OIDC CIBA §10.2). The client's answer becomes an event and
 * has no other effect, because the client can always poll.
 */
export async function ping(
  server: AuthorizationServer,
  client: RegisteredClient,
  { id: authorizationId, client_notification_token: token }: BackchannelAuthentication,
  auth_req_id: string,
  emit: Emit,
): Promise<void> {
  const url = client.backchannel_client_notification_endpoint;
  if (client.backchannel_token_delivery_mode !== 'ping' || url === undefined || token === undefined) return;
  const { client_id } = client;
  const notified = { type: 'ciba.notified', authorizationId, client_id, url } as const;
  try {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const { status, milliseconds } = await outboundFor(server, client).post(url, JSON.stringify({ auth_req_id }), {
      headers,
    });
    emit({ ...notified, status, milliseconds });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    emit({ ...notified, failure: `${error.failure}: ${error.message}` });
  }
}
