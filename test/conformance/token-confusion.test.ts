import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey } from '../support/dpop.ts';
import { openRelyingParty } from '../support/relying-party.ts';
import { authorizeQuery, callback, get, login, post, verifier } from '../support/wire.ts';
import { bearerGrant, cibaGrant, deviceGrant, everything, exchangeGrant } from './everything.ts';

const rp = await openRelyingParty();
const sandbox = await createSandbox({
  ...everything,
  pollInterval: 1,
  clients: [
    ...(everything.clients ?? []),
    {
      client_id: 'all',
      client_secret: 'all-secret',
      token_endpoint_auth_methods: ['client_secret_basic'],
      grant_types: ['authorization_code', 'refresh_token', deviceGrant, cibaGrant, exchangeGrant, bearerGrant],
      redirect_uris: [callback],
      scope: 'openid profile products:read',
      userinfo_signed_response_alg: 'RS256',
      introspection_signed_response_alg: 'RS256',
      backchannel_logout_uri: rp.backchannel,
    },
  ],
});
const { url } = sandbox;
afterAll(async () => {
  await sandbox.stop();
  await rp.close();
});

const asAll = `Basic ${Buffer.from('all:all-secret').toString('base64')}`;
const tokenUrl = `${url}/oauth2/token`;
const query = (more: Record<string, string> = {}) =>
  authorizeQuery({ client_id: 'all', scope: 'openid profile products:read', nonce: 'n', ...more });
const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
const ask = <T = Record<string, string>>(form: Record<string, string>) =>
  json<T>(post(tokenUrl, form, { authorization: asAll }));

/** Everything we issue that is a secret or a JWT, by what it is. */
const issued: Record<string, string> = {};
/** A client that claims that our keys are its own. */
let mirror = '';

async function freshCode(cookie: string): Promise<string> {
  const { headers } = await get(`${url}/oauth2/authorize?${query()}`, { cookie });
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

beforeAll(async () => {
  const cookie = await login(url);
  const code = await freshCode(cookie);
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier };
  const tokens = await ask(form);
  issued.access_token = tokens.access_token ?? '';
  issued.id_token = tokens.id_token ?? '';
  issued.refresh_token = tokens.refresh_token ?? '';
  issued.code = await freshCode(cookie);
  issued.userinfo = await (await get(`${url}/userinfo`, { authorization: `Bearer ${issued.access_token}` })).text();
  const accept = { authorization: asAll, accept: 'application/token-introspection+jwt' };
  issued.introspection = await (await post(`${url}/oauth2/introspect`, { token: issued.access_token }, accept)).text();
  const jarm = await get(`${url}/oauth2/authorize?${query({ response_mode: 'jwt' })}`, { cookie });
  issued.response = new URL(jarm.headers.get('location') ?? '').searchParams.get('response') ?? '';
  const exchanged = await ask({
    grant_type: exchangeGrant,
    subject_token: issued.access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    requested_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  });
  issued.jwt = exchanged.access_token ?? '';
  issued.device_code =
    (
      await json<Record<string, string>>(
        post(`${url}/oauth2/device_authorization`, { scope: 'openid' }, { authorization: asAll }),
      )
    ).device_code ?? '';
  issued.auth_req_id =
    (
      await json<Record<string, string>>(
        post(`${url}/oauth2/bc-authorize`, { scope: 'openid', login_hint: 'alice' }, { authorization: asAll }),
      )
    ).auth_req_id ?? '';
  issued.request_uri =
    (await json<Record<string, string>>(post(`${url}/oauth2/par`, query().toString(), { authorization: asAll })))
      .request_uri ?? '';
  issued.dpop = await (await createDpopKey()).proof({ htu: tokenUrl, iat: Math.floor(Date.now() / 1000) });
  const other = await login(url, 'bob');
  await ask({ ...form, code: await freshCode(other) });
  await post(`${url}/logout`, { decision: 'logout' }, { cookie: other, origin: url });
  issued.logout_token = rp.received[0]?.parameters.get('logout_token') ?? '';
  const metadata = {
    redirect_uris: ['https://app.example/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['authorization_code', 'client_credentials'],
    jwks_uri: `${url}/oauth2/jwks`,
  };
  const registered = await json<Record<string, string>>(
    post(`${url}/connect/register`, JSON.stringify(metadata), { 'content-type': 'application/json' }),
  );
  mirror = registered.client_id ?? '';
  issued.registration_access_token = registered.registration_access_token ?? '';
});

it('there is one of each kind, and each JWT says what it is (RFC 8725 §3.11)', () => {
  for (const [name, token] of Object.entries(issued)) expect(token.length, name).toBeGreaterThan(20);
  const types = Object.entries(issued).flatMap(([name, token]) =>
    token.split('.').length === 3 ? [[name, decodeProtectedHeader(token).typ]] : [],
  );
  expect(Object.fromEntries(types)).toEqual({
    access_token: 'at+jwt',
    id_token: 'JWT',
    userinfo: 'JWT',
    introspection: 'token-introspection+jwt',
    response: 'JWT',
    jwt: 'JWT',
    dpop: 'dpop+jwt',
    logout_token: 'logout+jwt',
  });
  expect(mirror).not.toBe('');
});

/** What takes a token: true where it was taken. */
type Taker = (token: string) => Promise<boolean>;
const isOk = async (response: Promise<Response>) => {
  const answered = await response;
  await answered.arrayBuffer();
  return answered.status < 400;
};
const grants = (form: Record<string, string>) => isOk(post(tokenUrl, form, { authorization: asAll }));
const exchange =
  (role: 'subject' | 'actor', type: string): Taker =>
  token => {
    const typeUrn = `urn:ietf:params:oauth:token-type:${type}`;
    const subject: Record<string, string> =
      role === 'subject'
        ? { subject_token: token, subject_token_type: typeUrn }
        : {
            subject_token: issued.access_token ?? '',
            subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
            actor_token: token,
            actor_token_type: typeUrn,
          };
    return grants({ grant_type: exchangeGrant, ...subject });
  };
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const takers: readonly (readonly [what: string, taken: readonly string[], take: Taker])[] = [
  ['UserInfo', ['access_token'], token => isOk(get(`${url}/userinfo`, { authorization: `Bearer ${token}` }))],
  [
    'UserInfo, as DPoP',
    [],
    token => isOk(get(`${url}/userinfo`, { authorization: `DPoP ${token}`, dpop: issued.dpop ?? '' })),
  ],
  [
    'the sample backend',
    ['access_token'],
    token => isOk(get(`${url}/api/products`, { authorization: `Bearer ${token}` })),
  ],
  [
    'introspection',
    ['access_token', 'refresh_token'],
    async token =>
      (await json<{ active: boolean }>(post(`${url}/oauth2/introspect`, { token }, { authorization: asAll }))).active,
  ],
  [
    'id_token_hint at the logout',
    ['id_token'],
    token => isOk(get(`${url}/connect/logout?id_token_hint=${encodeURIComponent(token)}`)),
  ],
  [
    'id_token_hint at CIBA',
    ['id_token'],
    token =>
      isOk(post(`${url}/oauth2/bc-authorize`, { scope: 'openid', id_token_hint: token }, { authorization: asAll })),
  ],
  [
    'id_token_hint of a silent request',
    ['id_token'],
    async id_token_hint => {
      const cookie = await login(url);
      const { headers } = await get(`${url}/oauth2/authorize?${query({ prompt: 'none', id_token_hint })}`, { cookie });
      return new URL(headers.get('location') ?? '').searchParams.has('code');
    },
  ],
  ['a subject_token, as access token', ['access_token'], exchange('subject', 'access_token')],
  ['a subject_token, as ID token', ['id_token'], exchange('subject', 'id_token')],
  ['a subject_token, as refresh token', ['refresh_token'], exchange('subject', 'refresh_token')],
  ['a subject_token, as JWT', ['access_token', 'jwt'], exchange('subject', 'jwt')],
  ['an actor_token, as access token', ['access_token'], exchange('actor', 'access_token')],
  ['an actor_token, as ID token', ['id_token'], exchange('actor', 'id_token')],
  ['an assertion of the JWT bearer grant', [], assertion => grants({ grant_type: bearerGrant, assertion })],
  [
    'a client_assertion of a client with our keys',
    [],
    client_assertion =>
      isOk(
        post(tokenUrl, {
          grant_type: 'client_credentials',
          client_id: mirror,
          client_assertion,
          client_assertion_type: assertionType,
        }),
      ),
  ],
  [
    'a request object of a client with our keys',
    [],
    async request => {
      const response = await get(`${url}/oauth2/authorize?client_id=${mirror}&request=${encodeURIComponent(request)}`);
      return response.status < 400 && !(response.headers.get('location') ?? '').includes('error=');
    },
  ],
  [
    'a DPoP proof',
    ['dpop'],
    async dpop =>
      isOk(post(tokenUrl, { grant_type: 'refresh_token', refresh_token: 'x' }, { authorization: asAll, dpop })).then(
        async () => {
          const { error } = await json<{ error: string }>(
            post(
              tokenUrl,
              { grant_type: 'refresh_token', refresh_token: 'x' },
              { authorization: asAll, dpop: await freshIf(dpop) },
            ),
          );
          return error !== 'invalid_dpop_proof';
        },
      ),
  ],
  ['a software statement', [], software_statement => isOk(registerWith({ software_statement }))],
  [
    'a registration access token',
    ['registration_access_token'],
    token => isOk(get(`${url}/connect/register/${mirror}`, { authorization: `Bearer ${token}` })),
  ],
  [
    'a code',
    ['code'],
    code => grants({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }),
  ],
  ['a device_code', ['device_code'], device_code => isPending({ grant_type: deviceGrant, device_code })],
  ['an auth_req_id', ['auth_req_id'], auth_req_id => isPending({ grant_type: cibaGrant, auth_req_id })],
  [
    'a request_uri',
    ['request_uri'],
    token => isOk(get(`${url}/oauth2/authorize?client_id=all&request_uri=${encodeURIComponent(token)}`)),
  ],
  [
    'a session',
    [],
    async token => {
      const cookie = `grantbox_session_${new URL(sandbox.issuer).port}=${token}`;
      const { headers } = await get(`${url}/oauth2/authorize?${query({ prompt: 'none' })}`, { cookie });
      return new URL(headers.get('location') ?? '').searchParams.has('code');
    },
  ],
  // the last, because it uses the token up
  ['a refresh token', ['refresh_token'], refresh_token => grants({ grant_type: 'refresh_token', refresh_token })],
];

function registerWith(metadata: object): Promise<Response> {
  const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'], ...metadata });
  return post(`${url}/connect/register`, body, { 'content-type': 'application/json' });
}

/** The same kind of token again: the proof itself was used. */
async function freshIf(dpop: string): Promise<string> {
  return dpop === issued.dpop
    ? (await createDpopKey()).proof({ htu: tokenUrl, iat: Math.floor(Date.now() / 1000) })
    : dpop;
}

async function isPending(form: Record<string, string>): Promise<boolean> {
  return (await ask(form)).error === 'authorization_pending';
}

describe('token confusion (T-25)', () => {
  it.each(takers)('%s is %j and nothing else', async (_what, taken, take) => {
    const found: string[] = [];
    for (const [name, token] of Object.entries(issued)) if (await take(token)) found.push(name);
    expect(found).toEqual([...taken].sort((a, b) => Object.keys(issued).indexOf(a) - Object.keys(issued).indexOf(b)));
  });

  it('an ID token of one client is no hint for another', async () => {
    const aud = decodeJwt(issued.id_token ?? '').aud;
    expect(aud).toBe('all');
    const response = await get(`${url}/connect/logout?id_token_hint=${issued.id_token}&client_id=frontend`);
    expect(response.status).toBe(400);
  });
});
