import type { ClientCall } from '../authorization-server.ts';
import { outboundFor } from '../clients/document-fetches.ts';
import { OutboundError } from '../outbound.ts';
import type { BackchannelAuthentication } from './backchannel-authentication.ts';

/** Notifies a client in ping mode of a decision (OIDC CIBA §10.2). If that fails, the client can poll. */
export async function ping(
  { server, client, emit }: ClientCall,
  { id: authorizationId, client_notification_token: token }: BackchannelAuthentication,
  auth_req_id: string,
): Promise<void> {
  const url = client.backchannel_client_notification_endpoint;
  if (client.backchannel_token_delivery_mode !== 'ping' || url === undefined || token === undefined) return;
  const notified = { type: 'ciba.notified', authorizationId, client_id: client.client_id, url } as const;
  try {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ auth_req_id });
    const { status, milliseconds } = await outboundFor(server, client).post(url, body, { headers });
    emit({ ...notified, status, milliseconds });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    emit({ ...notified, failure: `${error.failure}: ${error.message}` });
  }
}
