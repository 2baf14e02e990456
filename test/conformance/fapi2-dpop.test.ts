import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDpopKey, type DpopKey } from '../support/dpop.ts';
import { altered } from '../support/forgeries.ts';
import { checkTokenError, checkTokenResponse } from './checks.ts';
import { type Claims, checkPushed, type FapiClient, type FapiOp, startFapi } from './fapi.ts';

let op: FapiOp;
let client: FapiClient;
let key: DpopKey;
let other: DpopKey;
let rsa: DpopKey;
beforeAll(async () => {
  op = await startFapi('private_key_jwt and DPoP');
  [client] = op.clients;
  const { dpop } = client;
  if (dpop === undefined) throw new Error('a client without a DPoP key');
  key = dpop;
  [other, rsa] = await Promise.all([createDpopKey(), createDpopKey('RS256')]);
});
afterAll(() => op[Symbol.asyncDispose]());

const atPar = (by: DpopKey, changes: Claims = {}) =>
  by.proof({ htu: op.metadata.pushed_authorization_request_endpoint, iat: op.now() }, changes);
const atToken = (by: DpopKey, changes: Claims = {}) =>
  by.proof({ htu: op.metadata.token_endpoint, iat: op.now() }, changes);

describe('FAPI 2.0 Security Profile, the key of the code', () => {
  describe('fapi2-security-profile-final-ensure-mismatched-dpop-jkt-fails', () => {
    it('refuses a request whose dpop_jkt is not the key of its proof', async () => {
      const response = await client.push(client.request({ dpop_jkt: other.jkt }), { dpop: await atPar(key) });
      expect(await checkTokenError(response)).toMatch(/^invalid_(request|dpop_proof)$/);
    });

    it('refuses a dpop_jkt that is no thumbprint', async () => {
      expect(await checkTokenError(await client.push(client.request({ dpop_jkt: 'short' })))).toBe('invalid_request');
    });
  });

  describe.each([
    [
      'fapi2-security-profile-final-ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt',
      async () => client.authorize({}, { dpop: await atPar(key) }),
    ],
    [
      'fapi2-security-profile-final-ensure-token-endpoint-fails-with-mismatched-dpop-jkt',
      async () => client.authorize({ dpop_jkt: key.jkt }),
    ],
  ])('%s', (_, authorize) => {
    it('refuses the code with another key', async () => {
      const { code } = await authorize();
      const response = await client.redeem(code, {}, { dpop: await atToken(other) });
      expect(await checkTokenError(response)).toMatch(/^invalid_(grant|dpop_proof)$/);
    });
  });

  describe.each([
    [
      'fapi2-security-profile-final-ensure-dpopproof-at-par-endpoint-binding-success',
      async () => client.authorize({}, { dpop: await atPar(key) }),
    ],
    [
      'fapi2-security-profile-final-ensure-dpop-auth-code-binding-success',
      async () => client.authorize({ dpop_jkt: key.jkt }, { dpop: await atPar(key) }),
    ],
  ])('%s', (_, authorize) => {
    it('takes the code with its key', async () => {
      expect((await client.tokens(await authorize())).token_type).toBe('DPoP');
    });
  });
});

describe.each([
  ['fapi2-security-profile-final-ensure-dpopproof-with-iat-10seconds-before-succeeds', () => ({ iat: op.now() - 10 })],
  ['fapi2-security-profile-final-ensure-dpopproof-with-iat-10seconds-after-succeeds', () => ({ iat: op.now() + 10 })],
  ['fapi2-security-profile-final-check-dpop-proof-nbf-exp', () => ({ nbf: op.now() - 10, exp: op.now() + 300 })],
])('%s', (_, changes) => {
  it('takes the proof at the PAR endpoint, the token endpoint, the API and UserInfo', async () => {
    await checkPushed(await client.push(client.request(), { dpop: await atPar(key, changes()) }));
    const { code } = await client.authorize();
    const tokens = await checkTokenResponse(await client.redeem(code, {}, { dpop: await atToken(key, changes()) }));
    for (const url of [`${op.sandbox.url}/api/products`, op.metadata.userinfo_endpoint]) {
      const good = { htm: 'GET', htu: url, iat: op.now(), accessToken: tokens.access_token };
      const dpop = await key.proof(good, changes());
      expect((await client.resource(tokens.access_token, { url, dpop })).status).toBe(200);
    }
  });
});

/** One step: how the proof, or what is beside it, differs from a good one. */
interface Step {
  readonly name: string;
  /** The proof; by default a good one with these changes. */
  readonly proof?: (good: Good) => Promise<string> | string;
  readonly claims?: (good: Good) => Claims;
  readonly header?: () => Claims;
  readonly scheme?: string;
  readonly isGood?: true;
}

interface Good {
  readonly url: string;
  readonly access_token: string;
  make(claims?: Claims, header?: Claims, by?: DpopKey): Promise<string>;
}

const withHost = (url: string, change: (url: URL) => string) => change(new URL(url));

/** The 28 of the suite. */
const steps: readonly Step[] = [
  { name: 'two proofs', proof: async good => `${await good.make()}, ${await good.make()}` },
  { name: 'what is no JWT', proof: () => 'not-a-jwt' },
  { name: 'no typ', header: () => ({ typ: undefined }) },
  { name: 'no alg', proof: async good => altered(await good.make(), {}, { alg: undefined }) },
  { name: 'no jwk', header: () => ({ jwk: undefined }) },
  { name: 'no jti', claims: () => ({ jti: undefined }) },
  { name: 'no htm', claims: () => ({ htm: undefined }) },
  { name: 'no htu', claims: () => ({ htu: undefined }) },
  { name: 'no iat', claims: () => ({ iat: undefined }) },
  { name: 'no ath', claims: () => ({ ath: undefined }) },
  { name: 'another typ', header: () => ({ typ: 'JWT' }) },
  { name: 'alg none', proof: async good => altered(await good.make(), {}, { alg: 'none' }).replace(/[^.]+$/, '') },
  { name: 'RS256', proof: good => good.make({}, {}, rsa) },
  { name: 'a signature by another key', header: () => ({ jwk: { ...other.privateJwk, d: undefined } }) },
  { name: 'the private key', header: () => ({ jwk: key.privateJwk }) },
  { name: 'another htm', claims: () => ({ htm: 'POST' }) },
  { name: 'another htu', claims: ({ url }) => ({ htu: `${url}/other` }) },
  { name: 'query and fragment in htu', claims: ({ url }) => ({ htu: `${url}?a=b#c` }), isGood: true },
  { name: 'iat one hour ago', claims: () => ({ iat: op.now() - 3600 }) },
  { name: 'iat in one hour', claims: () => ({ iat: op.now() + 3600 }) },
  {
    name: 'a jti that was used before',
    async proof({ url, access_token, make }) {
      const proof = await make();
      expect((await client.resource(access_token, { url, dpop: proof })).status).toBe(200);
      return proof;
    },
  },
  { name: 'the hash of another token', claims: () => ({ ath: Buffer.alloc(32).toString('base64url') }) },
  { name: 'another key than the token is bound to', proof: good => good.make({}, {}, other) },
  { name: 'members nobody knows', claims: () => ({ extra: { a: 1 } }), header: () => ({ extra: 'b' }), isGood: true },
  {
    name: 'an htu that is the same when normalised',
    claims: ({ url }) => ({
      htu: withHost(url, ({ host, pathname }) => `HTTPS://${host.toUpperCase()}/x/..${pathname.replace('s', '%73')}`),
    }),
    isGood: true,
  },
  { name: 'no proof', proof: () => '' },
  { name: 'a proof, but the scheme Bearer', scheme: 'Bearer' },
  { name: 'the scheme Bearer and no proof', proof: () => '', scheme: 'Bearer' },
];

describe.each([
  ['the API', () => `${op.sandbox.url}/api/products`],
  ['UserInfo', () => op.metadata.userinfo_endpoint],
])('fapi2-security-profile-final-dpop-negative-tests, at %s', (_, address) => {
  let access_token: string;
  beforeAll(async () => {
    ({ access_token } = await client.tokens(await client.authorize()));
  });

  const good = (): Good => ({
    url: address(),
    access_token,
    make: (claims = {}, header = {}, by = key) =>
      by.proof({ htm: 'GET', htu: address(), iat: op.now(), accessToken: access_token }, claims, header),
  });

  it('has 28 steps', () => {
    expect(new Set(steps.map(({ name }) => name)).size).toBe(28);
  });

  it.each(steps)('decides about $name', async ({ proof, claims, header, scheme = 'DPoP', isGood }) => {
    const dpop = await (proof?.(good()) ?? good().make(claims?.(good()), header?.()));
    const response = await client.resource(access_token, { url: address(), scheme, dpop });
    expect(response.status).toBe(isGood ? 200 : 401);
    if (isGood) return;
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^DPoP error="(invalid_token|invalid_dpop_proof)"/);
    expect(challenge).toContain('algs="PS256 ES256 EdDSA Ed25519"');
  });

  it('refuses two headers as it refuses two proofs in one', async () => {
    const dpop = [await good().make(), await good().make()];
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `DPoP ${access_token}`, dpop };
      const call = httpsRequest(address(), { ca: op.sandbox.tls?.ca ?? '', headers, agent: false }, response => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      call.on('error', reject).end();
    });
    expect(status).toBe(401);
  });
});
