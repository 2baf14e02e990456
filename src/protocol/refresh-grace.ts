import { hash } from 'node:crypto';
import type { Store, StoreKey } from '../base/store.ts';
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
  const made = () => makeAndKeep(store, key, seconds, make);
  const answer = store.isShared ? amongReplicas(store, key, made) : made();
  making.set(key, answer);
  try {
    return await answer;
  } finally {
    making.delete(key);
  }
}

async function makeAndKeep<Body>(store: Store, key: string, seconds: number, make: () => Promise<Body>): Promise<Body> {
  const body = await make();
  await store.put(['refresh_answer', key], { body }, seconds);
  return body;
}

/** Milliseconds between two looks for the answer of another replica. */
const pause = 20;
/** Looks after which the other replica counts as gone. */
const mostLooks = 250;

/**
 * One replica makes the answer, and the others wait for it: five seconds, if it ends meanwhile. If it fails, the next one
 * answers for itself.
 */
async function amongReplicas<Body>(store: Store, key: string, make: () => Promise<Body>): Promise<Body> {
  const lock = ['refresh_under_way', key] as const;
  for (let looks = 0; looks < mostLooks; looks++) {
    const isOurs = await store.add(lock, true, lockedFor);
    const given = await store.get<{ readonly body: Body }>(['refresh_answer', key]); // made before the lock was ours
    if (isOurs) return await finallyDelete(store, lock, given === undefined ? make : async () => given.body);
    if (given !== undefined) return given.body;
    await new Promise(resolve => setTimeout(resolve, pause));
  }
  return finallyDelete(store, lock, make);
}

/** Seconds after which the lock of a replica that is gone ends by itself; a frozen clock does not end it. */
const lockedFor = 10;

async function finallyDelete<Body>(store: Store, key: StoreKey, work: () => Promise<Body>): Promise<Body> {
  try {
    return await work();
  } finally {
    await store.delete(key);
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
