import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createDpopKey } from '../../support/dpop.ts';
import { now, resourceMetadata, sign, startServer } from './running-server.ts';

const algorithms = ['RS256', 'ES256'];
const origin = 'http://localhost:9000';
const server = await startServer({ dpop: { origins: [origin, 'http://idp:9000'], algorithms } });
const strict = await startServer({
  dpop: { origins: [origin], algorithms, nonce: { current: () => 'fresh', isFresh: nonce => nonce === 'fresh' } },
});
const without = await startServer();
afterAll(() => Promise.all([server.close(), strict.close(), without.close()]));

const key = await createDpopKey();
const other = await createDpopKey();
const token = await sign({ cnf: { jkt: key.jkt } });
const bearer = await sign();
const target = { htm: 'GET', htu: `${origin}/api/products`, iat: now, accessToken: token };

function call(authorization: string, dpop?: string, on = server, path = '/api/products') {
  return on.request(path, { headers: { authorization, ...(dpop === undefined ? {} : { dpop }) } });
}

describe('a proof at an API whose clock was moved', async () => {
  const ahead = await startServer({
    ...{ dpop: { origins: [origin], algorithms, wallClock: () => now - 3600 }, clock: () => now },
  });
  afterAll(() => ahead.close());

  it.each([
    ['of the real time', now - 3600, 200],
    ['of the time of the API', now, 200],
    ['of neither', now - 1800, 401],
  ])('%s', async (_what, iat, status) => {
    expect((await call(`DPoP ${token}`, await key.proof(target, { iat }), ahead)).status).toBe(status);
  });

  it('is good once', async () => {
    const proof = await key.proof(target, { iat: now - 3600 });
    expect((await call(`DPoP ${token}`, proof, ahead)).status).toBe(200);
    expect((await call(`DPoP ${token}`, proof, ahead)).status).toBe(401);
  });
});

describe('a token bound to a DPoP key (RFC 9449 §7)', () => {
  it('is good with its proof', async () => {
    expect((await call(`DPoP ${token}`, await key.proof(target))).status).toBe(200);
  });

  it.each([
    ['a scheme in lower case', {}, '/api/products', 'dpop'],
    ['a query in the address, which does not count', {}, '/api/products?size=1', 'DPoP'],
    ['another address of this API in htu', { htu: 'http://idp:9000/api/products' }, '/api/products', 'DPoP'],
    ['escapes in htu that need not be', { htu: `${origin}/api/%70roduct%73` }, '/api/products', 'DPoP'],
    ['a query and a fragment in htu', { htu: `${origin}/api/products?x=1#y` }, '/api/products', 'DPoP'],
    ['an iat 10 s back', { iat: now - 10 }, '/api/products', 'DPoP'],
    ['an iat 10 s ahead', { iat: now + 10 }, '/api/products', 'DPoP'],
    ['an iat 300 s back, the most there may be', { iat: now - 300 }, '/api/products', 'DPoP'],
    ['an iat 60 s ahead, the most there may be', { iat: now + 60 }, '/api/products', 'DPoP'],
    ['members nobody knows', { colour: 'blue', exp: 1, nbf: now + 5 }, '/api/products', 'DPoP'],
  ])('is good with %s', async (_what, changes, path, scheme) => {
    expect((await call(`${scheme} ${token}`, await key.proof(target, changes), server, path)).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['without htm', { htm: undefined }, {}],
    ['for POST', { htm: 'POST' }, {}],
    ['without htu', { htu: undefined }, {}],
    ['for another path', { htu: `${origin}/api/bikes` }, {}],
    ['with an escaped slash in htu', { htu: `${origin}/api%2fproducts` }, {}],
    ['for another host', { htu: 'http://localhost:9001/api/products' }, {}],
    ['without iat', { iat: undefined }, {}],
    ['an hour old', { iat: now - 3600 }, {}],
    ['301 s old', { iat: now - 301 }, {}],
    ['61 s ahead', { iat: now + 61 }, {}],
    ['an hour ahead', { iat: now + 3600 }, {}],
    ['without ath', { ath: undefined }, {}],
    ['with the hash of another token', { ath: createHash('sha256').update('x').digest('base64url') }, {}],
    ['without jti', { jti: undefined }, {}],
    ['with another typ', {}, { typ: 'JWT' }],
    ['without typ', {}, { typ: undefined }],
    ['without a key', {}, { jwk: undefined }],
  ])('is refused with a proof %s', async (_what, changes, header) => {
    const response = await call(`DPoP ${token}`, await key.proof(target, changes, header));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(
      /^DPoP error="invalid_dpop_proof", error_description="[^"]+", scope="products:read", algs="RS256 ES256"/,
    );
  });

  it.each([
    ['no proof', undefined],
    ['what is no proof', 'abc'],
    ['two proofs', 'a.b.c, d.e.f'],
  ])('is refused with %s', async (_what, proof) => {
    const response = await call(`DPoP ${token}`, proof);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: 'invalid_dpop_proof' });
  });

  it('is refused with padding behind its proof', async () => {
    expect((await call(`DPoP ${token}`, `${await key.proof(target)}==`)).status).toBe(401);
  });

  it('is refused with a proof by another key', async () => {
    const response = await call(`DPoP ${token}`, await other.proof(target));
    expect(await response.json()).toMatchObject({
      error: 'invalid_token',
      detail: expect.stringMatching('different key'),
    });
  });

  it('is refused with a proof by an algorithm that is not offered', async () => {
    const rsa = await createDpopKey('PS256');
    const own = await sign({ cnf: { jkt: rsa.jkt } });
    const response = await call(`DPoP ${own}`, await rsa.proof({ ...target, accessToken: own }));
    expect(await response.json()).toMatchObject({ error: 'invalid_dpop_proof' });
  });

  it('is refused when its proof comes again', async () => {
    const proof = await key.proof(target);
    await call(`DPoP ${token}`, proof);
    expect((await call(`DPoP ${token}`, proof)).status).toBe(401);
  });

  it('is refused as a bearer token, with the metadata of the resource in the challenge', async () => {
    const response = await call(`Bearer ${token}`, await key.proof(target));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_token"/);
    expect(response.headers.get('www-authenticate')).toContain(`resource_metadata="${resourceMetadata('products')}"`);
  });
});

describe('a bearer token', () => {
  it('is good as ever', async () => {
    expect((await call(`Bearer ${bearer}`)).status).toBe(200);
  });

  it('is refused with the scheme DPoP', async () => {
    const response = await call(`DPoP ${bearer}`, await key.proof({ ...target, accessToken: bearer }));
    expect(await response.json()).toMatchObject({ error: 'invalid_token', detail: expect.stringMatching('Bearer') });
  });
});

describe('a resource server that demands nonces (RFC 9449 §9)', () => {
  it('says which one to use, and takes it', async () => {
    const refused = await call(`DPoP ${token}`, await key.proof(target), strict);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^DPoP error="use_dpop_nonce"/);
    const nonce = refused.headers.get('dpop-nonce') ?? '';
    expect(nonce).toBe('fresh');
    expect((await call(`DPoP ${token}`, await key.proof({ ...target, nonce }), strict)).status).toBe(200);
  });
});

describe('a resource server without DPoP', () => {
  it('does not know the scheme', async () => {
    const response = await call(`DPoP ${token}`, await key.proof(target), without);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="products:read", resource_metadata="${resourceMetadata('products')}"`,
    );
  });
});
