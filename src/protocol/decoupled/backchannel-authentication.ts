import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import { outboundFor } from '../clients/document-fetches.ts';
import { OutboundError } from '../outbound.ts';
import {
  findDecision,
  findPending,
  isExpired,
  type PendingAuthorization,
  pendingLifetime,
} from './pending-authorization.ts';

/** A backchannel authentication request that waits for one user's approval (OIDC CIBA §7.3). */
export interface BackchannelAuthentication extends PendingAuthorization {
  readonly sub: string;
  readonly acr_values: readonly string[];
  readonly binding_message?: string;
  /** The client's token for the notification; present in ping mode (§10.2). */
  readonly client_notification_token?: string;
}

/** Most requests that wait for one user; beyond it the oldest are dropped. */
const mostWaiting = 20;

function placesOf(sub: string) {
  return Array.from({ length: mostWaiting }, (_, index) => ['waiting_approval', `${sub} ${index}`] as const);
}

/** Adds a request to those that wait for its user. Each takes its place in one step, so that two at once are both kept. */
export async function announce(
  server: AuthorizationServer,
  auth_req_id: string,
  request: BackchannelAuthentication,
): Promise<void> {
  const { store } = server;
  const lifetime = pendingLifetime(server, request);
  for (;;) {
    for (const place of placesOf(request.sub)) if (await store.add(place, auth_req_id, lifetime)) return;
    const [oldest] = (await occupied(server, request.sub)).sort(
      (a, b) => (a.request?.exp ?? 0) - (b.request?.exp ?? 0),
    );
    if (oldest !== undefined && (await store.swap(oldest.place, oldest.auth_req_id, auth_req_id, lifetime))) return;
  }
}

/** The pending requests of a user, each with its `auth_req_id`. */
export async function waitingFor(server: AuthorizationServer, sub: string) {
  const waiting: { readonly auth_req_id: string; readonly request: BackchannelAuthentication }[] = [];
  for (const { place, auth_req_id, request } of await occupied(server, sub)) {
    const isOpen = request !== undefined && !isExpired(server, request);
    if (isOpen && (await findDecision(server, request)) === undefined) waiting.push({ auth_req_id, request });
    else await server.store.swap(place, auth_req_id, undefined, 0); // unless another request took the place meanwhile
  }
  return waiting.sort((a, b) => a.request.exp - b.request.exp);
}

async function occupied(server: AuthorizationServer, sub: string) {
  const found = await Promise.all(
    placesOf(sub).map(async place => {
      const auth_req_id = await server.store.get<string>(place);
      if (auth_req_id === undefined) return [];
      const request = await findPending<BackchannelAuthentication>(server, 'auth_req_id', auth_req_id);
      return [{ place, auth_req_id, request }];
    }),
  );
  return found.flat();
}

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
