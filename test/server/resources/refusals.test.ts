import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createResourceServer,
  type Refusal,
  type ResourceReason,
  type ResourceServerOptions,
} from '../../../src/server/resources/index.ts';
import { createClientAuthority } from '../../../src/server/tls/client-authority.ts';
import { createSelfSigned } from '../../../src/server/tls/self-signed.ts';
import { createDpopKey } from '../../support/dpop.ts';
import { createTlsFetch } from '../../support/tls-fetch.ts';
import { raw } from '../../support/wire.ts';
import {
  claims,
  collections,
  createKey,
  issuer,
  json,
  now,
  product,
  rsa,
  sign,
  startServer,
} from './running-server.ts';

const told: { readonly url: string; readonly refusal: Refusal }[] = [];
let heard: (refusal: Refusal) => void = () => {};
/** Happens while the token of a request to `slow` is verified. */
let whileAsked: () => Promise<unknown> = async () => {};

/** Everything that was refused, by whichever server of this file. */
const onRefused: ResourceServerOptions['onRefused'] = ({ originalUrl }, refusal) => {
  told.push({ url: originalUrl, refusal });
  heard(refusal);
};

const origin = 'http://localhost:9000';
const dpop = { origins: [origin, 'http://idp:9000'], algorithms: ['ES256'] };
const help = () => `${origin}/dashboard/problems/req_1`;
const plain = await startServer({ onRefused, help, kids: async () => ['rsa', 'older'], audience: ['api', 'shop'] });
const bound = await startServer({ onRefused, dpop });
const strict = await startServer({
  ...{ onRefused, dpop: { ...dpop, nonce: { current: () => 'fresh', isFresh: (nonce: string) => nonce === 'fresh' } } },
});
const asking = await startServer({
  onRefused,
  introspect: async () => undefined,
  whyInactive: async token => (token === 'unknown' ? undefined : { state: 'revoked', claims: { ...claims } }),
});
const ending = await startServer({ onRefused, isEnded: ({ jti }) => jti === 'ended' });
const stepUp = await startServer({
  onRefused,
  collections: collections.map(each => ({ ...each, readAcrValues: ['urn:silver', 'urn:gold'], readMaxAge: 60 })),
});
const broken = await startServer({ onRefused, keys: () => Promise.reject(new Error('no keys today')) });
const wrongKey = await startServer({ onRefused, keys: async () => (await createKey('ES256')).publicKey });
const slow = await startServer({
  onRefused,
  async keys() {
    await whileAsked();
    return rsa.publicKey;
  },
});
const servers = [plain, slow, bound, strict, asking, ending, stepUp, broken, wrongKey];
afterAll(() => Promise.all(servers.map(server => server.close())));

const list = '/api/products';
const fine = await sign({ aud: 'api' });
const [head = '', body = '', signature = ''] = fine.split('.');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const send = (authorization: string, path = list) => plain.request(path, { headers: { authorization } });
const post = (init: RequestInit) => plain.request(list, { method: 'POST', token: fine, ...init });

const key = await createDpopKey();
const other = await createDpopKey();
const token = await sign({ cnf: { jkt: key.jkt } });
const target = { htm: 'GET', htu: origin + list, iat: now, accessToken: token };

async function prove(changes = {}, header = {}, on = bound): Promise<Response> {
  return call(await key.proof(target, changes, header), on);
}

function call(proof: string, on = bound): Promise<Response> {
  return on.request(list, { headers: { authorization: `DPoP ${token}`, dpop: proof } });
}

/** A certificate is shown in TLS only. */
const self = await createSelfSigned([], new Date());
const authority = await createClientAuthority(new Date());
const mine = await authority.issue({ subject_dn: 'CN=mine' });
const thumbprint = 'A'.repeat(43);
const resources = createResourceServer({
  ...{ issuer, audience: [], keys: async () => rsa.publicKey, clock: () => now, collections, onRefused },
});
const secure = createServer(
  { ...self.server, requestCert: true, rejectUnauthorized: false },
  express().use('/api', resources.router),
);
await new Promise<void>(listening => secure.listen(0, '127.0.0.1', listening));
afterAll(() => {
  secure.close();
  secure.closeAllConnections();
});

async function overTls(shown: { readonly cert?: string; readonly key?: string }): Promise<Response> {
  const { port } = secure.address() as AddressInfo; // a TCP server's address is never a string
  const authorization = `Bearer ${await sign({ cnf: { 'x5t#S256': thumbprint } })}`;
  return createTlsFetch({ ca: self.ca, ...shown })(`https://localhost:${port}${list}`, { headers: { authorization } });
}

/** A request whose body ends before it is whole. */
async function cutOff(port = plain.port, end: (socket: Socket) => void = socket => socket.end()): Promise<void> {
  const refused = new Promise<Refusal>(resolve => {
    heard = resolve;
  });
  const socket = connect(port, '127.0.0.1');
  const headers = `Host: x\r\nAuthorization: Bearer ${fine}\r\nContent-Type: application/json\r\nContent-Length: 100`;
  socket.write(`POST ${list} HTTP/1.1\r\n${headers}\r\n\r\n{"name":`);
  end(socket);
  await refused;
  socket.destroy();
}

/** `fetch` would write them as one. */
function sendTwoHeaders(): Promise<string> {
  const header = `Authorization: Bearer ${fine}\r\n`;
  return raw(plain.port, `GET ${list} HTTP/1.1\r\nHost: x\r\n${header}${header}Connection: close\r\n\r\n`);
}

interface Case {
  readonly provoke: () => Promise<unknown>;
  readonly status: number;
  /** The two values; none for a failure of the server itself. */
  readonly sent?: string | RegExp;
  readonly expected?: string | RegExp;
  readonly error?: string;
}

const invalid = { status: 401, error: 'invalid_token' } as const;
const badProof = { status: 401, error: 'invalid_dpop_proof' } as const;
const signedJwt = 'a signed JWT of three parts';
const bearer = 'Authorization: Bearer <access token>';
const at = (seconds: number) => `${seconds} (${new Date(seconds * 1000).toISOString().slice(0, 19)}Z)`;

/** The compiler asks for a way to provoke each. */
const cases: Readonly<Record<ResourceReason, Case>> = {
  token_missing: {
    ...{ provoke: () => plain.request(list), status: 401 },
    ...{ sent: 'no Authorization header', expected: bearer },
  },
  token_in_query: {
    ...{ provoke: () => plain.request(`${list}?access_token=${fine}`), status: 401 },
    ...{ sent: 'access_token in the query', expected: bearer },
  },
  scheme_not_bearer: {
    ...{ provoke: () => send('Basic Zm9vOmJhcg=='), status: 401 },
    ...{ sent: 'Basic', expected: 'Bearer' },
  },
  authorization_malformed: {
    ...{ provoke: () => send(`Bearer "${fine}"`), status: 400, error: 'invalid_request' },
    ...{ sent: 'the token in quotes', expected: bearer },
  },
  authorization_repeated: {
    ...{ provoke: sendTwoHeaders, status: 400, error: 'invalid_request' },
    ...{ sent: '2 Authorization headers', expected: bearer },
  },
  token_malformed: {
    ...{ provoke: () => send('Bearer undefined'), ...invalid },
    ...{ sent: 'the word undefined', expected: signedJwt },
  },
  token_opaque: {
    ...{ provoke: () => send('Bearer 0123456789'), ...invalid },
    ...{ sent: '1 part, 10 characters', expected: signedJwt },
  },
  token_encrypted: {
    ...{ provoke: () => send('Bearer a.b.c.d.e'), ...invalid },
    ...{ sent: '5 parts, 9 characters', expected: signedJwt },
  },
  token_unsigned: {
    ...{ provoke: () => send(`Bearer ${head}.${body}.`), ...invalid },
    ...{ sent: /^3 parts, \d+ characters$/, expected: signedJwt },
  },
  alg_refused: {
    ...{ provoke: async () => send(`Bearer ${await sign({}, { alg: 'HS256' }, new Uint8Array(32))}`), ...invalid },
    ...{ sent: 'HS256', expected: /^RS256 or PS256 or / },
  },
  typ_mismatch: {
    ...{ provoke: async () => send(`Bearer ${await sign({}, { typ: 'JWT' })}`), ...invalid },
    ...{ sent: 'JWT', expected: 'at+jwt' },
  },
  id_token_sent: {
    provoke: async () => send(`Bearer ${await sign({ client_id: undefined, scope: undefined }, { typ: 'JWT' })}`),
    ...{ ...invalid, sent: 'an ID token, typ JWT', expected: 'the access token, typ at+jwt' },
  },
  key_unknown: {
    ...{ provoke: async () => send(`Bearer ${await sign({}, { kid: 'old' })}`), ...invalid },
    ...{ sent: 'old', expected: 'rsa or older' },
  },
  key_for_another_alg: {
    ...{ provoke: () => wrongKey.request(list, { token: fine }), ...invalid },
    ...{ sent: 'alg RS256', expected: 'alg ES256' },
  },
  signature_invalid: {
    ...{ provoke: () => send(`Bearer ${head}.${encode({ ...claims, sub: 'mallory' })}.${signature}`), ...invalid },
    ...{ sent: /does not match/, expected: 'the RS256 signature of the key with kid rsa' },
  },
  issuer_mismatch: {
    ...{ provoke: async () => send(`Bearer ${await sign({ iss: `${issuer}/` })}`), ...invalid },
    ...{ sent: `${issuer}/`, expected: issuer },
  },
  token_expired: {
    ...{ provoke: async () => send(`Bearer ${await sign({ exp: now - 5 })}`), ...invalid },
    ...{ sent: `exp ${at(now - 5)}`, expected: `later than now ${at(now)}; clock skew allowed: 0 s` },
  },
  token_not_yet_valid: {
    ...{ provoke: async () => send(`Bearer ${await sign({ nbf: now + 5 })}`), ...invalid },
    ...{ sent: `nbf ${at(now + 5)}`, expected: `not later than now ${at(now)}; clock skew allowed: 0 s` },
  },
  claim_malformed: {
    ...{ provoke: async () => send(`Bearer ${await sign({ exp: `${now + 300}` })}`), ...invalid },
    ...{ sent: `exp '${now + 300}'`, expected: 'exp as a number of seconds' },
  },
  token_inactive: {
    ...{ provoke: () => asking.request(list, { token: 'opaque' }), ...invalid },
    ...{ sent: 'a token that is revoked', expected: 'a token that is active' },
  },
  token_ended: {
    ...{ provoke: async () => ending.request(list, { token: await sign({ jti: 'ended' }) }), ...invalid },
    ...{ sent: /ended with Expire now/, expected: `a token that has not been ended; its exp is ${at(now + 300)}` },
  },
  audience_mismatch: {
    ...{ provoke: async () => send(`Bearer ${await sign({ aud: ['frontend', 'x'] })}`), ...invalid },
    ...{ sent: 'frontend, x', expected: 'api or shop' },
  },
  certificate_missing: {
    ...{ provoke: () => overTls({}), ...invalid },
    ...{ sent: 'no client certificate', expected: `the certificate with x5t#S256 ${thumbprint}` },
  },
  certificate_mismatch: {
    ...{ provoke: () => overTls(mine), ...invalid },
    sent: /^the certificate with x5t#S256 [\w-]{43}$/,
    expected: `the certificate with x5t#S256 ${thumbprint}`,
  },
  dpop_scheme_missing: {
    ...{ provoke: () => bound.request(list, { token }), ...invalid },
    ...{ sent: 'the scheme Bearer', expected: /^the scheme DPoP, / },
  },
  dpop_not_bound: {
    provoke: async () => bound.request(list, { headers: { authorization: `DPoP ${fine}` } }),
    ...{ ...invalid, sent: /^the scheme DPoP, /, expected: 'the scheme Bearer' },
  },
  dpop_proof_missing: {
    ...{ provoke: () => bound.request(list, { headers: { authorization: `DPoP ${token}` } }), ...badProof },
    ...{ sent: 'no DPoP header', expected: 'DPoP: <proof>' },
  },
  dpop_proof_repeated: {
    ...{ provoke: () => call('a.b.c, d.e.f'), ...badProof },
    ...{ sent: 'more than one proof', expected: 'one DPoP header with one proof' },
  },
  dpop_proof_malformed: {
    ...{ provoke: () => prove({}, { typ: 'JWT' }), ...badProof },
    ...{ sent: 'JWT', expected: 'dpop+jwt' },
  },
  dpop_alg_refused: {
    ...{ provoke: async () => call(await (await createDpopKey('PS256')).proof(target)), ...badProof },
    ...{ sent: 'PS256', expected: 'ES256' },
  },
  dpop_proof_key_invalid: {
    ...{ provoke: () => prove({}, { jwk: undefined }), ...badProof },
    ...{ sent: /jwk/, expected: 'the public key as jwk in the header of the proof' },
  },
  dpop_signature_invalid: {
    provoke: async () => call(`${(await key.proof(target)).slice(0, -20)}${'A'.repeat(20)}`),
    ...{ ...badProof, sent: /does not match/, expected: 'the ES256 signature of the key in its own header' },
  },
  dpop_htm_mismatch: {
    ...{ provoke: () => prove({ htm: 'POST' }), ...badProof },
    ...{ sent: 'POST', expected: 'GET' },
  },
  dpop_htu_mismatch: {
    ...{ provoke: () => prove({ htu: 'http://localhost:9001/api/products' }), ...badProof },
    sent: 'http://localhost:9001/api/products',
    expected: `${origin}${list} or http://idp:9000${list}`,
  },
  dpop_ath_mismatch: {
    ...{ provoke: () => prove({ ath: 'of another token' }), ...badProof },
    ...{ sent: 'of another token', expected: /^[\w-]{43}$/ },
  },
  dpop_iat_out_of_range: {
    ...{ provoke: () => prove({ iat: now - 301 }), ...badProof },
    ...{ sent: `iat ${at(now - 301)}`, expected: `at most 300 s before and 60 s after now ${at(now)}` },
  },
  dpop_nonce_missing: {
    ...{ provoke: () => prove({}, {}, strict), status: 401, error: 'use_dpop_nonce' },
    ...{ sent: 'no nonce', expected: 'fresh, from the DPoP-Nonce header' },
  },
  dpop_nonce_stale: {
    ...{ provoke: () => prove({ nonce: 'stale' }, {}, strict), status: 401, error: 'use_dpop_nonce' },
    ...{ sent: 'stale', expected: 'fresh, from the DPoP-Nonce header' },
  },
  dpop_key_mismatch: {
    ...{ provoke: async () => call(await other.proof(target)), ...invalid },
    ...{ sent: `a proof by the key ${other.jkt}`, expected: `a proof by the key ${key.jkt}` },
  },
  dpop_jti_missing: {
    ...{ provoke: () => prove({ jti: undefined }), ...badProof },
    ...{ sent: 'no jti', expected: 'a jti' },
  },
  dpop_proof_replayed: {
    async provoke() {
      const proof = await key.proof(target, { jti: 'once' });
      expect((await call(proof)).status).toBe(200);
      return call(proof);
    },
    ...{ ...badProof, sent: 'jti once, for the second time', expected: 'a new proof with a new jti' },
  },
  scope_insufficient: {
    provoke: async () => send(`Bearer ${await sign({ aud: 'api', scope: 'openid profile' })}`),
    ...{ status: 403, error: 'insufficient_scope', sent: 'openid profile', expected: 'products:read' },
  },
  authentication_too_weak: {
    provoke: async () => stepUp.request(list, { token: await sign({ acr: '0', auth_time: now }) }),
    ...{ status: 401, error: 'insufficient_user_authentication', sent: '0', expected: 'urn:silver or urn:gold' },
  },
  authentication_time_missing: {
    provoke: async () => stepUp.request(list, { token: await sign({ acr: 'urn:gold' }) }),
    ...{ status: 401, error: 'insufficient_user_authentication', sent: 'no auth_time' },
    expected: `a sign-in at most 60 s ago; now is ${at(now)}`,
  },
  authentication_too_old: {
    provoke: async () => stepUp.request(list, { token: await sign({ acr: 'urn:gold', auth_time: now - 61 }) }),
    ...{ status: 401, error: 'insufficient_user_authentication', sent: `auth_time ${at(now - 61)}, 61 s ago` },
    expected: `a sign-in at most 60 s ago; now is ${at(now)}`,
  },
  path_unknown: {
    ...{ provoke: () => plain.request('/api/Products'), status: 404 },
    ...{ sent: '/api/Products', expected: '/api/products or /api/bikes or /api/telemetry' },
  },
  path_malformed: {
    ...{ provoke: () => send(`Bearer ${fine}`, '/api/products/%zz?q=1'), status: 400 },
    ...{ sent: '/api/products/%zz', expected: 'percent-encoded UTF-8' },
  },
  method_not_allowed: {
    ...{ provoke: () => plain.request(list, { method: 'PATCH' }), status: 405 },
    ...{ sent: 'PATCH', expected: 'GET, HEAD, POST, OPTIONS' },
  },
  id_malformed: {
    ...{ provoke: () => send(`Bearer ${fine}`, `${list}/one`), status: 400 },
    ...{ sent: 'one', expected: 'an integer' },
  },
  row_unknown: {
    ...{ provoke: () => send(`Bearer ${fine}`, `${list}/99`), status: 404 },
    ...{ sent: '99', expected: 'an id of products: 1, 2, 3' },
  },
  query_invalid: {
    ...{ provoke: () => send(`Bearer ${fine}`, `${list}?size=0&price=cheap`), status: 400 },
    sent: "size: '0'; price: 'cheap'",
    expected: 'size: an integer from 1 to 100; price: a value of type number',
  },
  body_type_unsupported: {
    ...{ provoke: () => post({ body: new URLSearchParams({ name: 'Pump' }) }), status: 415 },
    ...{ sent: 'application/x-www-form-urlencoded;charset=UTF-8', expected: 'application/json' },
  },
  body_encoding_unsupported: {
    provoke: () => post({ headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: '{}' }),
    ...{ status: 415, sent: 'gzip', expected: 'none' },
  },
  body_too_large: {
    ...{ provoke: () => post(json('POST', 'x'.repeat(300_000))), status: 413 },
    ...{ sent: '300002 bytes', expected: 'at most 262144 bytes' },
  },
  body_empty: {
    ...{ provoke: () => post({ headers: { 'content-type': 'application/json' } }), status: 400 },
    ...{ sent: 'an empty body', expected: 'a JSON object' },
  },
  body_malformed: {
    ...{ provoke: () => post({ ...json('POST', ''), body: 'name=Pump' }), status: 400 },
    ...{ sent: /JSON/, expected: 'well-formed JSON in UTF-8' },
  },
  body_cut_off: {
    ...{ provoke: () => cutOff(), status: 400 },
    // none of them, where the end comes before the token is verified
    ...{ sent: /^[08] bytes, then the connection ended$/, expected: '100 bytes, as its Content-Length says' },
  },
  body_invalid: {
    ...{ provoke: () => post(json('POST', { ...product, price: 'cheap', colour: 'red' })), status: 400 },
    sent: "price: the string 'cheap'; colour: an unknown field",
    expected: /^price: a number; colour: name, category, price/,
  },
  internal: { provoke: () => broken.request(list, { token: fine }), status: 500 },
};

function matching(value: string | RegExp): unknown {
  return typeof value === 'string' ? value : expect.stringMatching(value);
}

describe('a refusal tells the log its reason and both values, and for', () => {
  it.each(Object.entries(cases))('%s', async (reason, { provoke, status, sent, expected, error }) => {
    told.length = 0;
    await provoke();
    const refusal = told.at(-1)?.refusal;
    expect(refusal).toMatchObject({ reason, status, detail: expect.stringMatching(/./) });
    expect(refusal?.sent).toEqual(sent === undefined ? undefined : matching(sent));
    expect(refusal?.expected).toEqual(expected === undefined ? undefined : matching(expected));
    expect(refusal?.error).toBe(error);
  });
});

it('tells the log of a body whose connection ended while the token was verified', async () => {
  await cutOff(slow.port, socket => {
    whileAsked = () => once(socket.resume().end(), 'close');
  });
  expect(told.at(-1)?.refusal).toMatchObject({
    reason: 'body_cut_off',
    sent: '0 bytes, then the connection ended',
  });
});

describe('what the log is told of a refused token', () => {
  const last = () => told.at(-1)?.refusal;

  it.each<[string, () => Promise<unknown>]>([
    ['was refused for its claims', async () => send(`Bearer ${await sign({ exp: now - 5 })}`)],
    ['was refused for its header', async () => send(`Bearer ${await sign({}, { typ: 'JWT' })}`)],
    ['was refused for its audience', async () => send(`Bearer ${await sign()}`)],
    ['may not do this', async () => send(`Bearer ${await sign({ aud: 'api', scope: 'openid' })}`)],
    ['was good, and the request was not', () => send(`Bearer ${fine}`, `${list}/99`)],
    ['is not active', () => asking.request(list, { token: 'opaque' })],
  ])('has its claims where it %s', async (_what, provoke) => {
    await provoke();
    expect(last()?.claims).toMatchObject({ client_id: 'frontend', jti: 'jti-1' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['by another key', async () => send(`Bearer ${await sign({}, {}, (await createKey('RS256')).privateKey)}`)],
    ['by a key nobody knows', async () => send(`Bearer ${await sign({}, { kid: 'old' })}`)],
    ['by HMAC', async () => send(`Bearer ${await sign({}, { alg: 'HS256' }, new Uint8Array(32))}`)],
    ['by nobody we asked', () => asking.request(list, { token: 'unknown' })],
  ])('has no claims of a token that is signed %s', async (_what, provoke) => {
    await provoke();
    expect(last()).not.toHaveProperty('claims');
  });

  it.each([
    ['a token without a scheme', fine],
    ['a token in quotes', `Bearer "${fine}"`],
    ['a header with two tokens', `Bearer ${fine} ${fine}`],
    ['a token with another signature', `Bearer ${head}.${body}.${'A'.repeat(342)}`],
    ['an opaque token', 'Bearer SlAV32hkKG-1111111111111111111'],
    ['an unknown kind of credentials', 'Basic YWxpY2U6c2VjcmV0'],
  ])('never holds the credentials themselves: %s', async (_what, authorization) => {
    await send(authorization);
    const secrets = authorization.match(/[\w-]{16,}/g) ?? [];
    expect(secrets).not.toEqual([]);
    for (const secret of secrets) expect(JSON.stringify(last())).not.toContain(secret);
  });
});

describe('the link to an explanation', () => {
  const helpLink = `<${origin}/dashboard/problems/req_1>; rel="help"`;

  it.each([401, 403, 404, 405, 415])('goes with a refusal with %i', async status => {
    const provoked: Readonly<Record<number, () => Promise<unknown>>> = {
      401: cases.token_missing.provoke,
      403: cases.scope_insufficient.provoke,
      404: cases.row_unknown.provoke,
      405: cases.method_not_allowed.provoke,
      415: cases.body_type_unsupported.provoke,
    };
    const response = (await provoked[status]?.()) as Response;
    expect(response.status).toBe(status);
    expect(response.headers.get('link')).toBe(helpLink);
    expect(await response.text()).not.toContain('problems');
  });

  it('is not there where nobody explains, nor where nothing is refused', async () => {
    expect((await bound.request(list)).headers.get('link')).toBeNull();
    expect((await send(`Bearer ${fine}`)).headers.get('link')).not.toContain('help');
  });
});

describe('a token that is accepted', () => {
  it('is told before anything is done with the request, and no other', async () => {
    const accepted: unknown[] = [];
    const server = await startServer({ onAccepted: (request, { jti }) => accepted.push([request.originalUrl, jti]) });
    await server.request(`${list}/1`, { token: await sign() });
    await server.request(`${list}/99`, { token: await sign({ jti: 'jti-2' }) });
    await server.request(list, { token: await sign({ scope: 'openid' }) });
    await server.request(list, { token: await sign({ exp: now }) });
    await server.request(list);
    await server.close();
    expect(accepted).toEqual([
      [`${list}/1`, 'jti-1'],
      [`${list}/99`, 'jti-2'],
    ]);
  });
});
