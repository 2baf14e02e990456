import type { AuthorizationServer } from '../authorization-server.ts';
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
  const lifetime = pendingLifetime(server, request);
  const places = placesOf(request.sub);
  for (const place of places) if (await server.store.add(place, auth_req_id, lifetime)) return;
  const waiting = await Promise.all(places.map(place => findAt(server, place)));
  const oldest = places.reduce((first, place, index) => {
    const exp = (at: number) => waiting[at]?.request.exp ?? 0;
    return exp(index) < exp(places.indexOf(first)) ? place : first;
  });
  await server.store.put(oldest, auth_req_id, lifetime);
}

/** The pending requests of a user, each with its `auth_req_id`. */
export async function waitingFor(server: AuthorizationServer, sub: string) {
  const found = await Promise.all(placesOf(sub).map(place => findAt(server, place)));
  const waiting: { readonly auth_req_id: string; readonly request: BackchannelAuthentication }[] = [];
  for (const [index, entry] of found.entries()) {
    const isOpen = entry !== undefined && !(await isOver(server, entry.request));
    const place = placesOf(sub)[index];
    if (isOpen) waiting.push(entry);
    else if (entry !== undefined && place !== undefined) await server.store.delete(place);
  }
  return waiting.sort((a, b) => a.request.exp - b.request.exp);
}

async function isOver(server: AuthorizationServer, request: BackchannelAuthentication): Promise<boolean> {
  return isExpired(server, request) || (await findDecision(server, request)) !== undefined;
}

async function findAt(server: AuthorizationServer, place: readonly ['waiting_approval', string]) {
  const auth_req_id = await server.store.get<string>(place);
  if (auth_req_id === undefined) return undefined;
  const request = await findPending<BackchannelAuthentication>(server, 'auth_req_id', auth_req_id);
  return request === undefined ? undefined : { auth_req_id, request };
}
