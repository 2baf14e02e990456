import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExamSignIn } from '../../../src/extensions/examine/driver.ts';
import type { ClientEntry } from '../../../src/index.ts';
import { idTokenClaims, keysAt } from './careful/id-token.ts';
import { type Has, must } from './careful/must.ts';

// A client whose user approves on another device. It makes each check by itself, so that each can be left out alone. It does
// not wait: it moves the clock of the issuer.

const grant_type = 'urn:openid:params:grant-type:ciba';

/** The tokens of the requests that wait for a call, and what happens then. */
const waiting = new Map<string, () => Promise<void>>();
/** Accepts each token for a request that waits; undefined for a client that checks it. */
let careless: (() => Promise<void>) | undefined;

const endpoint = createServer(async (req, res) => {
  const [, token = ''] = req.headers.authorization?.split(' ') ?? [];
  const told = waiting.get(token) ?? careless;
  await told?.();
  res.writeHead(told === undefined ? 401 : 204).end();
}).listen(0, '127.0.0.1');
endpoint.unref();
await once(endpoint, 'listening');

/** The registration of the client. */
export const carefulCiba: ClientEntry = {
  client_id: 'careful-ciba',
  client_secret: 'careful-secret',
  grant_types: [grant_type],
  scope: 'openid profile',
  backchannel_token_delivery_mode: 'ping',
  backchannel_client_notification_endpoint: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/ciba`,
};

type Json = Readonly<Record<string, unknown>>;

/** A client with all checks but one: `lapse` is the id of the module that it fails. */
export function createCarefulCiba(lapse = '') {
  const has = (check: string) => check !== lapse;
  return async ({ issuer, module }: Pick<ExamSignIn, 'issuer' | 'module'>): Promise<boolean> => {
    const token = randomBytes(32).toString('base64url');
    const call = new Promise<void>(resolve => waiting.set(token, async () => resolve()));
    const form = { scope: 'openid', login_hint: 'alice', client_notification_token: token };
    const begun = await ask(`${issuer}/oauth2/bc-authorize`, form);
    if (has('missing-auth-req-id')) must(typeof begun.auth_req_id === 'string', 'no auth_req_id');
    if (has('missing-expires-in')) must(typeof begun.expires_in === 'number', 'no expires_in');
    const poll = () => ask(`${issuer}/oauth2/token`, { grant_type, auth_req_id: String(begun.auth_req_id) });
    let interval = has('respects-interval') ? Number(begun.interval ?? 5) : 5;
    if (module === 'ping-with-invalid-token') await called(call, poll, has);
    for (let tries = 0; tries < 20; tries++) {
      await wait(issuer, interval);
      const { error, ...tokens } = await poll();
      if (typeof tokens.id_token === 'string') return checked(tokens, issuer, has);
      if (error === 'slow_down' && has('slow-down')) interval += 5;
      const goesOn = ['authorization_pending', 'slow_down'].includes(String(error));
      const isIgnored = tries < 1 && !has(String(error).replace('_', '-'));
      must(goesOn || isIgnored, `the token endpoint says ${error}`);
    }
    throw new Error('nobody has answered');
  };
}

/** The names of checks of an ID token that are others in this plan. */
const names: Readonly<Record<string, string>> = {
  'missing-iss': 'invalid-missing-iss',
  'missing-aud': 'invalid-missing-aud',
  'missing-exp': 'invalid-missing-exp',
  expired: 'invalid-expired-exp',
  'invalid-sig-rs256': 'invalid-signature',
  'invalid-sig-none': 'invalid-null-alg',
};

/** Checks the response with the tokens. There is no code, and no nonce. */
async function checked(tokens: Json, issuer: string, has: Has): Promise<true> {
  if (!has('no-scope-in-token-endpoint-response')) must(typeof tokens.scope === 'string', 'no scope');
  const { jwks_uri } = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Json;
  await idTokenClaims(String(tokens.id_token), {
    has: check => check !== 'code-injection' && has(names[check] ?? check),
    ...{ issuer, client_id: carefulCiba.client_id, nonce: '', access_token: String(tokens.access_token) },
    ...{ store: await keysAt(String(jwks_uri)), refetch: async () => {}, known: new Set<string>() },
  });
  return true;
}

/** Waits to be called. A client without the check also believes a call of somebody else, and asks for tokens. */
async function called(call: Promise<void>, poll: () => Promise<Json>, has: (check: string) => boolean): Promise<void> {
  if (!has('ping-with-invalid-token')) careless = async () => void (await poll());
  await call;
  careless = undefined;
}

async function ask(url: string, form: Readonly<Record<string, string>>): Promise<Json> {
  const headers = { Authorization: `Basic ${btoa(`${carefulCiba.client_id}:${carefulCiba.client_secret}`)}` };
  return (await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })).json();
}

async function wait(issuer: string, seconds: number): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${issuer}/_sandbox/clock`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ advance: seconds }),
  });
  must(response.ok, `the clock answered ${response.status}`);
}
