import { decodeJwt } from '../../../base/text/jwt.ts';
import { isRecord } from '../../../base/text/record.ts';
import type { ControlCalls } from '../../../client/remote/control-calls.ts';
import type { MintRequest } from '../../../sandbox/control/mint-request.ts';
import type { ExaminedApi } from '../examination.ts';
import type { ApiCall } from './api-call.ts';
import type { ApiModule, ApiValues } from './api-module.ts';

/** On all that the examiner sends: the report leaves out such a request, and what comes of a token that was made for it. */
const ofTool: ApiCall['headers'] = { 'Grantbox-Tool': 'examine' };

/** A running issuer, which the API trusts. */
export interface ApiHost extends Pick<ApiValues, 'issuer' | 'jwksUri'> {
  readonly calls: ControlCalls;
}

/** An issuer that makes tokens for the examination of an API. */
export interface ApiIssuer {
  readonly wanted: ApiValues;
  readonly client: string;
  /** The call of a module. */
  callOf(module: ApiModule): Promise<ApiCall>;
  /** A call with a token like the good one, and what is different in it. */
  bearer(different: Partial<MintRequest>): Promise<ApiCall>;
  rotate(): Promise<void>;
  /** True if somebody has fetched the keys, as far as the history goes back. */
  gaveKeys(): Promise<boolean>;
}

/**
 * Makes a first token, from which the values are known that an API compares.
 * @throws TypeError if the control API refuses
 */
export async function apiIssuer({ calls, issuer, jwksUri }: ApiHost, asked: ExaminedApi): Promise<ApiIssuer> {
  const call = callsOf(calls);
  const client = asked.client ?? (await firstOf(call, 'clients', hasUsers));
  const user = asked.user ?? (await firstOf(call, 'users', () => true));
  const { audience, scope } = asked;
  const good = { client, user, audience, scope };
  const mint = async (different: Partial<MintRequest> = {}) => {
    const { audience: _, ...withoutAudience } = good;
    const { token } = await call('/tokens', { ...(different.type === 'id' ? withoutAudience : good), ...different });
    return String(token);
  };
  const wanted = valuesOf(await mint(), { client, issuer, jwksUri, scope: scope ?? '' });
  return {
    wanted,
    client,
    async callOf(module) {
      const { token: differs = {}, forge = (text: string) => text } = module;
      const token = typeof differs === 'function' ? differs(wanted) : differs;
      if (token === null) return { headers: ofTool };
      return sentAs(module, forge(typeof token === 'string' ? token : await mint(token)));
    },
    bearer: async different => sentAs({}, await mint(different)),
    rotate: async () => void (await call('/keys/rotate', {})),
    async gaveKeys() {
      const { events } = await call('/events?type=request.completed&limit=1000');
      return Array.isArray(events) && events.some(event => isRecord(event) && event.endpoint === 'jwks');
    },
  };
}

function sentAs({ sent }: Pick<ApiModule, 'sent'>, token: string): ApiCall {
  if (sent === 'in the address') return { headers: ofTool, query: { access_token: token } };
  const scheme = sent === undefined ? 'Bearer' : 'bearer';
  return { headers: { ...ofTool, Authorization: `${scheme} ${token}` } };
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
type Call = (path: string, body?: unknown) => Promise<Readonly<Record<string, unknown>>>;

function callsOf(calls: ControlCalls): Call {
  return async (path, body) => {
    const method = body === undefined ? 'GET' : 'POST';
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
