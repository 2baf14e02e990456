import { hash } from 'node:crypto';
import type { Store, StoreKey } from '../../base/store.ts';
import type { AuthorizationServer, GrantHandler, TokenRequest } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient, requireGrant } from '../clients/client-authentication.ts';
import { unsupportedGrantType } from '../errors.ts';
import { grants } from '../grants/index.ts';
import { isEnded, isRevoked, type RefreshTokenRecord } from '../kept-authorizations.ts';
import {
  clientParameters,
  lenientParameter,
  parameter,
  requiredParameter,
  shorten,
  unknownParameters,
} from '../parameters.ts';
import { nonceHeader } from '../proofs/dpop.ts';
import { senderConfirmation } from '../proofs/sender-constraint.ts';
import { issueTokens } from '../tokens/issue-tokens.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** The token endpoint (RFC 6749 §3.2). */
export async function token(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  return tokensFor(server, request, client);
}

/** The answer to a client that is known to be the one that asks. */
export async function tokensFor(
  server: AuthorizationServer,
  request: EndpointRequest,
  client: RegisteredClient,
): Promise<Reply> {
  const { parameters, emit } = request;
  const grant = findGrant(server, requiredParameter(parameters, 'grant_type'));
  if (!grant.isForAll) requireGrant(client, grant.registeredAs ?? grant.grantType);
  emitRequested(request, client, grant);
  const confirmation = await senderConfirmation(server, client, request);
  const asking = { server, client, parameters, emit, confirmation };
  const answer = async () => issueTokens({ ...asking, redemption: await grant.redeem(asking), asked: parameters });
  const { refreshTokenGrace: grace = 0 } = server.dropIns ?? {};
  const isForgiven = grace > 0 && grant.grantType === 'refresh_token';
  const body = isForgiven ? await sameAnswer(asking, grace, answer) : await answer();
  const headers = request.dpop === undefined ? {} : nonceHeader(server);
  return { kind: 'json', status: 200, body, headers };
}

function findGrant(server: AuthorizationServer, grantType: string): GrantHandler {
  const grant = server.grants.get(grantType);
  if (grant !== undefined) return grant;
  const expected = [...server.grants.keys()].join(', ');
  const feature = grants.get(grantType)?.feature;
  const why =
    feature === undefined ? 'is not supported' : `is switched off: start the sandbox with FEATURES=${feature}=on`;
  const description = `grant_type ${why}; supported: ${expected}`;
  throw unsupportedGrantType('grant_type_unsupported', description, { sent: shorten(grantType), expected });
}

function emitRequested({ parameters, emit }: EndpointRequest, client: RegisteredClient, grant: GrantHandler): void {
  const scope = lenientParameter(parameters, 'scope');
  emit({
    type: 'token.requested',
    client_id: client.client_id,
    grant_type: grant.grantType,
    ...(scope === undefined ? {} : { scope: shorten(scope) }),
    ignored: unknownParameters(parameters, knownParameters(grant)),
  });
}

const known = new WeakMap<GrantHandler, ReadonlySet<string>>();

function knownParameters(grant: GrantHandler): ReadonlySet<string> {
  const names = known.get(grant) ?? new Set<string>(['grant_type', ...clientParameters, 'scope', ...grant.parameters]);
  known.set(grant, names);
  return names;
}

/** Answers that are being made, by request. A second tab waits for the first one. */
const underWay = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * The answer to a refresh, made once: the same request of the same client gets the same answer for `REFRESH_TOKEN_GRACE`
 * seconds, unless the login was revoked in between. A failure is not kept.
 */
async function sameAnswer<Body>(request: TokenRequest, seconds: number, make: () => Promise<Body>): Promise<Body> {
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
