import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import { backchannelAuthentication } from '../../src/protocol/endpoints/backchannel-authentication.ts';
import { deviceAuthorization, deviceVerification } from '../../src/protocol/endpoints/device-authorization.ts';
import type { Page, Reply } from '../../src/protocol/endpoints/endpoint.ts';
import type { Session } from '../../src/protocol/users/session.ts';
import { publicClient } from './client.ts';
import { basic, type Parameters, type TestServer } from './server.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const cibaGrant = 'urn:openid:params:grant-type:ciba';

/** A television: public, without a browser. */
export const tv: RegisteredClient = {
  ...publicClient,
  client_id: 'tv',
  client_name: 'Living-room TV',
  grant_types: [deviceGrant, 'refresh_token'],
  response_types: [],
  scope: 'openid profile bikes:read',
  id_token_signed_response_alg: 'ES256',
  loopback_redirects: false,
};

/** A call centre, which asks for the approval of the caller on the phone. */
export const bank: RegisteredClient = {
  ...tv,
  client_id: 'bank',
  client_name: 'Bank',
  client_secret: 'bank-secret',
  token_endpoint_auth_methods: ['client_secret_basic'],
  grant_types: [cibaGrant, 'refresh_token'],
  require_pkce: false,
};
export const asBank = basic('bank', 'bank-secret');

/** The body of a JSON answer. */
export function bodyOf<T>(reply: Reply): T {
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind} and no JSON`);
  return reply.body as T;
}

export function pageOf<N extends Page['name']>(reply: Reply, name: N): Extract<Page, { name: N }> {
  if (reply.kind !== 'page' || reply.page.name !== name) throw new Error(`no page ${name}: ${JSON.stringify(reply)}`);
  return reply.page as Extract<Page, { name: N }>;
}

export interface DeviceResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** What the television shows. */
export async function startDevice(it: TestServer, parameters: Parameters = {}): Promise<DeviceResponse> {
  const given =
    typeof parameters === 'object' && !Array.isArray(parameters) ? { client_id: 'tv', ...parameters } : parameters;
  return bodyOf(await deviceAuthorization(it.server, it.request(given)));
}

/** The user presses a button on the verification page. */
export function decideDevice(
  it: TestServer,
  session: Session,
  user_code: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<Reply> {
  const form = { user_code, decision, as: session.sub };
  return deviceVerification(it.server, it.request(form, { sessionId: session.id }));
}

export interface CibaResponse {
  readonly auth_req_id: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** A backchannel authentication request of the bank, for alice where nothing else is said. */
export async function startCiba(it: TestServer, parameters: Readonly<Record<string, string>> = {}, as = asBank) {
  const complete = { scope: 'openid profile', login_hint: 'alice', ...parameters };
  const sent = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
  const reply = await backchannelAuthentication(it.server, it.request(sent, { authorization: as }));
  return bodyOf<CibaResponse>(reply);
}
