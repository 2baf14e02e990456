import { answer, asSensor, authorizeQuery, get, login, post, redeem, type Tokens } from '../test/support/wire.ts';

/** Something users do: one request, or several that belong together. */
export interface Doing {
  readonly name: string;
  /** Beside those of the others. */
  readonly weight: number;
  /** @throws Unexpected where an answer has another status */
  run(url: string): Promise<void>;
}

export class Unexpected extends Error {}

let sent = 0;
export const sentSoFar = () => sent;

async function expectStatus(expected: number, asked: Promise<Response>): Promise<Response> {
  sent++;
  const response = await asked;
  if (response.status === expected) return response;
  throw new Unexpected(`${response.status} in place of ${expected}: ${(await response.text()).slice(0, 300)}`);
}

async function read(expected: number, asked: Promise<Response>): Promise<string> {
  return (await expectStatus(expected, asked)).text();
}

const users = ['alice', 'bob', 'carol'];
const oneOf = (values: readonly string[]) => values[Math.floor(Math.random() * values.length)] ?? '';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const scope = 'openid profile email products:read offline_access';

async function machineToken(url: string): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'telemetry:write' };
  const asked = post(`${url}/oauth2/token`, form, { authorization: asSensor });
  return (JSON.parse(await read(200, asked)) as { access_token: string }).access_token;
}

async function logIn(url: string): Promise<Tokens> {
  const cookie = await login(url, oneOf(users));
  const code = (await answer(url, cookie, { scope })).get('code') ?? '';
  sent += 2;
  return JSON.parse(await read(200, redeem(url, code))) as Tokens;
}

const pages = ['', '/requests', '/tokens', '/flows', '/problems', '/clients', '/users', '/report', '/settings'];
const queries = ['status:4xx', 'client:frontend -code:pkce_mismatch', 'user:alice age:<5m', 'nothing like this'];

/** What the users of a sandbox do all day, mistakes among it. */
export const doings: readonly Doing[] = [
  {
    name: 'metadata',
    weight: 10,
    run: async url => void (await read(200, get(`${url}/.well-known/openid-configuration`))),
  },
  { name: 'keys', weight: 10, run: async url => void (await read(200, get(`${url}/oauth2/jwks`))) },
  { name: 'machine token', weight: 20, run: async url => void (await machineToken(url)) },
  {
    name: 'sample backend',
    weight: 10,
    async run(url) {
      const token = await machineToken(url);
      const headers = { ...bearer(token), 'content-type': 'application/json' };
      await read(201, post(`${url}/api/telemetry`, '{"sensor":"shed","metric":"celsius","value":21.5}', headers));
      await read(403, get(`${url}/api/products`, bearer(token)));
    },
  },
  {
    name: 'login',
    weight: 10,
    async run(url) {
      const { access_token, refresh_token } = await logIn(url);
      await read(200, get(`${url}/userinfo`, bearer(access_token)));
      await read(200, get(`${url}/api/products`, bearer(access_token)));
      const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
      await read(200, post(`${url}/oauth2/token`, form));
      await read(400, post(`${url}/oauth2/token`, form));
    },
  },
  {
    name: 'login page',
    weight: 5,
    run: async url => void (await read(200, get(`${url}/oauth2/authorize?${authorizeQuery()}`))),
  },
  {
    name: 'wrong secret',
    weight: 5,
    run: async url => void (await read(401, post(`${url}/oauth2/token`, {}, { authorization: 'Basic c2Vuc29yOngK' }))),
  },
  {
    name: 'wrong redirect URI',
    weight: 5,
    run: async url => {
      const query = authorizeQuery({ redirect_uri: 'http://app.example/other' });
      await read(400, get(`${url}/oauth2/authorize?${query}`, { accept: 'text/html' }));
    },
  },
  { name: 'dashboard', weight: 6, run: async url => void (await read(200, get(`${url}/dashboard${oneOf(pages)}`))) },
  {
    name: 'search',
    weight: 3,
    run: async url => void (await read(200, get(`${url}/_sandbox/events?q=${encodeURIComponent(oneOf(queries))}`))),
  },
  { name: 'report', weight: 0.1, run: async url => void (await read(200, get(`${url}/_sandbox/report`))) },
  {
    name: 'short-lived issuer',
    weight: 0.5,
    async run(url) {
      const headers = { 'content-type': 'application/json' };
      const made = JSON.parse(await read(201, post(`${url}/_sandbox/issuers`, '{"lifetime":60}', headers)));
      await machineToken(`${url}/i/${made.id}`);
      await read(204, fetch(`${url}/_sandbox/issuers/${made.id}`, { method: 'DELETE' }));
    },
  },
];
