import { SignJWT } from 'jose';
import { asBank, bearerGrant, cibaGrant, deviceGrant, exchangeGrant, key } from '../conformance/everything.ts';
import { type Agent, createAgent, type Visit } from './agent.ts';
import { authorizeQuery, callback, get, post, redeem, type Tokens } from './wire.ts';

// What people and their clients do, grant by grant, against a running sandbox with the clients of `everything`.

export type Form = Readonly<Record<string, string>>;

export const asShop = `Basic ${Buffer.from('shop:shop-secret').toString('base64')}`;

export async function jsonOf<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

export function tokenRequest(url: string, form: Form, authorization?: string): Promise<Response> {
  return post(`${url}/oauth2/token`, form, authorization === undefined ? {} : { authorization });
}

/** A browser without scripts walks from the login page to the callback of the application. */
export async function walkToCode(url: string, parameters: Form = {}, agent: Agent = createAgent(url), sub = 'alice') {
  const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`);
  const visit = page.html === '' ? page : await agent.submit(page, `login-user-${sub}`);
  return { agent, visit, code: visit.url.searchParams.get('code') ?? '' };
}

/** A whole login of `frontend`, then a call of the sample backend. */
export async function logInAndCall(url: string, parameters: Form = {}): Promise<Tokens> {
  const { code } = await walkToCode(url, { scope: 'openid profile products:read', ...parameters });
  const tokens = await jsonOf<Tokens>(await redeem(url, code));
  await (await get(`${url}/api/products`, { authorization: `Bearer ${tokens.access_token}` })).arrayBuffer();
  return tokens;
}

/** The shop asks its user what it may have. */
export async function walkThroughConsent(url: string, button = 'consent-allow', parameters: Form = {}): Promise<Visit> {
  const pkce = { code_challenge: '', code_challenge_method: '' };
  const { agent, visit } = await walkToCode(url, { client_id: 'shop', ...pkce, ...parameters });
  return agent.submit(visit, button);
}

export function redeemShop(url: string, code: string, changes: Form = {}): Promise<Response> {
  const form = { grant_type: 'authorization_code', redirect_uri: callback, code, ...changes };
  return tokenRequest(url, form, asShop);
}

export interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

export async function startDevice(url: string): Promise<DeviceAnswer> {
  const form = { client_id: 'frontend', scope: 'openid products:read' };
  return jsonOf(await post(`${url}/oauth2/device_authorization`, form));
}

export function pollDevice(url: string, device_code: string): Promise<Response> {
  return tokenRequest(url, { grant_type: deviceGrant, client_id: 'frontend', device_code });
}

/** Opens the page, signs in, types the code and presses a button. */
export async function decideDevice(url: string, device: DeviceAnswer, button = 'device-allow'): Promise<Visit> {
  const agent = createAgent(url);
  const page = await agent.submit(await agent.open(device.verification_uri), 'login-user-alice');
  const confirm = await agent.submit(page, 'device-continue', { user_code: device.user_code });
  return agent.submit(confirm, button);
}

export async function startCiba(url: string): Promise<{ auth_req_id: string }> {
  const form = { login_hint: 'alice', scope: 'openid', binding_message: 'ship-1' };
  return jsonOf(await post(`${url}/oauth2/bc-authorize`, form, { authorization: asBank }));
}

export function pollCiba(url: string, auth_req_id: string): Promise<Response> {
  return tokenRequest(url, { grant_type: cibaGrant, auth_req_id }, asBank);
}

export async function decideCiba(url: string, button = 'approval-allow'): Promise<Visit> {
  const agent = createAgent(url);
  const page = await agent.submit(await agent.open(`${url}/approvals`), 'login-user-alice');
  return agent.submit(page, button);
}

export function clientCredentials(url: string): Promise<Response> {
  return tokenRequest(url, { grant_type: 'client_credentials' }, asBank);
}

export function password(url: string, changes: Form = {}): Promise<Response> {
  return tokenRequest(url, { grant_type: 'password', username: 'alice', password: 'x', ...changes }, asBank);
}

/** `at` in Unix seconds, as the sandbox counts them. */
export async function jwtBearer(url: string, issuer: string, at = Math.floor(Date.now() / 1000)): Promise<Response> {
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer('https://partner.example')
    .setSubject('alice')
    .setAudience(issuer)
    .setIssuedAt(at)
    .setExpirationTime(at + 60)
    .sign(key.privateKey);
  return tokenRequest(url, { grant_type: bearerGrant, assertion }, asBank);
}

export function exchange(url: string, subject_token: string, changes: Form = {}): Promise<Response> {
  const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';
  return tokenRequest(url, { grant_type: exchangeGrant, subject_token, subject_token_type, ...changes }, asBank);
}

export function refresh(url: string, refresh_token: string, changes: Form = {}): Promise<Response> {
  return tokenRequest(url, { grant_type: 'refresh_token', client_id: 'frontend', refresh_token, ...changes });
}

/** Pushes the request of `frontend` and walks to the code. */
export async function walkPushed(url: string, parameters: Form = {}) {
  const pushed = await post(`${url}/oauth2/par`, authorizeQuery(parameters).toString());
  const { request_uri } = await jsonOf<{ request_uri: string }>(pushed);
  const query = new URLSearchParams({ client_id: 'frontend', request_uri });
  const agent = createAgent(url);
  const visit = await agent.submit(await agent.open(`${url}/oauth2/authorize?${query}`), 'login-user-alice');
  return { visit, code: visit.url.searchParams.get('code') ?? '', request_uri };
}

/** The implicit and the hybrid flow of the shop. */
export function walkFrontChannel(url: string, response_type: string): Promise<Visit> {
  return walkThroughConsent(url, 'consent-allow', { response_type, nonce: 'a nonce of the shop' });
}

/** A logout with a hint, which asks nobody. */
export async function logOut(url: string, agent: Agent, id_token_hint: string): Promise<Visit> {
  const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: 'http://localhost:5173/' });
  return agent.open(`${url}/connect/logout?${query}`);
}

export async function register(url: string): Promise<{ client_id: string; registration_access_token: string }> {
  const body = JSON.stringify({
    redirect_uris: ['http://localhost:4000/callback'],
    token_endpoint_auth_method: 'none',
  });
  const headers = { 'content-type': 'application/json' };
  return jsonOf(await fetch(`${url}/connect/register`, { method: 'POST', headers, body }));
}

export async function readSetup(url: string, agent = 'a library/1.0'): Promise<void> {
  for (const path of ['/.well-known/openid-configuration', '/oauth2/jwks']) {
    await (await get(url + path, { 'user-agent': agent })).arrayBuffer();
  }
}
