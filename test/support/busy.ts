import type { Sandbox } from '../../src/index.ts';
import { createAgent } from './agent.ts';
import { authorizationUrl, redeemCode, refresh, sensorToken, type Tokens } from './authorization-url.ts';

/** What a busy sandbox has to show. */
export interface Busy {
  /** Of the good login. */
  readonly tokens: Tokens;
  /** Requests by what went wrong in them. */
  readonly refused: Readonly<Record<'redirectUri' | 'verifier' | 'scope' | 'reuse' | 'secret', string>>;
}

/** Uses a sandbox as its users do: logins that work, and the mistakes everybody makes. */
export async function makeBusy(sandbox: Sandbox, callback: string): Promise<Busy> {
  await readSetup(sandbox);
  const tokens = await logIn(sandbox, callback, 'alice');
  await call(sandbox, '/api/products', tokens.access_token);
  await call(sandbox, '/userinfo', tokens.access_token);
  const machine = await sensorToken(sandbox);
  const refused = {
    redirectUri: await refusedAuthorization(sandbox),
    verifier: await wrongVerifier(sandbox, callback),
    scope: await call(sandbox, '/api/bikes', machine),
    reuse: await reuseRefreshToken(sandbox, callback),
    secret: await wrongSecret(sandbox),
  };
  await call(sandbox, '/api/products', tokens.id_token);
  return { tokens: await logIn(sandbox, callback, 'alice'), refused };
}

/** Signs in with a click and redeems the code. */
export async function logIn(sandbox: Sandbox, callback: string, sub: string): Promise<Tokens> {
  return redeemCode(sandbox, callback, await codeFor(sandbox, callback, sub));
}

async function codeFor(sandbox: Sandbox, callback: string, sub: string): Promise<string> {
  const agent = createAgent(new URL(sandbox.url).origin);
  const scope = 'openid profile email products:read offline_access';
  const login = await agent.open(authorizationUrl(sandbox, callback, { scope, state: crypto.randomUUID() }));
  const { url } = await agent.submit(login, `login-user-${sub}`);
  return url.searchParams.get('code') ?? '';
}

async function readSetup({ url }: Sandbox): Promise<void> {
  for (const path of ['/.well-known/openid-configuration', '/oauth2/jwks']) await settle(await fetch(url + path));
}

/** @returns the id of the request */
async function settle(response: Response): Promise<string> {
  await response.arrayBuffer();
  return response.headers.get('X-Request-Id') ?? '';
}

async function call({ url }: Sandbox, path: string, token: string): Promise<string> {
  return settle(await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } }));
}

async function refusedAuthorization(sandbox: Sandbox): Promise<string> {
  const headers = { Accept: 'text/html' };
  return settle(await fetch(authorizationUrl(sandbox, 'http://app.test:5173/callback/'), { headers }));
}

async function wrongVerifier(sandbox: Sandbox, callback: string): Promise<string> {
  const code = await codeFor(sandbox, callback, 'bob');
  const form = { grant_type: 'authorization_code', client_id: 'frontend', code, redirect_uri: callback };
  return postToken(sandbox, { ...form, code_verifier: 'x'.repeat(43) });
}

async function reuseRefreshToken(sandbox: Sandbox, callback: string): Promise<string> {
  const { refresh_token } = await logIn(sandbox, callback, 'bob');
  await refresh(sandbox, refresh_token);
  return postToken(sandbox, { grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
}

function wrongSecret(sandbox: Sandbox): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'sensor-secret ' };
  return postToken(sandbox, form);
}

async function postToken({ url }: Sandbox, form: Record<string, string>): Promise<string> {
  return settle(await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) }));
}
