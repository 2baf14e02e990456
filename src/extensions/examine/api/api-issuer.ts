import { decodeJwt } from '../../../base/text/jwt.ts';
import { isRecord, recordIn } from '../../../base/text/record.ts';
import { controlRefusal, jsonPost } from '../../../client/cli/ask.ts';
import { CommandFailure, type Given, textOf, type World } from '../../../client/cli/command.ts';
import { type Connection, connectIssuer, discover } from '../../../client/cli/connection.ts';
import type { MintRequest } from '../../../sandbox/control/mint-request.ts';
import type { ApiModule, ApiValues } from './api-module.ts';

type Headers = Readonly<Record<string, string>>;

/** On all that the examiner sends: the report leaves out such a request, and what comes of a token that was made for it. */
const ofTool: Headers = { 'Grantbox-Tool': 'examine' };

/** A call of an API: its headers, and a query that is added to its address. */
export interface ApiCall {
  readonly headers: Headers;
  readonly query?: Headers;
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
 * Connects to the sandbox and makes a first token, from which the values are known that an API compares.
 * @throws CommandFailure if the sandbox does not answer or the control API refuses
 */
export async function apiIssuer(given: Given, world: World): Promise<ApiIssuer> {
  const connection = await connectIssuer(given, world);
  const { issuer, members } = await discover(connection);
  const client = textOf(given, 'client') ?? (await firstOf(connection, 'clients', hasUsers));
  const user = textOf(given, 'user') ?? (await firstOf(connection, 'users', () => true));
  const [audience, scope] = [textOf(given, 'audience'), textOf(given, 'scope')];
  const good = { client, user, audience, scope };
  const mint = async (different: Partial<MintRequest> = {}) => {
    const { audience: _, ...withoutAudience } = good;
    return minted(connection, { ...(different.type === 'id' ? withoutAudience : good), ...different });
  };
  const wanted = valuesOf(await mint(), { client, issuer, jwksUri: String(members.jwks_uri), scope: scope ?? '' });
  return {
    wanted,
    client,
    async callOf(module) {
      const { token: asked = {}, forge = (text: string) => text } = module;
      const token = typeof asked === 'function' ? asked(wanted) : asked;
      if (token === null) return { headers: ofTool };
      return sentAs(module, forge(typeof token === 'string' ? token : await mint(token)));
    },
    bearer: async different => sentAs({}, await mint(different)),
    rotate: async () => void (await call(connection, '/keys/rotate', {})),
    async gaveKeys() {
      const { events } = await call(connection, '/events?type=request.completed&limit=1000');
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
    throw new CommandFailure(
      `the access tokens of ${client} are opaque, so an API cannot read them`,
      1,
      'Name a client with access_token_format: jwt by --client.',
    );
  const aud = Array.isArray(claims.aud) ? claims.aud[0] : claims.aud;
  return { ...known, audience: String(aud), alg: String(header.alg) };
}

/** Calls the control API: a POST if there is a body. A key may have to be made first. */
async function call({ ask, base, controlHeaders }: Connection, path: string, body?: unknown) {
  const headers = { ...controlHeaders, ...ofTool };
  const asking = body === undefined ? { headers } : jsonPost(body, headers);
  const answered = await ask(`/_sandbox${path}`, { ...asking, timeoutSeconds: 30 });
  if (answered.status < 200 || answered.status > 299) throw controlRefusal(`${base}/_sandbox${path}`, answered);
  return recordIn(answered.text) ?? {};
}

async function minted(connection: Connection, request: MintRequest): Promise<string> {
  const { token } = await call(connection, '/tokens', request);
  return String(token);
}

async function firstOf(
  connection: Connection,
  kind: 'clients' | 'users',
  fits: (entry: Readonly<Record<string, unknown>>) => boolean,
): Promise<string> {
  const { [kind]: listed } = await call(connection, `/${kind}`);
  const rows = Array.isArray(listed) ? listed.filter(isRecord) : [];
  const found = rows.find(({ entry }) => isRecord(entry) && fits(entry)) ?? rows[0];
  const id = found?.[kind === 'clients' ? 'client_id' : 'sub'];
  if (typeof id === 'string') return id;
  throw new CommandFailure(`the sandbox has no ${kind}`, 1, `Name one by --${kind.slice(0, -1)}.`);
}

/** Access tokens of a client with users are of the kind that an API usually gets. */
function hasUsers({ grant_types, access_token_format }: Readonly<Record<string, unknown>>): boolean {
  const isLogin =
    grant_types === undefined || (Array.isArray(grant_types) && grant_types.includes('authorization_code'));
  return isLogin && access_token_format !== 'opaque';
}
