import type { Emit } from '../../base/events/event.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isDeeperThan } from '../json-parameter.ts';
import type { OutboundAnswer } from '../outbound.ts';
import type { Jwk, RegisteredClient } from './client.ts';
import { cacheLifetime, fetchInTurn, getDocument, mayLookAgain, outboundFor } from './document-fetches.ts';

/** Selects among the keys of a client. */
export interface KeyQuery {
  readonly use: 'sig' | 'enc';
  /** `alg` of the JWS or JWE: a key is used with the algorithms of its type only (RFC 8725 §3.1). */
  readonly alg: string;
  readonly kid?: string;
}

/** The owner of the keys: a client, or a trusted issuer, which publishes its keys in the same way. */
export type KeyOwner = Pick<RegisteredClient, 'client_id' | 'jwks' | 'jwks_uri'> &
  Partial<Pick<RegisteredClient, 'origin'>>;

/** Why the keys of a client cannot be used, in a sentence for its developer. */
export class ClientKeysError extends Error {
  /** Description that may be sent in an answer. */
  readonly description: string;
  /** Result of the fetch, for the log and the dashboard. */
  readonly met: string | undefined;

  constructor(description: string, met?: string, cause?: unknown) {
    const message = met === undefined ? description : `${description}: ${met}`;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ClientKeysError';
    this.description = description;
    this.met = met;
  }
}

/** Seconds to keep even a document that must not be cached: one login needs it more than once. */
const shortestLifetime = 1;

/**
 * The public keys of a client for an algorithm, and with a `kid` if it is known.
 * @throws ClientKeysError if the client has no keys
 */
export function clientKeys(
  server: AuthorizationServer,
  client: KeyOwner,
  query: KeyQuery,
  emit?: Emit,
): Promise<readonly Jwk[]> {
  return clientKeysWhere(server, client, key => fits(key, query), emit);
}

/**
 * The public keys of a client that pass `isFitting`: registered ones, or those at its `jwks_uri` (RFC 7591 §2). Fetches
 * the `jwks_uri` again if no known key passes (OIDC Core §10.1.1), within the rate limit of the client.
 * @throws ClientKeysError if the client has no keys
 */
export async function clientKeysWhere(
  server: AuthorizationServer,
  client: KeyOwner,
  isFitting: (key: Jwk) => boolean,
  emit?: Emit,
): Promise<readonly Jwk[]> {
  const { jwks, jwks_uri } = client;
  if (jwks !== undefined) return jwks.keys.filter(isFitting);
  if (jwks_uri === undefined) throw new ClientKeysError('the client has registered neither jwks nor jwks_uri');
  const known = await server.fetched.get<readonly Jwk[]>(['client_keys', jwks_uri]);
  const fitting = known?.filter(isFitting) ?? [];
  if (fitting.length > 0) return fitting;
  const { client_id } = client;
  if (known !== undefined && !mayLookAgain(server, client_id)) return [];
  const document = { name: `keys ${jwks_uri}`, url: jwks_uri, client_id };
  const keys = await fetchInTurn(server, document, () => fetchKeys(server, client, jwks_uri, emit));
  return keys.filter(isFitting);
}

async function fetchKeys(
  server: AuthorizationServer,
  client: KeyOwner,
  uri: string,
  emit: Emit | undefined,
): Promise<readonly Jwk[]> {
  const headers = { Accept: 'application/jwk-set+json, application/json' };
  const failed = (met: string, cause: Error) => new ClientKeysError(unreadable, met, cause);
  const answer = await getDocument(outboundFor(server, client), uri, { headers }, failed);
  const keys = readKeys(answer, uri);
  await server.fetched.put(['client_keys', uri], keys, Math.max(cacheLifetime(answer), shortestLifetime));
  const kids = keys.map(({ kid }) => (typeof kid === 'string' ? kid : 'without kid'));
  emit?.({ type: 'client_keys.fetched', client_id: client.client_id, jwks_uri: uri, kids });
  return keys;
}

const unreadable = 'the jwks_uri of the client cannot be read';

function readKeys({ status, body }: OutboundAnswer, uri: string): readonly Jwk[] {
  const failed = (met: string) => new ClientKeysError(unreadable, `${met} at ${uri}`);
  if (status !== 200) throw failed(`status ${status}`);
  const keys = parseKeys(body);
  if (keys === undefined) throw failed('there is no JWK Set');
  if (keys.some(key => 'd' in key || 'k' in key)) throw failed('there is a private or secret key');
  return keys;
}

/** Levels of a JWK Set: a key may have lists, such as `x5c`. */
const deepest = 5;

function parseKeys(body: string): readonly Jwk[] | undefined {
  const set = recordIn(body);
  return Array.isArray(set?.keys) && !isDeeperThan(set, deepest) ? set.keys.filter(isJwk) : undefined;
}

function isJwk(key: unknown): key is Jwk {
  if (!isRecord(key) || typeof key.kty !== 'string') return false;
  return ['kid', 'use', 'alg', 'crv'].every(name => key[name] === undefined || typeof key[name] === 'string');
}

/** True if no member of the key contradicts its use (RFC 7517 §4). */
function fits(key: Jwk, { use, alg, kid }: KeyQuery): boolean {
  if (kid !== undefined && key.kid !== kid) return false;
  if (key.use !== undefined && key.use !== use) return false;
  if (key.alg !== undefined && key.alg !== alg) return false;
  return typesOf(alg).some(type => key.kty === type.kty && (type.crv === undefined || key.crv === type.crv));
}

interface KeyType {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly crv?: string;
}

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** RFC 7518 §3.1, §4.1, RFC 8037 §3. */
function typesOf(alg: string): readonly KeyType[] {
  if (/^(RS|PS|RSA-)/.test(alg)) return [{ kty: 'RSA' }];
  if (alg.startsWith('ECDH-ES')) return [{ kty: 'EC' }, { kty: 'OKP', crv: 'X25519' }];
  if (alg === 'EdDSA' || alg === 'Ed25519') return [{ kty: 'OKP', crv: 'Ed25519' }];
  const crv = curves[alg];
  return crv === undefined ? [] : [{ kty: 'EC', crv }];
}
