import { connect } from 'node:net';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { createAgent } from './agent.ts';

export const callback = 'http://localhost:5173/callback';
export const verifier = 'a-verifier-of-43-characters-0123456789._~ABC';
export const asSensor = `Basic ${Buffer.from('sensor:sensor-secret').toString('base64')}`;

/** An authorization request of `frontend`; an empty value takes a parameter away. */
export function authorizeQuery(parameters: Readonly<Record<string, string>> = {}): URLSearchParams {
  const complete = {
    client_id: 'frontend',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'a state',
    code_challenge: s256(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  };
  return new URLSearchParams(Object.entries(complete).filter(([, value]) => value !== ''));
}

/** Posts a form; `redirect: 'manual'`. */
export function post(
  url: string,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = typeof form === 'string' ? form : new URLSearchParams({ ...form }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return fetch(url, { method: 'POST', body, headers: { ...type, ...headers }, redirect: 'manual' });
}

export function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual' });
}

/** The session cookie after a login by form, as `name=value`. */
export async function login(url: string, sub = 'alice'): Promise<string> {
  const response = await post(`${url}/login?${authorizeQuery()}`, { sub }, { origin: url });
  const [cookie = ''] = response.headers.getSetCookie();
  await response.arrayBuffer();
  return cookie.split(';', 1)[0] ?? '';
}

/** The answer of the authorization endpoint for a browser with this cookie. */
export async function answer(
  url: string,
  cookie: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  const response = await get(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`, { cookie });
  await response.arrayBuffer();
  return new URL(response.headers.get('location') ?? `${url}/#no-redirect-but-${response.status}`).searchParams;
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly scope?: string;
}

/** Redeems a code of `frontend`. */
export function redeem(url: string, code: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> {
  return post(`${url}/oauth2/token`, {
    grant_type: 'authorization_code',
    client_id: 'frontend',
    redirect_uri: callback,
    code,
    code_verifier: verifier,
    ...changes,
  });
}

/** A whole login without a browser: form, code, tokens. */
export async function signIn(
  url: string,
  sub = 'alice',
  parameters: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  const code = (await answer(url, await login(url, sub), parameters)).get('code') ?? '';
  return (await (await redeem(url, code)).json()) as Tokens;
}

/** The same as somebody would in a browser without scripts, through the real pages. */
export async function signInByPage(url: string, sub = 'alice', parameters: Readonly<Record<string, string>> = {}) {
  const agent = createAgent(url);
  const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`);
  const visit = await agent.submit(page, `login-user-${sub}`);
  return { agent, page, visit, code: visit.url.searchParams.get('code') ?? '' };
}

/** Sends bytes over a socket and gives everything that comes back until the other side ends, or a while has passed. */
export function raw(
  port: number,
  text: string | readonly Buffer[],
  { end = false, patience = 60_000 } = {},
): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    const timer = setTimeout(done, patience);
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', done);
    socket.on('close', done);
    socket.on('connect', () => {
      for (const chunk of typeof text === 'string' ? [Buffer.from(text, 'latin1')] : text) socket.write(chunk);
      if (end) socket.end();
    });
  });
}

/** Sends many whole requests over one connection, one after the other without waiting, and gives the status of each. */
export function pipeline(port: number, requests: readonly string[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const statuses: number[] = [];
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      for (const [line, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n/g)) {
        statuses.push(Number(status));
        text = text.slice(text.indexOf(line) + line.length);
      }
      text = text.slice(-100);
      if (statuses.length === requests.length) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(statuses));
    socket.write(requests.join(''));
  });
}

/** The status of a raw answer; 0 when there was none. */
export function statusOf(answered: string): number {
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(answered)?.[1] ?? 0);
}

export function portOf(url: string): number {
  return Number(new URL(url).port);
}
