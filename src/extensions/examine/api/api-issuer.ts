import type { JWK } from 'jose';
import { decodeJwt } from '../../../base/text/jwt.ts';
import { isRecord, recordIn } from '../../../base/text/record.ts';
import { type ConnectOptions, createControlCalls, readPage } from '../../../client/remote/control-calls.ts';
import type { MintRequest } from '../../../sandbox/control/mint-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import { discoveryPath } from '../../../server/wire/health.ts';
import type { ApiCall } from '../../report/api/api-call.ts';
import type { ApiIssuer, ApiModule, ApiValues, Disturbance, Elsewhere } from '../../report/api/api-module.ts';
import type { ExaminedApi } from '../examination.ts';
import type { KeyRequest } from '../libraries/recognise.ts';

/** On all that the examiner sends: the report leaves out such a request, and what comes of a token that was made for it. */
const ofTool: ApiCall['headers'] = { 'Grantbox-Tool': 'examine' };

/** A running issuer, which the API trusts. */
export interface ApiHost extends Pick<ApiValues, 'issuer' | 'jwksUri'> {
  /** The URL of the issuer as it is reached from here, without a trailing slash. */
  readonly base: string;
  readonly connection: ConnectOptions;
}

/** An issuer whose history is read, too. */
export interface SeenIssuer extends ApiIssuer {
  /** The headers of the requests for the keys since the first token, or of those before if there are none. */
  keyRequests(): Promise<readonly KeyRequest[]>;
}

/**
 * Makes a first token, from which the values are known that an API compares.
 * @throws TypeError if the control API refuses
 */
export async function apiIssuer(host: ApiHost, asked: ExaminedApi): Promise<SeenIssuer> {
  const { issuer, jwksUri } = host;
  const call = callsOf(host);
  const client = asked.client ?? (await firstOf(call, 'clients', hasUsers));
  const user = asked.user ?? (await firstOf(call, 'users', () => true));
  const { audience, scope } = asked;
  const good = { client, user, audience, scope };
  const mint = async (different: Partial<MintRequest> = {}) => {
    const { type = 'access' } = different;
    const usual = { access: good, id: { client, user, scope }, refresh: { client, user } }[type];
    return String((await call('/tokens', { ...usual, ...different })).token);
  };
  const begin = Number((await call('/events?limit=1')).last_id);
  const wanted = valuesOf(await mint(), { client, issuer, jwksUri, scope: scope ?? '' });
  return {
    wanted,
    client,
    async callOf(module) {
      const { token: differs = {}, forge = (text: string) => text } = module;
      const token = typeof differs === 'function' ? differs(wanted) : differs;
      if (token === null) return callWith(undefined);
      return sentAs(module, forge(typeof token === 'string' ? token : await mint(token)));
    },
    callWith,
    mint,
    rotate: async (options = {}) => void (await call('/keys/rotate', options)),
    disturbKeys: fault => disturbance(call, fault),
    publishElsewhere: key => elsewhere(host, key),
    gaveKeys: async () => (await askedSince(call, 0)).has('jwks'),
    async keyRequests() {
      const since = await keyRequestsSince(call, begin);
      return since.length > 0 ? since : keyRequestsSince(call, 0);
    },
  };
}

async function disturbance(call: Call, fault: AskedFault): Promise<Disturbance> {
  const { last_id: before } = await call('/events?limit=1');
  const order = { times: 'always', endpoint: 'jwks', for: 60, ...fault }; // it ends by itself if the examiner is stopped
  const { id } = await call('/faults', order);
  return {
    async end() {
      const asked = await askedSince(call, Number(before));
      await call(`/faults/${id}`, undefined, 'DELETE');
      return asked;
    },
  };
}

/** The endpoints that were asked since an event. A request that a fault holds back counts, too. */
async function askedSince(call: Call, id: number): Promise<ReadonlySet<string>> {
  const rows = await eventsSince(call, id, 'type=request.completed,fault.applied');
  return new Set(rows.map(({ endpoint }) => String(endpoint)));
}

async function eventsSince(call: Call, id: number, query: string) {
  const { events } = await call(`/events?${query}&limit=1000${id === 0 ? '' : `&after=${id}`}`);
  return Array.isArray(events) ? events.filter(isRecord) : [];
}

/** The headers of others than the examiner that asked for the keys. */
async function keyRequestsSince(call: Call, id: number): Promise<readonly KeyRequest[]> {
  const rows = await eventsSince(call, id, 'type=request.completed&q=endpoint:jwks&exchange=true');
  const sent = rows.map(({ exchange }) => (isRecord(exchange) ? exchange.requestHeaders : undefined));
  return sent
    .filter(headers => Array.isArray(headers))
    .map(headers => Object.fromEntries(headers.map(([name, value]) => [String(name).toLowerCase(), String(value)])))
    .filter(headers => headers['grantbox-tool'] === undefined);
}

/** An issuer whose JWK Set has this key alone. Only the first issuer of a sandbox can make one. */
async function elsewhere({ base, connection }: ApiHost, key: JWK): Promise<Elsewhere | undefined> {
  const call = callsOf({ base, connection });
  const made = await call('/issuers', { lifetime: 600 }).catch(() => undefined);
  if (made === undefined) return undefined;
  const other = new URL(base).origin + new URL(String(made.issuer)).pathname;
  const fault = { fault: 'changed_members', endpoint: 'jwks', times: 'always', change: { keys: [key] } };
  await callsOf({ base: other, connection })('/faults', fault);
  const { text } = await readPage('examine', other, discoveryPath, connection);
  const stop = async () => void (await call(`/issuers/${made.id}`, undefined, 'DELETE'));
  return { jwksUri: String(recordIn(text)?.jwks_uri), stop };
}

function callWith(token: string | undefined, scheme = 'Bearer', headers: ApiCall['headers'] = {}): ApiCall {
  const authorization: ApiCall['headers'] = token === undefined ? {} : { Authorization: `${scheme} ${token}` };
  return { headers: { ...ofTool, ...headers, ...authorization } };
}

function sentAs({ sent }: Pick<ApiModule, 'sent'>, token: string): ApiCall {
  if (sent === 'in the address') return { headers: ofTool, query: { access_token: token } };
  return callWith(token, sent === undefined ? 'Bearer' : 'bearer');
}

interface Known extends Pick<ApiValues, 'issuer' | 'jwksUri' | 'scope'> {
  readonly client: string;
}

/** Reads from a good token what an API compares. */
function valuesOf(token: string, { client, ...known }: Known): ApiValues {
  const { header, claims } = decodeJwt(token) ?? {};
  if (claims === undefined || header === undefined)
    throw new TypeError(
      `examine: the access tokens of ${client} are opaque, so an API cannot read them. Name a client with access_token_format: jwt.`,
    );
  const aud = Array.isArray(claims.aud) ? claims.aud[0] : claims.aud;
  return { ...known, audience: String(aud), alg: String(header.alg) };
}

/** Calls the control API: a POST if there is a body. */
type Call = (path: string, body?: unknown, method?: 'DELETE') => Promise<Readonly<Record<string, unknown>>>;

function callsOf({ base, connection }: Pick<ApiHost, 'base' | 'connection'>): Call {
  const calls = createControlCalls(base, connection);
  return async (path, body, asked) => {
    const method = asked ?? (body === undefined ? 'GET' : 'POST');
    const { content } = await calls({ name: 'examine', method, path, body, headers: ofTool });
    return isRecord(content) ? content : {};
  };
}

async function firstOf(
  call: Call,
  kind: 'clients' | 'users',
  fits: (entry: Readonly<Record<string, unknown>>) => boolean,
): Promise<string> {
  const { [kind]: listed } = await call(`/${kind}`);
  const rows = Array.isArray(listed) ? listed.filter(isRecord) : [];
  const found = rows.find(({ entry }) => isRecord(entry) && fits(entry)) ?? rows[0];
  const id = found?.[kind === 'clients' ? 'client_id' : 'sub'];
  if (typeof id === 'string') return id;
  throw new TypeError(`examine: the sandbox has no ${kind}, and a token is for one`);
}

/** Access tokens of a client with users are of the kind that an API usually gets. */
function hasUsers({ grant_types, access_token_format }: Readonly<Record<string, unknown>>): boolean {
  const isLogin =
    grant_types === undefined || (Array.isArray(grant_types) && grant_types.includes('authorization_code'));
  return isLogin && access_token_format !== 'opaque';
}
