import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { type Agent, createAgent } from './agent.ts';
import { authorizationUrl, codeVerifier, type Tokens } from './authorization-url.ts';
import { settled } from './flows.ts';
import { badAddresses, script } from './hostile.ts';
import { portOf, raw } from './wire.ts';

/** Its name does something in an attribute, too, where the rest of the text cannot be. */
export const mallory = 'mallory"<img/src=x/onerror=alert(3)>';

/** Without a space. */
const detailsType = script.replaceAll(' ', '/');
const scope = 'openid profile email products:read offline_access';
const claims = {
  ...{ name: script, email: script, nickname: script, [script]: script, nested: { [script]: [script] } },
  ...{ picture: badAddresses[0], profile: badAddresses[1], website: badAddresses[2] },
};

/** A sandbox in which everything that has a name has a bad one. */
export function hostileConfig(callback: string): SandboxConfig {
  const named = { client_name: script, scope, access_token_claims: { ...claims } };
  return {
    label: script,
    users: [{ sub: mallory, username: script, claims, access_token_claims: { [script]: script } }],
    scopes: { 'evil:scope': script },
    authorizationDetailsTypes: { [detailsType]: { description: script, fields: { to: 'object' } } },
    clients: [
      {
        ...{ ...named, client_id: 'frontend', grant_types: ['authorization_code', 'refresh_token'] },
        ...{ redirect_uris: [callback], loopback_redirects: true },
        authorization_details_types: [detailsType],
      },
      { ...named, client_id: script, client_secret: script, grant_types: ['client_credentials'], scope: 'evil:scope' },
      {
        ...{ ...named, client_id: 'tv', client_secret: 'tv-secret' },
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'urn:openid:params:grant-type:ciba'],
      },
    ],
  };
}

/** In every header a client is free in. */
const headers = {
  ...{ 'User-Agent': script, 'X-Request-Id': script, 'X-Forwarded-For': script, Referer: `http://app.test/${script}` },
  ...{ 'Accept-Language': script, [`X-${'Evil'.repeat(20)}`]: script, Cookie: `evil=${script}`, Accept: 'text/html' },
};
const asTv = `Basic ${btoa('tv:tv-secret')}`;

/** Sends `script` wherever somebody from outside can write something, the login of `mallory` among it. */
export async function attack(sandbox: Sandbox, callback: string): Promise<Tokens> {
  const tokens = await logInAsMallory(sandbox, callback);
  await useTokens(sandbox, tokens);
  await askForTokens(sandbox);
  await openLogins(sandbox, callback);
  await askOthers(sandbox);
  await settled(sandbox);
  return tokens;
}

type Form = Readonly<Record<string, string>>;

async function send(sandbox: Sandbox, path: string, form?: Form, more: Form = {}): Promise<Response> {
  const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetch(sandbox.url + path, { ...body, headers: { ...headers, ...more }, redirect: 'manual' });
  await response.clone().arrayBuffer();
  return response;
}

const query = (parameters: Form) => `?${new URLSearchParams(parameters)}`;
const walker = ({ url }: Sandbox): Agent => createAgent(new URL(url).origin);

async function logInAsMallory(sandbox: Sandbox, callback: string): Promise<Tokens> {
  const agent = walker(sandbox);
  const details = JSON.stringify([{ type: detailsType, to: { [script]: [script] }, identifier: script }]);
  const parameters = { scope, state: script, nonce: script, ui_locales: script, acr_values: script };
  const request = authorizationUrl(sandbox, callback, { ...parameters, authorization_details: details });
  const consent = await agent.submit(await agent.open(request), `login-user-${mallory}`);
  const { url } = await agent.submit(consent, 'consent-allow');
  const form = { grant_type: 'authorization_code', client_id: 'frontend', redirect_uri: callback };
  const code = url.searchParams.get('code') ?? '';
  const redeem = { ...form, code, code_verifier: codeVerifier, [script]: script };
  const response = await send(sandbox, '/oauth2/token', redeem);
  const editor = await agent.open(authorizationUrl(sandbox, callback, { state: script, prompt: 'login' }));
  await agent.submit(editor, 'login-submit', { sub: `zoe ${script}`, claims: JSON.stringify(claims) });
  return (await response.json()) as Tokens;
}

async function useTokens(sandbox: Sandbox, { access_token, refresh_token }: Tokens): Promise<void> {
  const authorization = { Authorization: `Bearer ${access_token}` };
  await send(sandbox, `/api/products${query({ [script]: script })}`, undefined, authorization);
  await send(sandbox, `/api/products/${encodeURIComponent(script)}`, undefined, authorization);
  await send(sandbox, '/userinfo', undefined, authorization);
  await send(sandbox, '/api/products', undefined, { Authorization: `Bearer ${script}` });
  await send(sandbox, '/api/products', undefined, { Authorization: script });
  for (let twice = 0; twice < 2; twice++) {
    await send(sandbox, '/oauth2/token', { grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
  }
}

/** Each is refused, and shown with what it sent. */
async function askForTokens(sandbox: Sandbox): Promise<void> {
  const forms: readonly Form[] = [
    { grant_type: script },
    { grant_type: 'client_credentials', client_id: `nobody ${script}`, client_secret: script },
    { grant_type: 'client_credentials', client_id: script, client_secret: script, scope: script },
    { grant_type: 'client_credentials', client_id: script, client_secret: script, resource: script },
    {
      grant_type: 'authorization_code',
      client_id: 'frontend',
      code: script,
      redirect_uri: script,
      code_verifier: script,
    },
    { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: script, scope: script },
  ];
  for (const form of forms) await send(sandbox, '/oauth2/token', form);
  const basic = `Basic ${btoa(`${encodeURIComponent(script)}:${encodeURIComponent(script)}`)}`;
  await send(sandbox, '/oauth2/token', { grant_type: 'client_credentials' }, { Authorization: basic });
  const json = { method: 'POST', body: JSON.stringify({ grant_type: script }) };
  await fetch(`${sandbox.url}/oauth2/token`, { ...json, headers: { ...headers, 'Content-Type': 'application/json' } });
  await send(sandbox, '/oauth2/token', { grant_type: 'client_credentials' }, { DPoP: script, Authorization: basic });
  await send(sandbox, '/oauth2/introspect', { token: script }, { Authorization: asTv });
  await send(sandbox, '/oauth2/par', { client_id: 'frontend', redirect_uri: badAddresses[0], state: script });
}

async function openLogins(sandbox: Sandbox, callback: string): Promise<void> {
  const requests: readonly Form[] = [
    { client_id: `unknown ${script}` },
    ...badAddresses.map(redirect_uri => ({ redirect_uri })),
    { response_type: script },
    { scope: `openid ${script}` },
    { prompt: script },
    { request_uri: badAddresses[0] },
    { request: script },
    { claims: JSON.stringify({ userinfo: { [script]: null } }), login_hint: script },
    { code_challenge_method: script },
  ];
  for (const parameters of requests) {
    const { pathname, search } = new URL(authorizationUrl(sandbox, callback, { state: script, ...parameters }));
    await send(sandbox, pathname + search);
  }
  await send(
    sandbox,
    `/connect/logout${query({ post_logout_redirect_uri: badAddresses[0], state: script, client_id: script })}`,
  );
  await send(
    sandbox,
    `/dashboard/demo/callback${query({ error: script, error_description: script, error_uri: badAddresses[0] })}`,
  );
}

async function askOthers(sandbox: Sandbox): Promise<void> {
  const device = { scope, resource: `urn:${encodeURIComponent(script)}` };
  await send(sandbox, '/oauth2/device_authorization', device, { Authorization: asTv });
  const asked = { scope: 'openid', login_hint: mallory, binding_message: script };
  await send(sandbox, '/oauth2/bc-authorize', asked, { Authorization: asTv });
  const app = { client_name: script, redirect_uris: [`http://app.test/${encodeURIComponent(script)}`] };
  for (const client_uri of ['https://app.test/"onmouseover="alert(4)', ...badAddresses]) {
    const body = JSON.stringify({ ...app, client_uri, software_id: script, contacts: [script] });
    const type = { 'Content-Type': 'application/json' };
    await fetch(`${sandbox.url}/connect/register`, { method: 'POST', body, headers: { ...headers, ...type } });
  }
  await send(sandbox, `/nowhere/${encodeURIComponent(script)}${query({ [script]: script })}`);
  const port = portOf(sandbox.url);
  await raw(port, `GET /oauth2/jwks HTTP/1.1\r\nHost: ${script.replaceAll(' ', '')}\r\nConnection: close\r\n\r\n`);
  await raw(
    port,
    `GET /oauth2/${script.replaceAll(' ', '')} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`,
  );
}
