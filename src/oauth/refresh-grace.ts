import { hash } from 'node:crypto';
import type { Store } from '../storage/store.ts';
import type { TokenRequest } from './authorization-server.ts';
import { isEnded } from './end-token.ts';
import { isRevoked } from './kept-authorizations.ts';
import { parameter } from './parameters.ts';
import type { RefreshTokenRecord } from './refresh-token.ts';

/** Answers that are being made, by request. A second tab waits for the first one. */
const underWay = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * The answer to a refresh, made once: the same request of the same client gets the same answer for `REFRESH_TOKEN_GRACE`
 * seconds, unless the login was revoked in between. A failure is not kept.
 */
export async function sameAnswer<Body>(
  request: TokenRequest,
  seconds: number,
  make: () => Promise<Body>,
): Promise<Body> {
  const { store } = request.server;
  const key = keyOf(request);
  if (!(await isStillGood(request))) return make();
  const given = await store.get<{ readonly body: Body }>(['refresh_answer', key]);
  if (given !== undefined) return given.body;
  const making = underWay.get(store) ?? new Map<string, Promise<unknown>>();
  underWay.set(store, making);
  const begun = making.get(key);
  if (begun !== undefined) return begun as Promise<Body>; // the same request, so the same answer
  const answer = make();
  making.set(key, answer);
  try {
    const body = await answer;
    await store.put(['refresh_answer', key], { body }, seconds);
    return body;
  } finally {
    making.delete(key);
  }
}

/** All that decides the answer. A bound token answers only the holder of the same key. */
function keyOf({ client, parameters, confirmation }: TokenRequest): string {
  const sent = ['refresh_token', 'scope', 'authorization_details'].map(name => parameter(parameters, name) ?? null);
  return hash('sha256', JSON.stringify([client.client_id, ...sent, parameters.resources, confirmation ?? null]));
}

async function isStillGood({ server, parameters }: TokenRequest): Promise<boolean> {
  const token = parameter(parameters, 'refresh_token') ?? '';
  const issued = await server.store.get<RefreshTokenRecord>(['issued_refresh_token', token]);
  if (issued === undefined || issued.revoked || (await isEnded(server, issued.tokenId))) return false;
  return !(await isRevoked(server, issued.authorization.id, issued.authorization.client_id));
}
